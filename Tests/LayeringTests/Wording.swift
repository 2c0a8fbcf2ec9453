/// Words that have no place in the repository.
enum Wording {
    /// Boards and their parts by name: what a board is like is in `board/` and in the settings.
    static var board: Regex<Substring> {
        #/\b(?:Raspberry|RPi|Pi (?:Zero|[1-5])|BCM[0-9]{4}|Orange Pi|Banana Pi|BeagleBone|ReSpeaker|Radxa|Jetson)\b/#
    }

    /// A path of somebody's machine.
    static var machinePath: Regex<Substring> {
        #/["'` (=](?:/home/|/Users/|/root/|/opt/|/mnt/|/media/)[A-Za-z0-9]/#
    }

    /// Where packages come from is the machine's own business. Written in two pieces, so as not to find itself.
    static let registries = [
        "deb.debian" + ".org", "archive.ubuntu" + ".com", "pypi" + ".org", "registry.npmjs" + ".org",
    ]

    /// Sentences that may name what `board` forbids, word for word.
    static let allowedBoardLines: Set<String> = []

    static func lines(of text: String, matching pattern: Regex<Substring>) -> [(number: Int, line: String)] {
        text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
            .filter { $0.element.contains(pattern) }
            .map { (number: $0.offset + 1, line: String($0.element)) }
    }
}
