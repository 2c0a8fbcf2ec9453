/// What a lamp that can only be on or off shows for a cue.
package enum LampPattern: Equatable, Hashable, Sendable {
    /// On until the next cue.
    case solid
    /// Off.
    case dark
    /// The opposite of what it shows, for this long; then what it showed goes on.
    case flip(Duration)
    /// Once, then off.
    case once([Flash])
    /// Over and over until the next cue.
    case repeating([Flash])
}
