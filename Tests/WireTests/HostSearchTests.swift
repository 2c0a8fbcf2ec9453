import TestSupport
import Testing

@testable import Wire

/// What a host's responder may say. Names are written in full; `at` points to the service's name after the head.
struct DNSWriter {
    private(set) var bytes: [UInt8]
    private var records: UInt16 = 0

    init(id: UInt16, flags: UInt16 = 0x8400) {
        bytes = []
        for field in [id, flags, 0, 0, 0, 0] { number(field) }
    }

    private mutating func number(_ value: UInt16) { bytes += [UInt8(value >> 8), UInt8(value & 255)] }

    static func name(_ labels: [String]) -> [UInt8] {
        labels.flatMap { label -> [UInt8] in [UInt8(label.utf8.count)] + Array(label.utf8) } + [0]
    }

    mutating func record(_ name: [UInt8], _ type: UInt16, _ data: [UInt8]) {
        records += 1
        bytes[6] = UInt8(records >> 8)
        bytes[7] = UInt8(records & 255)
        bytes += name
        number(type)
        number(1)
        bytes += [0, 0, 0, 10]
        number(UInt16(data.count))
        bytes += data
    }

    mutating func service(_ instance: String, port: UInt16, target: [String], pin: String? = nil) {
        let name = Self.name([instance, "_lapel", "_tcp", "local"])
        record(Self.name(["_lapel", "_tcp", "local"]), 12, name)
        let place: [UInt8] = [0, 0, 0, 0, UInt8(port >> 8), UInt8(port & 255)]
        record(name, 33, place + Self.name(target))
        if let pin {
            let field = Array("pin=\(pin)".utf8)
            record(name, 16, [UInt8(field.count)] + field)
        }
    }
}

struct HostSearchTests {
    private let pin = [UInt8](repeating: 0xAB, count: 32)
    private let ours = String(repeating: "ab", count: 8)
    private var search: HostSearch { HostSearch(id: 77, pin: pin) }

    private func places(_ writer: DNSWriter) -> [String] {
        search.places(in: writer.bytes).map(\.description)
    }

    @Test func theQuestionIsAPointerQuestionForTheService() {
        var wanted: [UInt8] = [0, 77, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]
        wanted += DNSWriter.name(["_lapel", "_tcp", "local"])
        wanted += [0, 12, 0, 1]
        #expect(search.query == wanted)
    }

    @Test func namesThatMulticastKnowsAreAskedForBesides() {
        let places = ["desk.local:8443", "192.168.1.2:8443", "Desk.LOCAL:9"].compactMap { HostAddress($0) }
        let search = HostSearch(id: 1, pin: pin, places: places)
        #expect(search.query[5] == 3)
        var answer = DNSWriter(id: 1)
        answer.record(DNSWriter.name(["desk", "local"]), 1, [10, 0, 0, 4])
        #expect(search.places(in: answer.bytes).map(\.description) == ["10.0.0.4:8443", "10.0.0.4:9"])
    }

    @Test func aHostIsWhereItsServiceAndItsAddressesSay() {
        var answer = DNSWriter(id: 77)
        answer.service("Lapel desk", port: 9_000, target: ["desk", "local"], pin: ours)
        answer.record(DNSWriter.name(["Desk", "local"]), 28, [0xFD] + [UInt8](repeating: 0, count: 14) + [1])
        answer.record(DNSWriter.name(["desk", "local"]), 1, [192, 168, 1, 7])
        #expect(places(answer) == ["192.168.1.7:9000", "[fd00:0:0:0:0:0:0:1]:9000"])
    }

    @Test func aServiceWithoutAnAddressIsTriedByItsName() {
        var answer = DNSWriter(id: 77)
        answer.service("Lapel desk", port: 8_443, target: ["desk", "local"])
        #expect(places(answer) == ["desk.local:8443"])
    }

    @Test func anotherHostsServiceIsNoPlaceToTry() {
        var answer = DNSWriter(id: 77)
        answer.service(
            "Lapel one", port: 1, target: ["one", "local"], pin: String(repeating: "0", count: 16))
        answer.service("Lapel two", port: 2, target: ["two", "local"], pin: ours)
        #expect(places(answer) == ["two.local:2"])
    }

    @Test func addressesOfTheLinkAloneAreLeftOut() {
        var answer = DNSWriter(id: 77)
        answer.service("Lapel desk", port: 1, target: ["desk", "local"])
        answer.record(
            DNSWriter.name(["desk", "local"]), 28, [0xFE, 0x80] + [UInt8](repeating: 1, count: 14))
        answer.record(DNSWriter.name(["desk", "local"]), 1, [10, 0, 0, 1])
        #expect(places(answer) == ["10.0.0.1:1"])
    }

    @Test func anAnswerToAnotherQuestionIsNotHeard() {
        var answer = DNSWriter(id: 78)
        answer.service("Lapel desk", port: 1, target: ["desk", "local"])
        var question = DNSWriter(id: 77, flags: 0)
        question.service("Lapel desk", port: 1, target: ["desk", "local"])
        var other = DNSWriter(id: 77)
        other.record(DNSWriter.name(["x", "_http", "_tcp", "local"]), 33, [0, 0, 0, 0, 0, 80, 0])
        #expect(places(answer).isEmpty && places(question).isEmpty && places(other).isEmpty)
    }

    @Test func aCompressedNameIsFollowedBackAndALoopIsNot() {
        var answer = DNSWriter(id: 77)
        answer.service("Lapel desk", port: 9, target: ["desk", "local"])
        // The first record's name stands at 12; its last label, "local", at 12 + 7 + 5.
        answer.record([4] + Array("desk".utf8) + [0xC0, 24], 1, [10, 1, 1, 1])
        #expect(places(answer) == ["10.1.1.1:9"])
        for target in [UInt8](0...60) {
            var looping = DNSWriter(id: 77)
            looping.record([1, 97, 0xC0, target], 1, [1, 2, 3, 4])
            _ = search.places(in: looping.bytes)
        }
    }

    @Test func aFloodOfServicesIsCutOff() {
        var answer = DNSWriter(id: 77)
        for port in 1...20 { answer.service("h\(port)", port: UInt16(port), target: ["h", "local"]) }
        #expect(places(answer).count == HostSearch.mostPlaces)
        for port in 21...40 { answer.service("h\(port)", port: UInt16(port), target: ["h", "local"]) }
        #expect(places(answer).isEmpty)
    }

    @Test func nothingFromTheNetworkStopsTheDevice() {
        var answer = DNSWriter(id: 77)
        answer.service("Lapel desk", port: 9_000, target: ["desk", "local"], pin: ours)
        answer.record(DNSWriter.name(["desk", "local"]), 1, [192, 168, 1, 7])
        let good = answer.bytes
        for length in 0...good.count { _ = search.places(in: Array(good.prefix(length))) }
        var random = SeededGenerator(seed: 8)
        for _ in 0..<50_000 {
            var damaged = good
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                damaged[Int.random(in: 0..<damaged.count, using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            }
            #expect(search.places(in: damaged).count <= HostSearch.mostPlaces)
        }
    }
}
