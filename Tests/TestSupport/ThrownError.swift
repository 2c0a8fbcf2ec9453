/// What `body` throws; nil when it returns.
///
/// Swift Testing gives the error of `#expect(throws:)` back only from Swift 6.1 on, and the compiler of 6.0.3 dies
/// of `#expect { … } throws: { … }`.
package func errorThrown<Value>(by body: () throws -> Value) -> (any Error)? {
    do {
        _ = try body()
        return nil
    } catch {
        return error
    }
}
