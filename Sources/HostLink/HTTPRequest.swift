/// One HTTP request.
package struct HTTPRequest {
    let method: String
    let path: String
    let headers: [(name: String, value: String)]
    /// Nil for HEAD, whose answer has no body either.
    let body: RequestBody?

    package init(
        _ method: String, _ path: String, headers: [(name: String, value: String)], body: RequestBody?
    ) {
        self.method = method
        self.path = path
        self.headers = headers
        self.body = body
    }
}
