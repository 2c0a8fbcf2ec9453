import TestSupport
import Testing

@testable import Wire

struct PairingTests {
    private let pin = (0..<32).map { UInt8($0) }
    private let token = (0..<16).map { UInt8($0 + 200) }

    @Test(arguments: [
        ("lapel.local:8443", "lapel.local", 8443), ("10.0.0.1:1", "10.0.0.1", 1),
        ("[fe80::1%wlan0]:9", "fe80::1%wlan0", 9),
        ("[::1]", "::1", 8443), ("host", "host", 8443),
    ])
    func anAddressIsReadAsItIsWritten(text: String, host: String, port: UInt16) throws {
        let address = try #require(HostAddress(text))
        #expect(address.host == host && address.port == port)
        #expect(HostAddress(address.description) == address)
    }

    @Test(arguments: [
        "", ":1", "a:", "a:0", "a:65536", "a:+1", "a b", "a/b", "a@b", "[::1", "[a]:1", "::1", "a:1:2", "[]",
    ])
    func whatIsNoAddressIsRefused(text: String) { #expect(HostAddress(text) == nil) }

    private func url() throws -> PairingURL {
        let hosts = try ["lapel.local:8443", "[fe80::1]:8443"].map { try #require(HostAddress($0)) }
        return try #require(PairingURL(hosts: hosts, pin: pin, token: token))
    }

    @Test func thePairingURLIsReadBackTheSame() throws {
        let url = try url()
        #expect(
            url.description == "lapel://pair?h=lapel.local:8443,[fe80::1]:8443"
                + "&p=AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8&t=c8c9cacbcccdcecfd0d1d2d3d4d5d6d7")
        #expect(try PairingURL(parsing: " \(url)\r\n") == url)
    }

    @Test func percentsAndUnknownFieldsAreTaken() throws {
        let url = try url()
        let encoded = url.description.replacing("[", with: "%5B").replacing("]", with: "%5d").replacing(
            ":8443,", with: "%3A8443%2C")
        #expect(try PairingURL(parsing: encoded + "&new=1") == url)
    }

    @Test(arguments: [
        "", "https://pair?h=a", "lapel://pair", "lapel://pair?h=a", "lapel://pair?p=AA&t=00",
        "lapel://pair?h=a&p=AA&t=00",
        "lapel://pair?h=a&h=b", "lapel://pair?h", "lapel://pair?h=%", "lapel://pair?h=%zz",
        "lapel://pair?h=a%20b",
    ])
    func aDamagedPairingURLIsRefusedWithASentence(text: String) {
        #expect(throws: WireError.self) { try PairingURL(parsing: text) }
    }

    @Test func requestAndAnswerAreReadBackTheSame() throws {
        let request = PairRequest(
            token: token, deviceName: "wrist", signingKey: String(repeating: "a", count: 64))
        #expect(try PairRequest(json: JSON(parsing: request.json.bytes)) == request)
        let handing = PairRequest(token: token, deviceName: "wrist", keys: ["AGE-SECRET-KEY-1X"])
        #expect(try PairRequest(json: JSON(parsing: handing.json.bytes)) == handing)
        let answer = PairAnswer(hostName: "desk", replies: false, recipients: ["age1x"])
        #expect(try PairAnswer(json: JSON(parsing: answer.json.bytes)) == answer)
    }

    /// A key is secret: no error repeats it.
    @Test func aRequestWithTooManyKeysOrOtherThingsIsRefused() {
        let many = PairRequest(
            token: token, deviceName: "x", keys: .init(repeating: "K", count: PairRequest.mostKeys + 1))
        #expect(throws: WireError.self) { try PairRequest(json: many.json) }
        let request = PairRequest(token: token, deviceName: "x")
        var members = request.json.members ?? []
        members.append(("keys", .array([.int(1), "SECRET"])))
        let error = errorThrown(WireError.self) { try PairRequest(json: .object(members)) }
        #expect(error != nil && error?.description.contains("SECRET") == false)
    }

    @Test func whatADeviceSignsNamesKindUtteranceAndHash() {
        #expect(
            UploadKey.signedText(utterance: "0a", kind: .tail, sha256: "ff") == "lapel tail 0a ff")
    }

    @Test func aRequestWithADamagedTokenIsRefused() {
        #expect(throws: WireError.self) { try PairRequest(json: ["token": "00", "device_name": "x"]) }
        #expect(throws: WireError.self) { try PairRequest(json: ["device_name": "x"]) }
        #expect(throws: WireError.self) { try PairRequest(json: []) }
    }

    @Test(arguments: ["\u{1B}[2J", "a\nb", "\u{9B}31m"]) func aHostsNameThatControlsATerminalIsRefused(
        name: String
    ) {
        #expect(throws: WireError.self) { try PairAnswer(json: PairAnswer(hostName: name).json) }
    }
}
