import LocationIPC

/// Requests in the order in which a machine behind a lock has made them, handed on outside of it: the service may answer from within.
struct RequestOutbox {
  private var waiting: [ClientRequest] = []
  private var isSending = false

  mutating func add(_ request: ClientRequest) { waiting.append(request) }

  /// Whether who asks is to hand on what waits; else somebody does already.
  mutating func begin() -> Bool {
    defer { isSending = true }
    return !isSending
  }

  /// The next one; `nil`: that was all, and nobody hands on any more.
  mutating func next() -> ClientRequest? {
    guard waiting.isEmpty else { return waiting.removeFirst() }
    isSending = false
    return nil
  }
}
