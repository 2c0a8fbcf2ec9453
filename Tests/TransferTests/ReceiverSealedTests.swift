import DurableFiles
import Foundation
import Identity
import Inbox
import Receiver
import Sealing
import TestSupport
import Testing
import Wire

/// What devices that seal see of a host.
@Suite struct ReceiverSealedTests {
    let plain = Part.noise(7, count: 70_000)

    private func host() throws -> (ReceiverWorld, AgeRecipient) {
        let world = try ReceiverWorld()
        return (world, try world.inbox.keys.makeOwn().identity.recipient)
    }

    private func pair(_ client: ReceiverClient, _ request: PairRequest) throws -> ReceiverClient.Response {
        try client.request("POST", "/v1/pair", body: request.json.bytes)
    }

    @Test func pairingTakesKeysOverAndNamesWhatTheHostOpens() throws {
        let (world, own) = try host()
        let key = AgeIdentity.generate()
        let token = try world.inbox.makeToken(life: .seconds(60))
        let request = PairRequest(token: token, deviceName: "new", keys: [key.text])
        let answer = try pair(world.client(ReceiverWorld.stranger), request)
        #expect(answer.status == 200)
        let body = try PairAnswer(json: JSON(parsing: Array(answer.body.utf8)))
        #expect(body.recipients == [own.description, key.recipient.description])
        // What it sealed while nobody knew it is taken now.
        let audio = Part.sealedAudio(1, plain, to: [key.recipient])
        #expect(
            try world.client(ReceiverWorld.stranger).create(audio, body: audio.bytes).headers["repr-digest"]
                == audio.receipt)
    }

    @Test func aHostWithoutAKeyMakesOneForItsFirstDevice() throws {
        let world = try ReceiverWorld()
        let token = try world.inbox.makeToken(life: .seconds(60))
        let answer = try pair(
            world.client(ReceiverWorld.stranger), PairRequest(token: token, deviceName: "new"))
        let body = try PairAnswer(json: JSON(parsing: Array(answer.body.utf8)))
        let own = try world.inbox.keys.makeOwn().recipient
        #expect(body.recipients == [own])
    }

    @Test func aBadKeyIs400AndStandsInNoLogAndTheTokenIsStillGood() throws {
        let (world, _) = try host()
        let token = try world.inbox.makeToken(life: .seconds(60))
        let bad = String(AgeIdentity.generate().text.dropLast())
        let client = try world.client(ReceiverWorld.stranger)
        let answer = try pair(client, PairRequest(token: token, deviceName: "new", keys: [bad]))
        #expect(answer.status == 400)
        #expect(!answer.body.contains(bad))
        #expect(world.events.allSatisfy { !"\($0)".contains(bad) })
        #expect(try pair(client, PairRequest(token: token, deviceName: "new")).status == 200)
    }

    @Test func aSealedUtteranceGetsItsReceipts() throws {
        let (world, key) = try host()
        let audio = Part.sealedAudio(1, plain, to: [key])
        let client = try world.client()
        for part in [Part.sealedManifest(1, audio: audio, to: [key]), audio] {
            #expect(try client.create(part, body: part.bytes).headers["repr-digest"] == part.receipt)
        }
        #expect(try world.inbox.utterances().map(\.isWhole) == [true])
    }

    @Test func anotherKeyIs422WithoutAReceiptAndTheUploadIsGone() throws {
        let (world, _) = try host()
        let other = AgeIdentity.generate().recipient
        let audio = Part.sealedAudio(1, plain, to: [other])
        let client = try world.client()
        let answer = try client.create(audio, body: audio.bytes)
        #expect(answer.status == 422)
        #expect(answer.headers["repr-digest"] == nil)
        #expect(answer.body.contains(other.description))
        #expect(try client.head(audio).status == 404)
        // With its last byte in a PATCH it is the same.
        _ = try client.create(audio)
        #expect(try client.patch(audio, from: 0, audio.bytes).status == 422)
    }

    @Test func damagedAudioIs422WhenItsManifestIsHereAnd423Before() throws {
        let (world, key) = try host()
        var bytes = Part.sealedAudio(1, plain, to: [key]).bytes
        bytes[bytes.count - 1] ^= 1
        let audio = Part(Part.id(1), .audio, bytes, seq: 1, ext: "opus.age", device: Part.wrist)
        let client = try world.client()
        let early = try client.create(audio, body: bytes)
        #expect(early.status == 423)
        #expect(early.headers["retry-after"] != nil)
        let manifest = Part.sealedManifest(1, audio: audio, to: [key])
        #expect(try client.create(manifest, body: manifest.bytes).status == 201)
        #expect(try client.head(audio).status == 422)
        #expect(try client.head(audio).status == 404)
    }

    @Test func theTailsReceiptComesAfterTheRecordingIsPutTogether() throws {
        let failing = Failing()
        let world = try ReceiverWorld(
            calls: FileCalls {
                failing.isOn && $0.operation == .rename && $0.path.hasSuffix(".whole") ? .fail(EIO) : nil
            })
        let key = try world.inbox.keys.makeOwn().identity.recipient
        let cut = CutRecording(1, plain, to: [key])
        let client = try world.client()
        for part in [cut.manifest, cut.audio] {
            #expect(try client.create(part, body: part.bytes).headers["repr-digest"] == part.receipt)
        }
        failing.turn(on: true)
        let refused = try client.create(cut.tail, body: cut.tail.bytes)
        #expect(refused.status == 500)
        #expect(refused.headers["repr-digest"] == nil)
        #expect(try client.head(cut.tail).headers["repr-digest"] == nil)
        failing.turn(on: false)
        #expect(try client.head(cut.tail).headers["repr-digest"] == cut.tail.receipt)
        #expect(try world.inbox.plainAudio(Part.id(1)) == plain)
    }

    @Test func aDamagedKeyOfTheHostIs500AndNeverParksARecording() throws {
        let (world, key) = try host()
        try world.folder.write("keys/host.key", Array("x".utf8))
        let audio = Part.sealedAudio(1, plain, to: [key])
        let answer = try world.client().create(audio, body: audio.bytes)
        #expect(answer.status == 500)
        #expect(answer.headers["retry-after"] != nil)
    }

    @Test func anUnsignedCreationOfASigningDeviceIs422() throws {
        let (world, _) = try host()
        let signing = SigningKey.generate()
        try world.inbox.addDevice(
            pin: ReceiverWorld.wrist.pinHex, name: "wrist", signingKey: signing.publicKeyHex)
        let part = Part.audio(1)
        let client = try world.client()
        #expect(try client.create(part, body: part.bytes).status == 422)
        #expect(try client.head(part).status == 404)
        let signed = part.signed(by: signing)
        #expect(try client.create(signed, body: part.bytes).headers["repr-digest"] == part.receipt)
    }

    @Test func aForgottenUtteranceIsAnsweredWithItsReceipt() throws {
        let (world, _) = try host()
        let audio = Part.audio(1)
        let manifest = Part.manifest(1, audio: audio)
        let client = try world.client()
        _ = try client.create(manifest, body: manifest.bytes)
        _ = try client.create(audio, body: audio.bytes)
        #expect(try world.inbox.forget(utterance: Part.id(1)))
        for part in [manifest, audio] {
            #expect(try client.head(part).headers["repr-digest"] == part.receipt)
            #expect(try client.create(part, body: part.bytes).headers["repr-digest"] == part.receipt)
            #expect(try client.patch(part, from: part.bytes.count, []).headers["repr-digest"] == part.receipt)
            #expect(try client.request("DELETE", part.path).status == 403)
        }
        #expect(try world.inbox.utterances() == [])
        #expect(try world.inbox.check().checked == 0)
    }
}
