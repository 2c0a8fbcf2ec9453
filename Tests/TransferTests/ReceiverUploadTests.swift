import Catalogue
import DurableFiles
import Foundation
import Inbox
import Receiver
import SQLiteStore
import Sealing
import TestSupport
import Testing
import Wire

@Suite struct ReceiverUploadTests {
    @Test func aCreationWithAllItsBytesGetsTheReceipt() throws {
        let world = try ReceiverWorld()
        let part = Part.audio(1, count: 50_000)
        let answer = try world.client().create(part, body: part.bytes)
        #expect(answer.status == 201)
        #expect(answer.headers["repr-digest"] == part.receipt)
        #expect(answer.headers["upload-offset"] == "50000")
        #expect(answer.headers["location"] == part.path)
        #expect(answer.headers["tus-resumable"] == "1.0.0")
    }

    @Test func aCreationWithoutBytesGetsALocationAndNoReceipt() throws {
        let world = try ReceiverWorld()
        let answer = try world.client().create(Part.audio(1))
        #expect(answer.status == 201)
        #expect(answer.headers["upload-offset"] == "0")
        #expect(answer.headers["repr-digest"] == nil)
        #expect(answer.headers["upload-expires"]?.hasSuffix(" GMT") == true)
    }

    @Test func theLastByteIsAnsweredWithTheReceiptAndNoEarlierOne() throws {
        let world = try ReceiverWorld()
        let part = Part.audio(1)
        let client = try world.client()
        _ = try client.create(part)
        let first = try client.patch(part, from: 0, Array(part.bytes[..<999]))
        #expect(first.status == 204)
        #expect(first.headers["upload-offset"] == "999")
        #expect(first.headers["repr-digest"] == nil)
        let last = try client.patch(part, from: 999, [part.bytes[999]])
        #expect(last.status == 204)
        #expect(last.headers["upload-offset"] == "1000")
        #expect(last.headers["repr-digest"] == part.receipt)
    }

    @Test func aLostReceiptIsGivenAgain() throws {
        let world = try ReceiverWorld()
        let part = Part.audio(1)
        let client = try world.client()
        _ = try client.create(part, body: part.bytes)
        let head = try client.head(part)
        #expect(head.status == 200)
        #expect(head.headers["repr-digest"] == part.receipt)
        #expect(head.headers["cache-control"] == "no-store")
        #expect(try client.create(part, body: part.bytes).headers["repr-digest"] == part.receipt)
        #expect(try client.patch(part, from: 1000, []).headers["repr-digest"] == part.receipt)
    }

