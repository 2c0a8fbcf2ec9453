import Hardware

/// A button and its thumb, for `ButtonContract`.
package struct PressedButton {
    package let button: any ButtonSource
    /// Moves the thumb; a button with a script of its own ignores it.
    package let thumb: (_ down: Bool) throws -> Void

    package init(button: any ButtonSource, thumb: @escaping (_ down: Bool) throws -> Void) {
        self.button = button
        self.thumb = thumb
    }
}

/// The facts that hold for every `ButtonSource` that is up when it starts. Each function is one fact and returns the
/// ways in which it was broken: none, when it holds.
package struct ButtonContract {
    /// A button that is up. One with a script presses three times.
    package let make: () throws -> PressedButton
    /// `CLOCK_MONOTONIC`.
    package let now: () -> Duration

    package init(now: @escaping () -> Duration, make: @escaping () throws -> PressedButton) {
        self.make = make
        self.now = now
    }

    /// A thumb's way down and up is one edge each, in this order, and nothing else.
    package func eachMoveIsOneEdge() throws -> [String] {
        let pressed = try make()
        let log = ButtonLog()
        pressed.button.start { log.report($0) }
        var broken: [String] = []
        for (position, down) in [true, false, true, false, true, false].enumerated() {
            try pressed.thumb(down)
            guard let edge = log.edge() else {
                return broken + ["move \(position) was not reported as an edge"]
            }
            if edge.down != down { broken.append("move \(position) was reported as \(edge)") }
        }
        return broken
    }

    /// An edge is stamped when it happened, by the monotonic clock, and stamps never go back.
    package func edgesAreStampedWhenTheyHappen() throws -> [String] {
        let began = now()
        let pressed = try make()
        let log = ButtonLog()
        pressed.button.start { log.report($0) }
        var broken: [String] = []
        var last = began
        for down in [true, false, true, false] {
            try pressed.thumb(down)
            guard let edge = log.edge() else { return broken + ["an edge is missing"] }
            let arrived = now()
            if edge.at < last || edge.at > arrived {
                broken.append("an edge is stamped \(edge.at), between \(last) and \(arrived)")
            }
            last = edge.at
        }
        return broken
    }

    /// A source that can read its level reads what it reported last.
    package func theLevelIsThatOfTheLastEdge() throws -> [String] {
        let pressed = try make()
        let log = ButtonLog()
        pressed.button.start { log.report($0) }
        var broken: [String] = []
        for down in [true, false] {
            try pressed.thumb(down)
            guard log.edge() != nil else { return broken + ["an edge is missing"] }
            if let level = pressed.button.isDown(), level != down { broken.append("the level is \(level)") }
        }
        return broken
    }
}
