/// What holds an input line while nothing drives it.
package enum LineBias: Equatable, Sendable {
    case pullUp
    case pullDown
    /// A resistor on the board does.
    case none
}

/// Which of a line's two levels means "on".
package enum ActiveLevel: Equatable, Sendable {
    case low
    case high
}
