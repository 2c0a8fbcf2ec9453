import Foundation
import TestSupport
import Testing

/// The C that hides libgpiod's two APIs, compiled with the header of each that this machine has: its own, and that of
/// the roots which `cross/setup` makes. A machine without such a root leaves the other API to `cross/check`.
@Suite("The shim over libgpiod")
struct ShimTests {
    private static let headers: [String] = {
        let environment = ProcessInfo.processInfo.environment
        let cache = (environment["XDG_CACHE_HOME"] ?? (environment["HOME"] ?? "") + "/.cache") + "/lapel"
        let roots = (try? FileManager.default.contentsOfDirectory(atPath: cache)) ?? []
        return (["/usr"] + roots.sorted().map { "\(cache)/\($0)/usr" }).map { $0 + "/include/gpiod.h" }
            .filter { FileManager.default.fileExists(atPath: $0) }
    }()

    private static let compiler: String? = ["/usr/bin/cc", "/usr/bin/gcc", "/usr/bin/clang"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    @Test(.enabled(if: compiler != nil, "there is no C compiler"), arguments: headers)
    func itCompilesWithEachHeaderThatIsHere(header: String) throws {
        let folder = TemporaryFolder()
        let shim = #filePath.replacingOccurrences(
            of: "Tests/GPIOPanelTests/ShimTests.swift", with: "Sources/CGPIOD/shim.h")
        // Found before the machine's own.
        try folder.write("gpiod.h", Array("#include \"\(header)\"\n".utf8))
        let source = try folder.write(
            "shim.c",
            Array("#include \"\(shim)\"\nint api(void) { return LAPEL_GPIOD_API; }\n".utf8))
        let compiler = Process()
        compiler.executableURL = URL(fileURLWithPath: try #require(Self.compiler))
        compiler.arguments = [
            "-std=gnu11", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function",
            "-I\(folder.path)", source,
        ]
        let said = Pipe()
        compiler.standardError = said
        try compiler.run()
        let text = String(decoding: said.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        compiler.waitUntilExit()
        #expect(compiler.terminationStatus == 0, "\(text)")
    }
}
