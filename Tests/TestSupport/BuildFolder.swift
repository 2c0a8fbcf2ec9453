import Glibc

/// Where SwiftPM puts programs and the ALSA plugin: beside the running test program.
package let buildFolder: String = {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let n = readlink("/proc/self/exe", &buffer, buffer.count - 1)
    let path = String(decoding: buffer.prefix(max(n, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])
}()

/// The microphone-from-a-file plugin, as built.
package let pacedMicrophonePlugin = buildFolder + "/libasound_module_pcm_card.so"
