import Synchronization

/// An event on its way to the loop over a monitor's events: handled when the loop that took it lets go of it, as it does when it wants
/// the next one or ends.
final class MonitorDelivery: Sendable {
  let event: CLMonitor.Event
  private let number: UInt64
  private let feed: MonitorFeed
  private let isTaken = Atomic<Bool>(false)

  init(_ event: CLMonitor.Event, _ number: UInt64, of feed: MonitorFeed) {
    (self.event, self.number, self.feed) = (event, number, feed)
  }

  deinit { if isTaken.load(ordering: .acquiring) { feed.handled(number) } }

  /// A loop has it now.
  func take() { isTaken.store(true, ordering: .releasing) }
}
