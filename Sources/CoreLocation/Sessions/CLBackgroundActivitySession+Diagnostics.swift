extension CLBackgroundActivitySession {
  /// What stands against the session, now and on every change; the first comes at once, also where nothing does. For one loop.
  public final class Diagnostics: AsyncSequence, Sendable {
    /// What is iterated.
    public typealias Element = Diagnostic
    /// What iterating may throw.
    public typealias Failure = any Error

    private let obstacles: AsyncStream<Circumstances>
    init(_ obstacles: AsyncStream<Circumstances>) { self.obstacles = obstacles }

    /// Begins to iterate.
    public func makeAsyncIterator() -> Iterator { Iterator(base: obstacles.makeAsyncIterator()) }

    /// One iteration.
    public struct Iterator: AsyncIteratorProtocol {
      fileprivate var base: AsyncStream<Circumstances>.Iterator

      /// The next diagnostic, once there is one.
      public mutating func next() async throws -> Diagnostic? {
        await base.next(isolation: #isolation).map { Diagnostic($0) }
      }
    }
  }
}
