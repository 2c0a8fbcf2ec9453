import Foundation
import Hardware
import TestSupport
import Testing

@testable import ALSAAudio

private func granted(_ permission: MicrophonePermission) -> Bool { permission == .granted }
private func undetermined(_ permission: MicrophonePermission) -> Bool {
    if case .undetermined = permission { true } else { false }
}

@Test func aCardThatOpensIsGrantedAndHeldNoLonger() throws {
    let card = Card()
    try card.plays(integers: ramp(160))
    let answer = ALSAMicrophone.permission(device: "mic", configuration: card.configuration)
    #expect(granted(answer))
}

@Test func aCardThatIsNotThereYetIsUndetermined() {
    #expect(undetermined(ALSAMicrophone.permission(device: "hw:31")))
    #expect(undetermined(ALSAMicrophone.permission(device: "mic", configuration: Card().configuration)))
}

@Test func onlyCaptureDevicesCount() throws {
    let folder = TemporaryFolder()
    for name in ["controlC0", "pcmC0D0p", "pcmC0D0c", "pcmC1D0c", "timer"] { try folder.write(name, []) }
    let nodes = DeviceNodes(device: "default", folder: folder.path)
    #expect(nodes.paths == [folder.file("pcmC0D0c"), folder.file("pcmC1D0c")])
}

@Test func aFileThatRootAloneMayUseNeedsAUdevRule() throws {
    let folder = TemporaryFolder()
    let path = try folder.write("pcmC0D0c", [])
    chmod(path, 0o600)
    #expect(DeviceNodes.remedy(for: path).contains("udev"))
}

@Test func theHolderOfABusyCardIsNamed() throws {
    let proc = TemporaryFolder()
    let files = [
        "asound/card0/pcm0p/sub0/status": "state: RUNNING\nowner_pid   : 7\n",
        "asound/card0/pcm0c/sub0/status": "closed\n",
        "asound/card1/pcm0c/sub0/status": "state: RUNNING\nowner_pid   : 4321\ntrigger_time: 1.2\n",
        "4321/comm": "arecord\n",
    ]
    for (name, text) in files {
        let folder = proc.path + "/" + name.split(separator: "/").dropLast().joined(separator: "/")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try proc.write(name, Array(text.utf8))
    }
    #expect(Holder.find(card: nil, root: proc.path) == Holder(process: 4321, program: "arecord"))
    #expect(Holder.find(card: 1, root: proc.path)?.description == "arecord (process 4321)")
    #expect(Holder.find(card: 0, root: proc.path) == nil)
}

@Test(arguments: [
    (-16, MicrophoneFault.busy(device: "mic", holder: nil)),
    (-2, .missing(device: "mic")),
    (-19, .missing(device: "mic")),
    (-5, .failed(device: "mic", operation: "be opened", reason: "Input/output error")),
])
func whatACodeMeansBeforeADeviceIsOpen(_ code: Int, _ fault: MicrophoneFault) {
    #expect(
        ALSAError(operation: "be opened", code: Int32(code)).fault(device: "mic", wasOpen: false) == fault)
}

@Test func aDeviceThatGoesAwayWhileItIsOpenWasUnplugged() {
    for code in [-ENODEV, -EBADFD] {
        let fault = ALSAError(operation: "be read", code: code).fault(device: "mic", wasOpen: true)
        #expect(fault == .unplugged(device: "mic"))
    }
}

@Test func aNameOfTheKernelsIsAlsoTriedThroughThePlugin() {
    #expect(CaptureThread.candidates(CaptureSettings(device: "hw:1,0")) == ["hw:1,0", "plughw:1,0"])
    #expect(CaptureThread.candidates(CaptureSettings(device: "default")) == ["default"])
    #expect(CaptureThread.candidates(CaptureSettings(device: "hw:1", configuration: "pcm.x {}")) == ["hw:1"])
}
