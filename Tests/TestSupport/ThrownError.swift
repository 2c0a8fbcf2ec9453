/// The error that `body` throws, if it is a `Thrown`; nil when it returns or throws something else.
///
/// Swift Testing gives the error of `#expect(throws:)` back only from Swift 6.1 on, and the compiler of 6.0.3 dies
/// of `#expect { … } throws: { … }`.
package func errorThrown<Thrown: Error, Value>(_ type: Thrown.Type, by body: () throws -> Value) -> Thrown? {
    do {
        _ = try body()
        return nil
    } catch {
        return error as? Thrown
    }
}
