import Testing
import Wire

struct ForeignServerTests {
    @Test(arguments: [
        ("https://box.example/files", "https://box.example:443/files"),
        ("http://box.example", "http://box.example:80/"),
        ("HTTP://10.0.0.7:1080/files/?a=b", "http://10.0.0.7:1080/files/?a=b"),
        ("https://[fd00::1]/up", "https://[fd00::1]:443/up"),
        ("https://[fd00::1]:8/up", "https://[fd00::1]:8/up"), ("https://x?a=b", "https://x:443/?a=b"),
    ])
    func aURLIsReadAsPlaceAndPath(text: String, whole: String) {
        #expect(ForeignServer(text)?.description == whole)
        #expect(ForeignServer(whole)?.description == whole)
    }

    @Test(arguments: [
        "", "box.example/files", "ftp://box.example", "https://", "https:///files", "https://a b/",
        "https://user@box/files", "https://user:secret@box/files", "https://box/files#part", "https://box:0/",
        "https://box:99999/", "https://b\u{F6}x/", "https://box/\r\nX: y", "lapel://pair?h=a",
        "https://box/" + String(repeating: "a", count: 2_000),
    ])
    func whatIsNoURLOfAServerIsRefused(text: String) { #expect(ForeignServer(text) == nil) }
}
