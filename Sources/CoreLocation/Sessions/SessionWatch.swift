/// Follows what stands against a session until that ends. The first word comes also when nothing does.
final class SessionWatch: Sendable {
  /// Each state that differs from the one before; for one loop, which need not see all but sees the newest.
  let obstacles: AsyncStream<Circumstances>
  private let continuation: AsyncStream<Circumstances>.Continuation
  private let task: Task<Void, Never>

  init(_ requirement: SessionRequirement, _ source: any AuthorizationSource) {
    let (stream, continuation) = AsyncStream.makeStream(of: Circumstances.self, bufferingPolicy: .bufferingNewest(1))
    obstacles = stream
    self.continuation = continuation
    let states = source.states()
    task = Task {
      var last: Circumstances?
      for await state in states {
        let now = requirement.obstacles(in: state)
        if now != last { continuation.yield(now) }
        last = now
      }
      continuation.finish()
    }
  }

  deinit { end() }

  /// Ends it for good.
  func end() {
    task.cancel()
    continuation.finish()
  }
}
