import Catalogue
import TestSupport
import Testing

/// What every catalogue keeps, the fake as the real one.
@Suite struct CatalogueContractTests {
    typealias Kind = ContractWorld.Kind

    @Test(arguments: Kind.allCases)
    func whatIsUnknownIsNothing(kind: Kind) throws {
        let catalogue = try ContractWorld(kind).catalogue
        #expect(try catalogue.upload("a") == nil)
        #expect(try catalogue.uploads(.all) == [])
        #expect(try catalogue.progress(of: "u") == .unknown)
        #expect(try catalogue.manifest(of: "u") == nil)
        #expect(try catalogue.utterances(idPrefix: "", limit: .max) == [])
        #expect(try catalogue.usage(of: Sample.wrist) == 0)
        #expect(try catalogue.halfCount(of: Sample.wrist) == 0)
        #expect(try !catalogue.isPaired(Sample.wrist))
        #expect(try catalogue.signingKey(of: Sample.wrist) == nil)
        let withdrawn = try catalogue.withdraw(utterance: "u", at: 5)
        #expect(!withdrawn)
        let removed = try catalogue.removeDevice(pin: Sample.wrist)
        #expect(!removed)
        #expect(try catalogue.contactedBoots(of: Sample.wrist) == [])
        #expect(try catalogue.recordedBoots(of: Sample.wrist) == [])
        #expect(try catalogue.newest() == 0)
        #expect(try catalogue.faults() == [])
        try catalogue.drop(upload: "a")
    }

    @Test(arguments: Kind.allCases)
    func theFirstAnnouncementStands(kind: Kind) throws {
        let catalogue = try ContractWorld(kind).catalogue
        let first = try catalogue.announce(Sample.announcement("a", "u", length: 100))
        let second = try catalogue.announce(Sample.announcement("a", "u", length: 200))
        #expect([first, second] == [true, false])
        #expect(try catalogue.upload("a")?.length == 100)
        #expect(try catalogue.usage(of: Sample.wrist) == 100)
        #expect(try catalogue.halfCount(of: Sample.wrist) == 1)
    }

    @Test(arguments: Kind.allCases)
    func whatIsSettledHoldsThroughAPowerCut(kind: Kind) throws {
        let world = try ContractWorld(kind)
        try world.catalogue.receive("m", "u", .manifest)
        try world.catalogue.receive("a", "u", .audio)
        try world.cutPower()
        #expect(try world.catalogue.upload("a")?.complete == true)
        #expect(try world.catalogue.utterances(idPrefix: "u", limit: 1).first?.storedAt == 6)
        #expect(try world.catalogue.newest() == 3)
    }

    /// What comes back is a beginning of what was done.
    @Test(arguments: Kind.allCases, 1...20)
    func aLazyChangeGoesWithEveryLaterOne(kind: Kind, seed: UInt64) throws {
        let world = try ContractWorld(kind)
        for id in ["a", "b", "c"] { _ = try world.catalogue.announce(Sample.announcement(id, id)) }
        #expect(try world.catalogue.uploads(.all).count == 3)
        try world.cutPower(seed: seed)
        let left = try world.catalogue.uploads(.all).map(\.id).sorted()
        #expect(left == Array(["a", "b", "c"].prefix(left.count)))
    }

    @Test(arguments: Kind.allCases)
    func aLazyChangeHoldsWithTheNextSettledOne(kind: Kind) throws {
        let world = try ContractWorld(kind)
        _ = try world.catalogue.announce(Sample.announcement("a", "u"))
        try world.catalogue.add(Sample.device())
        _ = try world.catalogue.announce(Sample.announcement("b", "v"))
        try world.catalogue.settle()
        try world.cutPower()
        #expect(try world.catalogue.uploads(.all).count == 2)
    }

