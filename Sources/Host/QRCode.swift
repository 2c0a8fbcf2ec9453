import CQRencode

/// A QR code (ISO/IEC 18004) as a square of modules.
package struct QRCode: Equatable, Sendable {
    /// Modules a side.
    package let width: Int
    /// Row by row from the top left; true is dark.
    package let modules: [Bool]

    /// Encodes text at error correction level L (7 %): a screen is clean, and a smaller code fits a terminal.
    ///
    /// Nil when the text does not fit the largest code (2,953 bytes).
    package init?(_ text: String) {
        guard let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_L) else { return nil }
        defer { QRcode_free(code) }
        width = Int(code.pointee.width)
        // Bit 0 of a module is its colour, the others say what it belongs to.
        modules = UnsafeBufferPointer(start: code.pointee.data, count: width * width).map { $0 & 1 == 1 }
    }

    /// True for a dark module; everything outside the square is the light quiet zone.
    package func isDark(_ x: Int, _ y: Int) -> Bool {
        (0..<width).contains(x) && (0..<width).contains(y) && modules[y * width + x]
    }
}
