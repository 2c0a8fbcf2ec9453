/// A value that the test itself made so that it is there.
///
/// Traps where it is not: the test is wrong then, not what it tests.
package func sure<Value>(
    _ value: Value?, _ file: StaticString = #fileID, _ line: UInt = #line
) -> Value {
    guard let value else {
        preconditionFailure("what the test counts on is not there", file: file, line: line)
    }
    return value
}
