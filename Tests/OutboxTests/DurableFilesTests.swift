import DurableFiles
import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct DurableFilesTests {
    private let folder = TemporaryFolder()

    @Test func replaceIsWrittenSyncedRenamedAndItsFolderSynced() throws {
        let log = CallLog()
        try DurableFiles.replace(folder.file("a"), [1], calls: log.calls)
        #expect(
            log.take(folder.path) == [
                "create a.new", "write a.new", "sync a.new", "rename a.new a", "syncFolder .",
            ])
        #expect(try content(folder.file("a")) == [1])
    }

    @Test(arguments: 0..<5) func aReplaceThatDiesLeavesTheOldFileOrTheNewOne(k: Int) throws {
        let path = folder.file("a")
        try DurableFiles.replace(path, [1, 1, 1])
        #expect(throws: DurableFileError.self) {
            try DurableFiles.replace(path, [2, 2, 2, 2], calls: CallLog(tornAt: k, after: 2).calls)
        }
        #expect([[1, 1, 1], [2, 2, 2, 2]].contains(try content(path)))
        try DurableFiles.replace(path, [3])
        #expect(try content(path) == [3])
    }

    @Test func appendAddsAtTheEndAndSyncsWhenAsked() throws {
        let path = folder.file("log")
        let log = CallLog()
        for part in [[1, 2], [3]] as [[UInt8]] {
            let file = try Append(path, calls: log.calls)
            try file.append(part)
            try file.sync()
        }
        #expect(try content(path) == [1, 2, 3])
        let once = ["create log", "syncFolder .", "write log", "syncData log"]
        #expect(log.take(folder.path) == once + once)
    }

    @Test func eachMissingFolderIsDurableBeforeTheNext() throws {
        let log = CallLog()
        try log.calls.makeFolders(folder.file("a/b"))
        // The test's own folder is the first that is there.
        let made = log.take(folder.path)
        #expect(made.dropFirst() == ["makeFolder a", "syncFolder .", "makeFolder a/b", "syncFolder a"])
        // Whoever made it may have been killed before it was on the card.
        try log.calls.makeFolders(folder.file("a/b"))
        #expect(log.take(folder.path) == ["syncFolder a"])
    }

    @Test func aFileWhereAFolderShouldBeIsSaid() throws {
        try folder.write("a", [1])
        let expected = DurableFileError(.makeFolder, folder.file("a"), ENOTDIR)
        #expect(throws: expected) { try FileCalls.system.makeFolders(folder.file("a")) }
    }

    @Test(arguments: [
        (ENOSPC, "the card is full"), (EIO, "the card reports errors"), (EROFS, "read-only"),
        (EACCES, "permission denied"), (ENOENT, "No such file"),
    ]) func anErrorSaysWhatToDo(code: Int32, words: String) {
        let sentence = DurableFileError(.write, "/a/b", code).description
        #expect(sentence.contains(words) && sentence.contains("/a/b"))
    }

    @Test func reservedSpaceIsNotPartOfTheFile() throws {
        let file = try FileCalls.system.open(folder.file("a"), .createNew)
        try file.reserve(from: 0, length: 1 << 20)
        #expect(try FileCalls.system.size(folder.file("a")) == 0)
        try file.write([1, 2, 3])
        #expect(try FileCalls.system.contents(folder.file("a")) == [1, 2, 3])
    }
}
