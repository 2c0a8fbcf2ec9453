import Wire

@testable import HostLink
@testable import Shipper

extension FuzzTarget {
    /// What a host says in its answers: the session that hears it ends or waits after a bounded number of requests,
    /// and takes nothing for a receipt but the digest of its own bytes.
    static let answers = FuzzTarget(name: "answers", longest: 4_096) {
        let receipt = "Repr-Digest: " + (ReprDigest(hex: sampleHash)?.header ?? "")
        let whole = "Upload-Offset: 300000\r\n" + receipt
        let lines: [(Int, String)] = [
            (201, "Location: /v1/up/x\r\nUpload-Offset: 0"), (204, "Upload-Offset: 9"), (409, ""),
            (423, "Retry-After: 3"), (200, "Upload-Offset: 10\r\nUpload-Length: 300000"), (204, whole),
        ]
        let conversation = lines.flatMap { status, headers -> [UInt8] in
            [0, UInt8(status >> 8), UInt8(status & 255), UInt8(headers.utf8.count)] + Array(headers.utf8)
        }
        return [[3] + conversation, [3, 1, 0, 2, 1, 0, 1, 2], [2, 0, 0, 200, 0]]
    } check: { input, _ in
        var input = FuzzInput(input)
        guard let digest = ReprDigest(hex: sampleHash) else { return }
        let form = input.byte()
        let upload = TusSession.Upload(
            length: form & 1 == 0 ? 1_000 : 300_000, digest: digest,
            location: form & 2 == 0 ? nil : HostPath.upload(sampleHash))
        var session = TusSession(upload)
        var action = session.begin()
        var heard = TusSession.Response(status: 0)
        var requests = 0
        var offset = 0
        while !input.isAtEnd {
            switch action {
            case .send(let request):
                if case .patch(_, let from) = request {
                    try must(
                        (0..<upload.length).contains(from), "bytes are sent from a place inside the file")
                    // Only an answer that raises the offset is free.
                    if from > offset { requests = 0 }
                    offset = from
                }
                requests += 1
                try must(requests <= 16, "a host cannot keep a device asking")
                if input.byte() % 4 == 3 {
                    heard = TusSession.Response(status: 0)
                    let failures = TransferFailure.allCases
                    action = session.failed(failures[input.number(below: failures.count)])
                } else {
                    heard = response(&input)
                    action = session.answered(heard)
                }
            case .wait:
                (requests, offset) = (0, 0)
                action = session.resume()
            case .compareFile: action = session.fileCompared(intact: input.byte() & 1 == 0)
            case .end(.received):
                return try must(
                    heard.digest == digest && heard.offset == upload.length,
                    "a receipt is the digest of all bytes")
            case .end(.weaklyReceived): throw Broken(description: "a paired host is never weakly believed")
            case .end(.parked), .end(.mistrusted): return
            }
        }
    }

    /// One answer by the way that libcurl hands it over: line by line.
    private static func response(_ input: inout FuzzInput) -> TusSession.Response {
        let context = TransferContext(HTTPRequest(.head, HostPath.uploads))
        let status = input.byte() << 8 | input.byte()
        for line in input.field().split(separator: 10, omittingEmptySubsequences: false) {
            context.takeHeader(String(decoding: line, as: UTF8.self) + "\n")
        }
        return TusSession.Response(context.finish(status: status))
    }
}
