/// What is wrong with the button's line.
package enum LineFault: Error, Equatable, Hashable, Sendable, CustomStringConvertible {
    /// Raw edges in one second, more than a contact can bounce.
    case noisy(edgesPerSecond: Int)
    /// Presses in one second, more than a thumb can make.
    case tooManyPresses(perSecond: Int)
    /// The line is gone; never found by the debouncer, but reported the same way by whoever owns the line.
    case lost(String)

    package var description: String {
        switch self {
        case .noisy(let edges):
            "The button's line changes \(edges) times a second: check its wire, its pull-up and its ground."
        case .tooManyPresses(let presses):
            "The button's line reports \(presses) presses a second: check its wire, its pull-up and its ground."
        case .lost(let reason):
            "The button's line is gone: \(reason)"
        }
    }
}
