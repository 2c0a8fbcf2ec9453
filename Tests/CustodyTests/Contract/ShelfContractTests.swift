import Catalogue
import TestSupport
import Testing

/// What every shelf keeps.
@Suite struct ShelfContractTests {
    typealias Kind = ContractWorld.Kind
    let name = ShelfName(sha256: String(repeating: "ab", count: 32), ext: "opus")

    private func bytes(_ shelf: any Shelf) throws -> [UInt8] {
        let object = try shelf.open(name)
        var bytes = [UInt8](repeating: 0, count: object.size + 1)
        let count = try bytes.withUnsafeMutableBytes { try object.read(into: $0, at: 0) }
        return Array(bytes[..<count])
    }

    @Test(arguments: Kind.allCases, 1...5)
    func whatWasPutIsThereWholeAfterAPowerCut(kind: Kind, seed: UInt64) throws {
        let world = try ContractWorld(kind)
        // Once more is the same object.
        for _ in 0..<2 { try world.shelf.put(try world.file([1, 2, 3]), as: name) }
        try world.shelf.settle(name)
        try world.cutPower(seed: seed)
        #expect(try bytes(world.shelf) == [1, 2, 3])
        #expect(try world.shelf.size(of: name) == 3)
        #expect(try world.shelf.places() == [world.shelf.place(of: name)])
    }

    @Test(arguments: Kind.allCases, 1...5)
    func whatWasRemovedIsGoneAfterAPowerCut(kind: Kind, seed: UInt64) throws {
        let world = try ContractWorld(kind)
        try world.shelf.remove(name)
        try world.shelf.put(try world.file([1]), as: name)
        for _ in 0..<2 { try world.shelf.remove(name) }
        try world.cutPower(seed: seed)
        #expect(try world.shelf.size(of: name) == nil)
        #expect(throws: StoreError.self) { try world.shelf.open(name) }
        #expect(throws: StoreError.self) { try world.shelf.settle(name) }
    }

    @Test(arguments: Kind.allCases)
    func readingBeyondTheEndGivesNothing(kind: Kind) throws {
        let world = try ContractWorld(kind)
        try world.shelf.put(try world.file([1, 2, 3]), as: name)
        let object = try world.shelf.open(name)
        var buffer = [UInt8](repeating: 9, count: 2)
        let counts = try [0, 2, 3, 9].map { offset in
            try buffer.withUnsafeMutableBytes { try object.read(into: $0, at: offset) }
        }
        #expect(counts == [2, 1, 0, 0])
    }
}