    /// The connection ends after so many bytes of the body; the device asks and goes on.
    @Test(arguments: [0, 1, 499, 998, 999])
    func anUploadGoesOnWhereItsConnectionEnded(cut: Int) throws {
        let world = try ReceiverWorld()
        let part = Part.audio(1)
        do {
            let client = try world.client()
            try client.begin(
                "POST", "/v1/up", part.creation.merging(ReceiverClient.bytesType) { $1 }, length: 1000)
            try client.send(Array(part.bytes[..<cut]))
        }
        let client = try world.client()
        // The first request may not have been looked at yet: then the upload is created here.
        var head = try client.head(part)
        if head.status == 404 { head = try client.create(part) }
        let offset = try #require(head.headers["upload-offset"].flatMap { Int($0) })
        #expect(offset <= cut)
        #expect(
            try client.patch(part, from: offset, Array(part.bytes[offset...])).headers["repr-digest"]
                == part.receipt)
        #expect(try world.inbox.check().problems == [])
    }

    @Test func anUploadGoesOnAfterTheHostsRestart() throws {
        let folder = TemporaryFolder()
        let part = Part.audio(1)
        do {
            let world = try ReceiverWorld(folder: folder)
            let client = try world.client()
            _ = try client.create(part)
            _ = try client.patch(part, from: 0, Array(part.bytes[..<400]))
            world.server.stop()
        }
        let world = try ReceiverWorld(folder: folder)
        let client = try world.client()
        #expect(try client.head(part).headers["upload-offset"] == "400")
        #expect(
            try client.patch(part, from: 400, Array(part.bytes[400...])).headers["repr-digest"]
                == part.receipt)
    }

    @Test func allBytesWithoutTheLastStepsAreFinishedByTheNextQuestion() throws {
        let world = try ReceiverWorld()
        let part = Part.audio(1, device: ReceiverWorld.wrist.pinHex)
        let (upload, _) = try world.inbox.create(part.new)
        try world.inbox.writer(upload.id, from: 0).write(part.bytes)
        #expect(try world.client().head(part).headers["repr-digest"] == part.receipt)
    }

    @Test func aStaleWriterWritesNothingMore() throws {
        let world = try ReceiverWorld()
        let part = Part.audio(1)
        let stale = try world.client()
        _ = try stale.create(part)
        try stale.begin(
            "PATCH", part.path, ReceiverClient.bytesType.merging(["Upload-Offset": "0"]) { $1 }, length: 1000)
        try stale.send(Array(part.bytes[..<300]))
        let client = try world.client()
        let offset = try #require(try client.head(part).headers["upload-offset"].flatMap { Int($0) })
        let answer = try client.patch(part, from: offset, Array(part.bytes[offset...]))
        #expect(answer.headers["repr-digest"] == part.receipt)
        try? stale.send([UInt8](repeating: 0xEE, count: 700))
        // Closed, or answered without a receipt: nothing that it sent changed the stored file.
        let late = try? stale.response()
        #expect(late?.headers["repr-digest"] == nil)
        #expect(try world.inbox.check().problems == [])
    }

    @Test func aWrongHashIs460AndTheUploadBeginsAgain() throws {
        let world = try ReceiverWorld()
        let part = Part.audio(1)
        let client = try world.client()
        var bad = part.bytes
        bad[3] ^= 1
        #expect(try client.create(part, body: bad).status == 460)
        #expect(try client.head(part).headers["upload-offset"] == "0")
        #expect(try client.patch(part, from: 0, part.bytes).headers["repr-digest"] == part.receipt)
    }

    @Test(arguments: ["sync", "rename", "syncFolder"])
    func aFailingDiskGivesNoReceipt(step: String) throws {
        let watched = Watched { call, _ in
            call.operation.rawValue == step
                && (call.to ?? call.path).contains(step == "sync" ? "/incoming/" : "/audio/")
                ? EIO : nil
        }
        let world = try ReceiverWorld(calls: watched.calls)
        let part = Part.audio(1)
        let client = try world.client()
        let answer = try client.create(part, body: part.bytes)
        #expect(answer.status == 500)
        #expect(answer.headers["repr-digest"] == nil)
        #expect(try client.head(part).headers["repr-digest"] == nil)
    }

    @Test func aFailedCommitGivesNoReceipt() throws {
        let world = try ReceiverWorld(beforeCommit: { () throws(StoreError) in
            throw StoreError(operation: "commit", path: "lapel.db", code: 10, reason: "disk I/O error")
        })
        let part = Part.audio(1)
        let client = try world.client()
        let answer = try client.create(part, body: part.bytes)
        #expect(answer.status == 500)
        #expect(answer.headers["repr-digest"] == nil)
        #expect(try client.head(part).headers["repr-digest"] == nil)
        #expect(try world.inbox.utterances() == [])
    }

    @Test func aFullDiskIs507() throws {
        let watched = Watched { call, _ in call.operation == .reserve ? ENOSPC : nil }
        let world = try ReceiverWorld(calls: watched.calls)
        let answer = try world.client().create(Part.audio(1))
        #expect(answer.status == 507)
        #expect(answer.headers["retry-after"] != nil)
    }

    @Test func aRunningFinishIs423AndHoldsUpNoOther() throws {
        let gate = DispatchSemaphore(value: 0)
        let reached = DispatchSemaphore(value: 0)
        let slow = Part.audio(1)
        let world = try ReceiverWorld(beforeCommit: { () in
            reached.signal()
            gate.wait()
        })
        let first = try world.client()
        try first.begin(
            "POST", "/v1/up", slow.creation.merging(ReceiverClient.bytesType) { $1 }, length: 1000)
        try first.send(slow.bytes)
        reached.wait()
        // Another request for the same upload is told to wait, another device's goes its way.
        let asking = try world.client().head(slow)
        #expect(asking.status == 423)
        #expect(asking.headers["retry-after"] == "1")
        #expect(try world.client(ReceiverWorld.lapel).create(Part.audio(2)).status == 201)
        gate.signal()
        #expect(try first.response().headers["repr-digest"] == slow.receipt)
    }

    @Test func twoDevicesSendAtOnce() async throws {
        let world = try ReceiverWorld()
        try await withThrowingTaskGroup(of: Int.self) { group in
            for seed: UInt64 in 1...20 {
                group.addTask {
                    let client = try world.client(seed % 2 == 0 ? ReceiverWorld.wrist : ReceiverWorld.lapel)
                    let audio = Part.audio(seed, count: 20_000)
                    let manifest = Part.manifest(seed, audio: audio)
                    _ = try client.create(manifest, body: manifest.bytes)
                    return try client.create(audio, body: audio.bytes).status
                }
            }
            for try await status in group { #expect(status == 201) }
        }
        #expect(try world.inbox.utterances().filter(\.isWhole).count == 20)
        #expect(try world.inbox.check().problems == [])
    }

    @Test func theLogHearsTheRingAndTheWhole() throws {
        let world = try ReceiverWorld()
        let client = try world.client()
        let audio = Part.audio(1)
        let manifest = Part.manifest(1, audio: audio)
        _ = try client.create(manifest, body: manifest.bytes)
        _ = try client.create(audio, body: audio.bytes)
        let pin = ReceiverWorld.wrist.pinHex
        #expect(
            world.events == [
                .rang(utterance: Part.id(1), seq: 1, pin: pin),
                .stored(
                    utterance: Part.id(1), kind: "manifest", bytes: manifest.bytes.count,
                    sha256: manifest.new.sha256,
                    pin: pin, whole: false),
                .stored(
                    utterance: Part.id(1), kind: "audio", bytes: 1000, sha256: audio.new.sha256, pin: pin,
                    whole: true),
            ])
    }

    @Test func aDevicesClocksAreKept() throws {
        let world = try ReceiverWorld()
        let client = try world.client()
        let part = Part.audio(1)
        let headers = part.creation.merging(["Lapel-Clock": "boot-1, 7000, 6000"]) { $1 }
        _ = try client.request("POST", "/v1/up", headers)
        let again = try client.create(Part.audio(2))
        #expect(again.status == 201)
        #expect(
            try world.inbox.time(ofBoot: 7000, bootID: "boot-1", device: ReceiverWorld.wrist.pinHex) != nil)
    }
}

extension String {
    /// 64 hexadecimal digits.
    var sha256: String { SHA256.digest(of: Array(utf8)).hex }
}
