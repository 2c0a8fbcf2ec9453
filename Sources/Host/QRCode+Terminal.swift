extension QRCode {
    /// The code in half blocks, two modules a character, for a terminal that writes light on dark.
    ///
    /// Light modules are drawn and dark ones left blank. The quiet zone is 4 modules, as the standard asks;
    /// with `ansi`, colours are set outright, so that a light terminal shows the same code.
    package func terminalLines(ansi: Bool) -> [String] {
        let quiet = 4
        return stride(from: -quiet, to: width + quiet, by: 2).map { y in
            let line = (-quiet..<width + quiet).map { x in
                switch (isDark(x, y), isDark(x, y + 1)) {
                case (true, true): " "
                case (true, false): "▄"
                case (false, true): "▀"
                case (false, false): "█"
                }
            }.joined()
            return ansi ? "\u{1B}[97;40m" + line + "\u{1B}[0m" : line
        }
    }
}
