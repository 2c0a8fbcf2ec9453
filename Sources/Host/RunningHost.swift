import DurableFiles
import HTTPServer
import Identity
import Inbox
import LocalInbox
import Receiver
import Wire

// Order of a start
//  1. The folder and its database.
//  2. The lock: from here on this is the only server of the folder.
//  3. The key that devices seal to, made at the first start: what follows opens files with it.
//  4. What a crash left is taken up.
//  5. Key and certificate of the connection, made at the first start.
//  6. Listen, and write the address to `listening` for `lapel-host pair`.

/// A host that serves: its folder is locked, its port is open.
package final class RunningHost: Sendable {
    /// What it keeps.
    package let inbox: Inbox
    /// Its key and pin.
    package let identity: Identity
    /// What devices that pair now seal to: `age1…`.
    package let recipient: String
    /// Sentences about what the start took up.
    package let notes: [String]
    private let server: Server
    private let lock: ServingLock

    /// Where it listens, with the real port.
    package var address: ListenAddress { server.address }

    package init(
        folder: String, listen: ListenAddress, settings: Inbox.Settings = .init(),
        report: @escaping @Sendable (HostEvent) -> Void
    ) throws {
        inbox = try Inbox(folder: folder, settings: settings, salvage: salvageRecording)
        lock = try ServingLock(inbox)
        recipient = try inbox.keys.makeOwn().recipient
        notes = try inbox.recover()
        let name = HostFolder.machineName()
        identity = try Identity.loadOrMake(folder: folder, name: name) { path, bytes in
            try replace(path, bytes)
        }
        server = try Server(
            Routes(inbox: inbox, hostName: name, report: report), identity: identity, listen: listen,
            running: .threadPerConnection)
        do {
            try replace(inbox.folder.listening, Array(server.address.description.utf8))
        } catch {
            server.stop()
            throw error
        }
    }

    /// Ends all connections, then stores what is known of the devices' clocks.
    package func stop() throws {
        server.stop()
        try inbox.storeContacts()
    }
}
