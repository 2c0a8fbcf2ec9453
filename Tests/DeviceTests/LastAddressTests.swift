import TestSupport
import Testing
import Wire

@testable import Device

struct LastAddressTests {
    private let folder = TemporaryFolder()
    private let pin = [UInt8](repeating: 0xAB, count: 32)

    @Test func whatWasKeptIsThereAtTheNextStart() throws {
        let address = try #require(HostAddress("[fd00::1]:9000"))
        let last = LastAddress(pin: pin, address: address)
        #expect(LastAddress.load(folder.file("last")) == nil)
        try last.save(to: folder.file("last"))
        #expect(LastAddress.load(folder.file("last")) == last)
        let next = LastAddress(pin: pin, address: try #require(HostAddress("10.0.0.1")))
        try next.save(to: folder.file("last"))
        #expect(LastAddress.load(folder.file("last")) == next)
    }

    /// It is found anew: a hint is not worth a sentence.
    @Test(arguments: [
        "", "{", "[]", "{\"pin\":\"ab\",\"address\":\"10.0.0.1:1\"}", "{\"address\":\"10.0.0.1:1\"}",
        "{\"pin\":\"abababababababababababababababababababababababababababababababab\",\"address\":\"a b\"}",
    ])
    func aDamagedFileIsNone(text: String) throws {
        try folder.write("last", Array(text.utf8))
        #expect(LastAddress.load(folder.file("last")) == nil)
    }
}
