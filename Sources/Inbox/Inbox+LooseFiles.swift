import Catalogue

// Invariants
//  1. An object that a living upload or utterance names is never removed, whoever else named it before: the question
//     and the removal stand in one operation, during which no new upload is announced.
//  2. What was noted as loose is noted until it is gone durably.

extension Inbox {
    /// Removes what was left half made or half removed of an utterance, or of all: of all only at start, because
    /// a file that is being made is loose until its commit.
    func removeLooseFiles(of utterance: String? = nil) throws(InboxError) {
        try store { () throws(StoreError) in
            for name in try catalogue.loose(of: utterance) {
                // Also where nothing is seen of it: a removal whose sync failed may not last.
                try catalogue.ifUnnamed(name) { () throws(StoreError) in try shelf.remove(name) }
                try catalogue.endLoose(name, of: utterance)
            }
        }
    }

    /// Removes the object with this name, durably, unless something that is not withdrawn names it.
    func removeUnlessNamed(_ name: ShelfName) throws(InboxError) {
        guard try isShelved(name) else { return }
        try store { () throws(StoreError) in
            try catalogue.ifUnnamed(name) { () throws(StoreError) in try shelf.remove(name) }
        }
    }
}
