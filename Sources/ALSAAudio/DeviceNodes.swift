import CALSA
import Glibc
import SystemFiles

/// The card that an ALSA name points to; nil for `default`, plugins, and cards that are not there.
func cardIndex(of name: String) -> Int? {
    guard let colon = name.firstIndex(of: ":") else { return nil }
    // hw:1  hw:1,0  hw:Mic  hw:CARD=Mic,DEV=0
    var card = name[name.index(after: colon)...].prefix { $0 != "," }
    if card.hasPrefix("CARD=") { card = card.dropFirst(5) }
    let index = snd_card_get_index(String(card))
    return index >= 0 ? Int(index) : nil
}

/// The kernel's capture devices (`/dev/snd/pcmC…D…c`) that an ALSA name may use, and who may open them.
struct DeviceNodes {
    /// Of one card when the name points to one, else of all.
    let paths: [String]

    init(device: String, folder: String = "/dev/snd") {
        let card = cardIndex(of: device)
        paths = folderEntries(folder).filter { entry in
            entry.hasSuffix("c") && entry.hasPrefix(card.map { "pcmC\($0)D" } ?? "pcmC")
        }.sorted().map { folder + "/" + $0 }
    }

    init(paths: [String]) { self.paths = paths }

    /// Those this process may not open.
    var closed: [String] { paths.filter { access($0, R_OK | W_OK) != 0 } }

    /// The command that opens the first closed one, in a sentence.
    var remedy: String {
        closed.first.map(Self.remedy) ?? "its device file refuses; see `ls -l /dev/snd`."
    }

    /// The command that lets this process open `path`.
    static func remedy(for path: String) -> String {
        DeviceFile(path: path, subsystem: "sound", group: "audio").remedy
    }
}
