import GPIOPanel
import Hardware
import TestSupport
import Testing

@Suite("How a line is named")
struct LineNameTests {
    @Test(arguments: [
        ("GPIO17", LineAddress.name("GPIO17")),
        ("pinctrl-bcm2711:17", .offset(chip: "pinctrl-bcm2711", offset: 17)),
        ("a:b:3", .offset(chip: "a:b", offset: 3)),
        ("PIN:B", .name("PIN:B")),
        (":3", .name(":3")),
        ("chip:-3", .name("chip:-3")),
    ])
    func aNumberBehindAColonIsAnOffset(text: String, address: LineAddress) {
        #expect(LineAddress(text) == address)
    }

    @Test(arguments: [
        ("", "", 0), ("ab", "", 2), ("abc", "axc", 1), ("ab", "abc", 1), ("GPIO71", "GPIO17", 1),
        ("ba", "abc", 2),
    ])
    func aDistanceCountsWhatATypistDoesWrong(a: String, b: String, distance: Int) {
        #expect([Spelling.distance(a, b), Spelling.distance(b, a)] == [distance, distance])
    }

    @Test func theNearestSpellingsComeFirst() {
        let names = ["ID_SDA", "GPIO2", "GPIO17", "GPIO27"]
        #expect(Spelling.nearest(to: "gpio_17", among: names) == ["GPIO17", "GPIO27", "GPIO2"])
    }

    @Test func aMissingLineIsToldWithTheNearestAndAllThatExist() {
        let error = GPIOError.missingLine(
            "GPIO71",
            existing: ["GPIO17", "GPIO7", "GPIO2"].map { NamedLine(chip: "board", name: $0) })
        #expect(
            error.description
                == "There is no GPIO line named GPIO71. Nearest: GPIO17, GPIO7, GPIO2. board has GPIO17, GPIO7, GPIO2."
        )
    }

    @Test func linesWithoutNamesAreSentToTheirOffsets() {
        #expect(GPIOError.missingLine("GPIO1", existing: []).description.contains("LABEL:OFFSET"))
    }

    @Test func aMachineWithoutChipsSaysSo() {
        let folder = TemporaryFolder()
        let error = errorThrown(GPIOError.self) {
            try GPIOButton(.name("GPIO17"), bias: .pullUp, activeLow: true, folder: folder.path)
        }
        #expect(error == .noChip)
        #expect(error?.description.contains("--simulate") == true)
    }
}
