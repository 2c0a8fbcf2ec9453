import Foundation
import Host
import Inbox
import Terminal
import TestSupport
import Testing

@Suite struct SettingsTests {
    let folder = TemporaryFolder()

    private func read(_ text: String) throws -> HostSettings {
        try HostSettings(file: folder.write("host.conf", Array(text.utf8)))
    }

    @Test func anEmptyFileHasTheDefaults() throws {
        let settings = try read("# nothing\n")
        #expect(settings == HostSettings())
        #expect(settings.listen.description == "0.0.0.0:8443")
        #expect(settings.inbox.keepHalfUploads == .seconds(259_200))
    }

    @Test func everyKeyIsRead() throws {
        let settings = try read(
            "listen = [::]:9000\ndir = /srv/lapel\nquota_per_device = 20G\nkeep_half_uploads = 12 h\near = x\n"
                .replacingOccurrences(of: "ear = x\n", with: "ears = auto\nstore = sqlite\n"))
        #expect(settings.listen.description == "[::]:9000")
        #expect(settings.folder == "/srv/lapel")
        #expect(settings.inbox.quotaPerDevice == 20 << 30)
        #expect(settings.inbox.keepHalfUploads == .seconds(43_200))
    }

    @Test(arguments: [
        ("listen = here", "line 1: `listen` wants"), ("\ndir = relative", "line 2: `dir` wants a whole path"),
        ("quota_per_device = much", "`quota_per_device` wants bytes"),
        ("keep_half_uploads = 3", "`keep_half_uploads` wants a time"),
        ("keep_half_uploads = -1 d", "`keep_half_uploads` wants a time"),
        ("colour = red", "`colour` is no setting"),
        ("store = postgresql://x", "`store` can only be sqlite in this version"),
        ("mqtt = host", "`mqtt` can only be none"),
    ])
    func whatCannotBeIsSaidWithItsLine(text: String, part: String) {
        let error = errorThrown(CommandError.self) { try read(text) }
        #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
    }
}
