import Testing

@testable import Sealing

@Suite struct VectorTests {
    @Test func theVectorsAreThere() {
        #expect(Vector.all.count == 143)
        #expect(Vector.native.count == 69 && Vector.others.count == 74)
    }

    @Test(arguments: Vector.native)
    func aVectorOfANativeKeyEndsAsItSays(vector: Vector) {
        let (plain, error) = vector.opened(with: vector.identities)
        #expect((error?.word ?? "success") == vector.expect, "\(error?.description ?? "opened")")
        if let payload = vector.payload {
            #expect(SHA256.digest(of: plain).hex == payload)
        } else {
            #expect(plain.isEmpty)
        }
    }

    @Test(arguments: Vector.small)
    func theSizeOfThePiecesDoesNotMatter(vector: Vector) {
        let whole = vector.opened(with: vector.identities, piece: 1 << 20)
        let single = vector.opened(with: vector.identities, piece: 1)
        #expect(single.plain == whole.plain)
        #expect(single.error == whole.error)
    }

    /// Armour, passphrases and post-quantum keys: with the native keys that the vector gives, and with a stranger's.
    @Test(arguments: Vector.others)
    func aVectorOfAnotherKindIsRefused(vector: Vector) {
        for identities in [vector.identities, [AgeIdentity.generate()]] {
            let (plain, error) = vector.opened(with: identities)
            #expect(plain.isEmpty)
            let words =
                vector.values("armored").isEmpty ? ["no match", "header failure"] : ["header failure"]
            #expect(error.map { words.contains($0.word) } == true)
            if vector.name.hasPrefix("armor"), !vector.file.isEmpty { #expect(error == .notAge) }
        }
    }

    @Test(arguments: Vector.postQuantumKeys)
    func aPostQuantumKeyIsNoKeyOfOurs(text: String) { #expect(AgeIdentity(text) == nil) }

    @Test func theFileKeyIsTheVectors() throws {
        let vector = try #require(Vector.all.first { $0.name == "x25519" })
        let header = try #require(try AgeHeader.parse(vector.file))
        let key = try AgeFileKey.open(header, with: vector.identities)
        #expect(key.secret.read { hexText(Array($0)) } == vector.values("file key").first)
    }
}
