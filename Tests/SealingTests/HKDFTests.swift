import Testing

@testable import Sealing

@Suite struct HKDFTests {
    /// RFC 5869, appendix A: the cases of SHA-256.
    struct Case: Sendable {
        let secret, salt, info: [UInt8]
        let derived: String
    }

    @Test(arguments: [
        Case(
            secret: [UInt8](repeating: 0x0b, count: 22), salt: Array(0x00...0x0c), info: Array(0xf0...0xf9),
            derived: "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"),
        Case(
            secret: Array(0x00...0x4f), salt: Array(0x60...0xaf), info: Array(0xb0...0xff),
            derived: "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c"
                + "59045a99cac7827271cb41c65e590e09da3275600c2f09b8367793a9aca3db71"
                + "cc30c58179ec3e87c14c01d5c1f3434f1d87"),
        Case(
            secret: [UInt8](repeating: 0x0b, count: 22), salt: [], info: [],
            derived: "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"),
    ]) func derivesAsTheStandardSays(example: Case) {
        let derived = HKDF.derive(
            Secret(copying: example.secret), salt: example.salt, info: example.info,
            count: example.derived.count / 2)
        #expect(derived.read { hexText(Array($0)) } == example.derived)
    }
}