    @Test(arguments: Kind.allCases)
    func contactsTravelWithTheNextChange(kind: Kind) throws {
        let world = try ContractWorld(kind)
        try world.catalogue.add(Sample.device())
        let key = ContactKey(device: Sample.wrist, bootID: "boot")
        world.catalogue.note(Contact(boot: 10, offset: 100, seenAt: 3), of: key)
        world.catalogue.note(Contact(boot: 30, offset: 90, seenAt: 4), of: key)
        #expect(try world.catalogue.contactedBoots(of: Sample.wrist) == [])
        try world.catalogue.keepContacts()
        try world.cutPower()
        #expect(
            try world.catalogue.contactedBoots(of: Sample.wrist) == [
                ContactedBoot(id: "boot", zero: 90...100, lasted: 30)
            ])
        #expect(try world.catalogue.devices().first?.lastSeen == 4)
    }

    @Test(arguments: Kind.allCases)
    func anUtteranceIsWholeOnceWhicheverPartComesLast(kind: Kind) throws {
        let catalogue = try ContractWorld(kind).catalogue
        #expect(try catalogue.receive("a", "u", .audio) == .stored(madeWhole: false))
        #expect(try catalogue.receive("m", "u", .manifest) == .stored(madeWhole: true))
        #expect(try catalogue.receive("m", "u", .manifest) == .stored(madeWhole: false))
        #expect(try catalogue.progress(of: "u") == UtteranceProgress(hasRung: true, part: .no))
        #expect(try catalogue.newest() == 3)
    }

    @Test(arguments: Kind.allCases)
    func whatIsWithdrawnStaysSo(kind: Kind) throws {
        let catalogue = try ContractWorld(kind).catalogue
        try catalogue.receive("a", "u", .audio)
        _ = try catalogue.announce(Sample.announcement("m", "u", .manifest))
        let half = try #require(try catalogue.upload("m"))
        for _ in 0..<2 {
            let known = try catalogue.withdraw(utterance: "u", at: 8)
            #expect(known)
        }
        #expect(try catalogue.complete(half, Completion(), at: 9) == .withdrawn)
        _ = try catalogue.announce(Sample.announcement("t", "u", .tail))
        #expect(try catalogue.uploads(.of(utterance: "u")).allSatisfy { $0.complete && $0.forgotten })
        #expect(try catalogue.utterances(idPrefix: "", limit: .max) == [])
        #expect(try catalogue.forgotten(idPrefix: "u").map(\.forgottenAt) == [8])
        #expect(try catalogue.usage(of: Sample.wrist) == 0)
        #expect(Set(try catalogue.loose(of: "u").map(\.sha256)) == ["5aa", "5am"])
        #expect(try catalogue.entries(after: 1, limit: 10).map(\.event) == [.forgotten(utterance: "u")])
        try catalogue.eraseRemains()
    }

    @Test(arguments: Kind.allCases)
    func whatSomethingLivingNamesIsNotGivenAway(kind: Kind) throws {
        let catalogue = try ContractWorld(kind).catalogue
        try catalogue.receive("a", "u", .audio)
        let name = ShelfName(sha256: "5aa", ext: "opus")
        try catalogue.ifUnnamed(name) { Issue.record("it is named") }
        try catalogue.ifUnknown(upload: "a") { Issue.record("it is known") }
        _ = try catalogue.withdraw(utterance: "u", at: 8)
        let failure = StoreError("no")
        #expect(throws: failure) {
            try catalogue.ifUnnamed(name) { () throws(StoreError) in throw failure }
        }
        #expect(throws: failure) {
            try catalogue.ifUnknown(upload: "b") { () throws(StoreError) in throw failure }
        }
        try catalogue.endLoose(name, of: "u")
        #expect(try catalogue.loose(of: nil) == [])
    }

    @Test(arguments: Kind.allCases)
    func aTokenIsSpentOnceInTimeAndInItsBoot(kind: Kind) throws {
        let catalogue = try ContractWorld(kind).catalogue
        func spend(_ pin: String, _ boot: Int64, _ id: String = "host") throws -> Bool {
            try catalogue.spendToken(
                hash: "h", for: Sample.device(pin), now: BootInstant(bootID: id, boot: boot))
        }
        try catalogue.addToken(hash: "h", expires: 100, now: BootInstant(bootID: "host", boot: 0))
        let answers = [
            try spend(Sample.wrist, 101), try spend(Sample.wrist, 5, "later"), try spend(Sample.wrist, 100),
            try spend(Sample.wrist, 100), try spend(Sample.lapel, 100),
        ]
        #expect(answers == [false, false, true, true, false])
        #expect(try catalogue.devices().map(\.pin) == [Sample.wrist])
    }

    @Test(arguments: Kind.allCases)
    func aDeviceKeepsItsKeyAndGetsTheNewName(kind: Kind) throws {
        let catalogue = try ContractWorld(kind).catalogue
        try catalogue.add(Sample.device(name: "old", key: "k"))
        try catalogue.add(Sample.device(name: "new", at: 99))
        #expect(try catalogue.devices().map { [$0.name, "\($0.pairedAt)"] } == [["new", "9"]])
        #expect(try catalogue.signingKey(of: Sample.wrist) == "k")
        let removed = try catalogue.removeDevice(pin: Sample.wrist)
        #expect(removed)
        #expect(try !catalogue.isPaired(Sample.wrist))
    }

    @Test(arguments: Kind.allCases)
    func theLastOnesAreListedInTheirOrder(kind: Kind) throws {
        let catalogue = try ContractWorld(kind).catalogue
        for (number, id) in ["c", "a", "b"].enumerated() {
            try catalogue.receive(id, id, .audio, seq: UInt64(number + 1), at: Int64(number / 2))
        }
        #expect(try catalogue.utterances(idPrefix: "", limit: .max).map(\.id) == ["c", "a", "b"])
        #expect(try catalogue.utterances(idPrefix: "", limit: 2).map(\.id) == ["a", "b"])
        #expect(try catalogue.utterances(idPrefix: "a", limit: 2).map(\.id) == ["a"])
    }

    @Test(arguments: Kind.allCases)
    func halvesAreTheOldestFirstAndManifestsBeforeTheirAudio(kind: Kind) throws {
        let catalogue = try ContractWorld(kind).catalogue
        _ = try catalogue.announce(Sample.announcement("a", "u", .audio, at: 3))
        _ = try catalogue.announce(Sample.announcement("m", "u", .manifest, at: 3))
        _ = try catalogue.announce(Sample.announcement("b", "v", .audio, at: 2))
        _ = try catalogue.announce(Sample.announcement("c", "w", .audio, at: 9))
        #expect(try catalogue.uploads(.half(announcedBefore: 9)).map(\.id) == ["b", "m", "a"])
        try catalogue.drop(upload: "b")
        #expect(try catalogue.upload("b") == nil)
    }

    @Test(arguments: Kind.allCases)
    func twoProgramsSeeEachOthersChanges(kind: Kind) throws {
        let world = try ContractWorld(kind)
        let other = try world.opened()
        try world.catalogue.add(Sample.device())
        #expect(try other.isPaired(Sample.wrist))
        try other.receive("a", "u", .audio)
        #expect(try world.catalogue.upload("a")?.complete == true)
        #expect(try world.catalogue.entries(after: 0, limit: 9).map(\.number) == [1, 2])
    }

    @Test(arguments: Kind.allCases)
    func holdersAreRemembered(kind: Kind) throws {
        let catalogue = try ContractWorld(kind).catalogue
        _ = try catalogue.announce(Sample.announcement("a", "u"))
        for _ in 0..<2 { try catalogue.hold(upload: "a", by: Sample.lapel) }
        #expect(try catalogue.holds(upload: "a", pin: Sample.lapel))
        #expect(try !catalogue.holds(upload: "a", pin: Sample.wrist))
    }

    @Test(arguments: Kind.allCases)
    func bootsAreWhatTheirManifestsSay(kind: Kind) throws {
        let catalogue = try ContractWorld(kind).catalogue
        try catalogue.receive("m", "u", .manifest, seq: 4)
        try catalogue.receive("n", "v", .manifest, seq: 3, at: 7)
        #expect(
            try catalogue.recordedBoots(of: Sample.wrist) == [
                RecordedBoot(id: "boot", firstSeq: 3, lastStart: 7, rangAt: 6, synchronised: 1_000...1_000)
            ])
    }
}
