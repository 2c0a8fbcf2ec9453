/// The host's folder: one directory holds everything, and copying it is a back-up.
package struct Folder: Equatable, Sendable {
    /// Whole, without a slash at its end.
    package let path: String

    package init(_ path: String) { self.path = path }

    /// Uploads on their way: `incoming/<upload id>`.
    package var incoming: String { path + "/incoming" }
    /// The shelf, where that is a folder.
    package var audio: String { path + "/audio" }
    /// The catalogue, where that is a file; its journals stand beside it.
    package var database: String { path + "/lapel.db" }
    /// Held by the one program that serves the folder.
    package var lock: String { path + "/lock" }
    /// The host's keys: `host.key`, and one file for each key that was handed over or imported.
    package var keys: String { path + "/keys" }
    /// The address on which a server last listened.
    package var listening: String { path + "/listening" }

    /// The file of an upload on its way.
    package func partial(_ upload: String) -> String { incoming + "/" + upload }
    /// A recording that is being put together from its part and its tail.
    func assembly(_ utterance: String) -> String { incoming + "/" + utterance + ".whole" }
}
