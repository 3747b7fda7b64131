extension CLMonitor {
  /// A monitor's events as they come. For one loop: a second one gets those that the first does not, and after a loop's task was
  /// cancelled there are none any more.
  public struct Events: AsyncSequence, Sendable {
    /// What is iterated.
    public typealias Element = Event
    /// What iterating may throw.
    public typealias Failure = any Error

    let stream: AsyncStream<MonitorDelivery>

    /// Begins to iterate.
    public func makeAsyncIterator() -> Iterator { Iterator(base: stream.makeAsyncIterator()) }

    /// One iteration.
    public struct Iterator: AsyncIteratorProtocol {
      fileprivate var base: AsyncStream<MonitorDelivery>.Iterator
      /// What the loop is at.
      private var current: MonitorDelivery?

      fileprivate init(base: AsyncStream<MonitorDelivery>.Iterator) { self.base = base }

      /// The next event, once there is one. The one before has been handled then, and its record follows it.
      public mutating func next() async throws -> Event? {
        current = nil
        current = await base.next(isolation: #isolation)
        current?.take()
        return current?.event
      }
    }
  }
}
