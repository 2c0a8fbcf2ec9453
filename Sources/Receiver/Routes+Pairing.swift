import HTTPServer
import Inbox
import Wire

extension Routes {
    /// `POST /v1/pair`: a token that is known, in time and not spent by another makes the device a paired one. The
    /// keys that it hands over are durable before it is answered.
    func pair(_ request: Request, _ pin: String, _ body: [UInt8]) -> Answer {
        let asked: PairRequest
        do throws(WireError) { asked = try PairRequest(json: JSON(parsing: body)) } catch {
            return refusePairing(request, .refusal(400, error.description))
        }
        do throws(InboxError) {
            let name = Self.shown(asked.deviceName)
            guard
                try inbox.pair(
                    token: asked.token, pin: pin, name: name, signingKey: asked.signingKey, keys: asked.keys)
            else {
                return refusePairing(
                    request,
                    .refusal(
                        403, "The pairing token is unknown, spent or too old: run `lapel-host pair` again."))
            }
            report(.paired(pin: pin, name: name))
            let recipients = try inbox.recipients()
            return Answer(
                200, body: .text(PairAnswer(hostName: hostName, recipients: recipients).json.text),
                type: "application/json")
        } catch {
            return refuse(request, error)
        }
    }

    private func refusePairing(_ request: Request, _ answer: Answer) -> Answer {
        noteRefusal(request, answer)
        return pairings.refuse(request, answer)
    }

    /// A name as it may stand in a terminal and a log: at most 64 characters, none of them a control.
    private static func shown(_ name: String) -> String {
        let plain = String(
            String.UnicodeScalarView(name.unicodeScalars.filter { $0.properties.generalCategory != .control })
        )
        return plain.isEmpty ? "unnamed" : String(plain.prefix(64))
    }
}
