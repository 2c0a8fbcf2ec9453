import Testing

@Suite("The layers of Sources")
struct LayerTests {
    @Test func noSourceImportsWhatItsTargetMayNot() throws {
        let sources = try Repository.files(in: ["Sources"], ending: ".swift")
        #expect(sources.count > 20)
        for file in sources {
            for violation in LayerCheck.violations(target: file.target, file: file.path, source: file.text) {
                Issue.record("\(violation)")
            }
        }
    }

    @Test func everyFolderOfSourcesIsInTheTable() throws {
        for folder in try Repository.folders(of: "Sources") {
            let known =
                Layers.allowed[folder] != nil || Layers.owner[folder] != nil || Layers.shared.contains(folder)
            #expect(known, "Sources/\(folder) is not in the table of layers")
        }
    }

    @Test func everyTargetOfThePackageHasItsFolderAndEveryFolderItsTarget() throws {
        let manifest = try Repository.manifest()
        let targets = Set(manifest.targets.map(\.folder))
        // A folder of Tests without code (a list of mutants, vectors) needs no target.
        let code = try Repository.files(in: ["Tests"]).filter {
            $0.path.hasSuffix(".swift") || $0.path.hasSuffix(".c")
        }
        let folders = Set(
            try Repository.folders(of: "Sources").map { "Sources/" + $0 } + code.map { "Tests/" + $0.target })
        #expect(targets.subtracting(folders) == [], "targets without a folder")
        #expect(folders.subtracting(targets) == [], "folders without a target")
    }

    @Test func thePackageGrantsNoTargetMoreThanTheTable() throws {
        for target in try Repository.manifest().targets where target.folder.hasPrefix("Sources/") {
            let allowed = Layers.allowed[target.name] ?? []
            let excess = target.dependencies.subtracting(allowed)
            #expect(
                excess.isEmpty, "\(target.name) depends on \(excess.sorted()), which the table does not allow"
            )
        }
    }

    @Test func everyDependencyIsImported() throws {
        let sources = try Repository.files(in: ["Sources"], ending: ".swift")
        for target in try Repository.manifest().targets where Layers.allowed[target.name] != nil {
            let own = sources.filter { $0.target == target.name }
            let imported = Set(own.flatMap { SwiftText($0.text).imports.map(\.module) })
            let unused = target.dependencies.subtracting(imported)
            #expect(unused.isEmpty, "\(target.name) depends on \(unused.sorted()) and imports nothing of it")
        }
    }

    /// An import that the package does not grant compiles only while some other target drags the module in.
    @Test func everyImportOfOursIsADependency() throws {
        let manifest = try Repository.manifest()
        let ours = Set(manifest.targets.map(\.name))
        for file in try Repository.files(in: ["Sources"], ending: ".swift") {
            let granted = manifest.target(file.target)?.dependencies ?? []
            for item in SwiftText(file.text).imports where ours.contains(item.module) {
                #expect(
                    granted.contains(item.module),
                    "\(file.path):\(item.line): \(file.target) imports \(item.module) without depending on it"
                )
            }
        }
    }

    @Test func everyCModuleHasOneOwnerWhichTheTableAllows() throws {
        for (module, owner) in Layers.owner {
            let importers = Layers.allowed.filter { $0.value.contains(module) }.map(\.key)
            #expect(
                importers == [owner], "\(module) belongs to \(owner) and is open to \(importers.sorted())")
        }
    }

    @Test func noTargetImportsItselfOrInACircle() throws {
        func reaches(_ goal: String, from target: String, seen: inout Set<String>) -> Bool {
            for next in Layers.allowed[target] ?? [] where seen.insert(next).inserted {
                if next == goal || reaches(goal, from: next, seen: &seen) { return true }
            }
            return false
        }
        for target in Layers.allowed.keys {
            var seen: Set<String> = []
            let circle = reaches(target, from: target, seen: &seen)
            #expect(!circle, "\(target) imports itself by way of others")
        }
    }

    @Test func onlyTestsImportTestable() throws {
        for file in try Repository.files(in: ["Tests"], ending: ".swift") {
            for item in SwiftText(file.text).imports {
                let hiding = item.attributes.filter { $0 != "@testable" }
                #expect(
                    hiding.isEmpty,
                    "\(file.path):\(item.line): \(hiding) on an import hides what the import does")
            }
        }
    }
}
