import TestSupport
import Testing

@testable import DeviceSettings

@Suite("The shipped lapel.conf")
struct SettingsTemplateTests {
    private func settings(of text: String) throws -> SettingsInForce {
        let folder = TemporaryFolder()
        return try SettingsInForce(file: folder.write("lapel.conf", Array(text.utf8)))
    }

    @Test func itNamesEveryKeyOnceAndNoOther() {
        let named = SettingsTemplate.text.split(separator: "\n").compactMap { line in
            line.hasPrefix("#") && !line.hasPrefix("# ") ? line.dropFirst().split(separator: " ").first : nil
        }
        #expect(named.map(String.init) == SettingKey.all.map(\.name))
    }

    @Test func asItIsItChangesNothing() throws {
        let inForce = try settings(of: SettingsTemplate.text)
        #expect(inForce.settings == DeviceSettings())
        #expect(inForce.origins.isEmpty)
    }

    /// Whoever takes the `#` away before a key gets the default that stands there.
    @Test func everyDefaultIsAValueOfItsKey() throws {
        let text = SettingsTemplate.text.split(separator: "\n", omittingEmptySubsequences: false).map {
            line in
            line.hasPrefix("#") && !line.hasPrefix("# ") ? line.dropFirst() : line
        }
        var expected = DeviceSettings()
        expected.outboxDirectory = "/var/lib/lapel"
        expected.deviceName = "the machine's own name"
        let inForce = try settings(of: text.joined(separator: "\n"))
        #expect(inForce.settings == expected)
    }
}
