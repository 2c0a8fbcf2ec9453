/// Cuts after the last whole page and marks it as the last (RFC 3533 §6, RFC 7845 §4).
func salvageOpus(_ file: borrowing DiskFile) throws(AudioFileError) -> Salvaged {
    let length = try file.length()
    var offset = 0
    var pages = 0
    var head: (preSkip: Int, rate: Int, channels: Int)?
    // The last page on which a packet ends.
    var last: (offset: Int, page: OggPage)?
    var serial: UInt32?
    while let page = try OggPage(file, at: offset), serial == nil || page.serial == serial,
        page.sequence == pages
    {
        if pages == 0 {
            guard let parsed = opusHead(page.body) else {
                throw .undecodable(path: file.path, what: "it is an Ogg file that holds no Opus sound")
            }
            head = parsed
        } else if pages > 1, page.granule >= 0 {
            last = (offset, page)
        }
        serial = page.serial
        pages += 1
        offset += page.length
    }
    guard let head, let last, (head.preSkip + 1..<longest).contains(Int(last.page.granule)) else {
        // Only the two pages of the head, or less: whatever follows them must be nothing.
        let rest = try file.bytes(at: offset, count: OggPage.longest)
        if pages < 2, OggPage.isTorn(rest) { return .nothing(bytes: length) }
        if try file.isZero(from: offset) { return .nothing(bytes: length) }
        throw .undecodable(path: file.path, what: "not one page of sound is whole")
    }
    let end = last.offset + last.page.length
    try file.truncate(to: end)
    try file.overwrite(last.page.markedLast(), at: last.offset)
    let frames = (Int(last.page.granule) - head.preSkip) * head.rate / 48_000
    return Salvaged(bytes: end, frames: frames, rate: head.rate, channels: head.channels)
}

/// Samples at 48 kHz that no recording has: eight months.
private let longest = 1 << 40

/// The identification header, RFC 7845 §5.1. Its rate is only a remark: one that no recording has counts as none.
private func opusHead(_ body: ArraySlice<UInt8>) -> (preSkip: Int, rate: Int, channels: Int)? {
    let head = Array(body)
    guard head.count >= 19, head.starts(with: Array("OpusHead".utf8)), head[9] > 0 else { return nil }
    let rate = (0..<4).reduce(0) { $0 | Int(head[12 + $1]) << (8 * $1) }
    let isKnown = OpusReader.inputRates.contains(rate)
    return (Int(head[10]) | Int(head[11]) << 8, isKnown ? rate : OpusReader.rate, Int(head[9]))
}
