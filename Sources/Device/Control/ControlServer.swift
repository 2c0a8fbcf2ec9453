import Glibc
import Outbox
import Synchronization
import Threads
import Wire

/// What may be asked of a running device. It can be read and its turn can be ended; there is no word that begins one.
package enum ControlWord: String, CaseIterable {
    case status
    case outbox
    case ledger
    case config
    /// Ends the turn; what was recorded is kept.
    case end
    /// The pairing was changed: the transfer reads it again.
    case paired
    /// The pairing file led to nothing: the lamp tells it.
    case pairingRefused = "pairing-refused"
}

/// Answers `lapel status` and its kin on a local socket. Its thread sleeps in accept.
final class ControlServer: Sendable {
    private struct Listener: ~Copyable, @unchecked Sendable {
        let socket: LocalSocket
    }

    private let listener: Listener
    private let path: String
    private let thread = Mutex<NamedThread?>(nil)

    /// `answer` runs on the server's thread.
    init(path: String, answer: @escaping @Sendable (ControlWord) -> JSON) throws(LocalSocketError) {
        self.path = path
        listener = Listener(socket: try LocalSocket.listening(at: path))
        thread.withLock {
            $0 = NamedThread("control") { [self] in
                while let visitor = listener.socket.accept() {
                    guard let line = visitor.readLine(most: 256) else { continue }
                    guard let word = ControlWord(rawValue: line) else {
                        visitor.write(line: JSON.object([(key: "error", value: "unknown request")]).text)
                        continue
                    }
                    visitor.write(line: answer(word).text)
                }
            }
        }
    }

    /// Stops answering and removes the socket.
    func shutDown() {
        listener.socket.shutDown()
        thread.withLock { thread in
            defer { thread = nil }
            return thread
        }?.join()
        unlink(path)
    }
}

/// Asks a running device.
package enum ControlClient {
    /// Throws `.noDevice` when none runs with this outbox.
    package static func ask(_ word: ControlWord, at path: String) throws(LocalSocketError) -> JSON {
        let socket = try LocalSocket.connected(to: path)
        socket.write(line: word.rawValue)
        guard let line = socket.readLine(most: 64 << 20), let answer = try? JSON(parsing: Array(line.utf8))
        else {
            throw .failed(operation: "be understood", path: path, reason: "the device gave no whole answer")
        }
        return answer
    }
}
