package import Geodesy

/// Timers in the order of their deadlines; timers with the same deadline are in the order in which they were set.
struct TimerQueue {
  private struct Entry {
    let id: TimerID
    let deadline: Instant
    let sequence: UInt64
    let body: () -> Void
  }

  /// Latest first, so that removing the next one is cheap. A program has tens of timers, for which a sorted array is faster
  /// than a heap.
  private var entries: [Entry] = []
  private var nextNumber: UInt64 = 1
  private var nextSequence: UInt64 = 0

  /// The earliest deadline.
  var nextDeadline: Instant? { entries.last?.deadline }

  /// A mark between the timers set so far and later ones, for `takeDue`.
  var mark: UInt64 { nextSequence }

  mutating func insert(at deadline: Instant, _ body: @escaping () -> Void) -> TimerID {
    let id = TimerID(number: nextNumber)
    nextNumber += 1
    insert(id, at: deadline, body)
    return id
  }

  /// Moves a timer; returns whether it still existed.
  mutating func move(_ id: TimerID, to deadline: Instant) -> Bool {
    guard let index = entries.firstIndex(where: { $0.id == id }) else { return false }
    let entry = entries.remove(at: index)
    insert(id, at: deadline, entry.body)
    return true
  }

  mutating func remove(_ id: TimerID) { entries.removeAll { $0.id == id } }

  /// Removes and returns the earliest timer that is due at `now` and was set before `mark`. Without the mark, a body
  /// that sets a timer for the current time could keep the loop from its descriptors forever.
  mutating func takeDue(at now: Instant, before mark: UInt64) -> (() -> Void)? {
    guard
      let index = entries.lastIndex(where: { $0.sequence < mark }), entries[index].deadline <= now
    else { return nil }
    return entries.remove(at: index).body
  }

  private mutating func insert(_ id: TimerID, at deadline: Instant, _ body: @escaping () -> Void) {
    let entry = Entry(id: id, deadline: deadline, sequence: nextSequence, body: body)
    nextSequence += 1
    // Before every entry that is due at the same instant or earlier: the last entry comes out first.
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].deadline > deadline { low = middle + 1 } else { high = middle }
    }
    entries.insert(entry, at: low)
  }
}

/// One timer for the earliest deadline. A later deadline, or `nil`, does not move the timer, so that not every message
/// moves it: the body checks what is due when the timer fires.
package final class EarliestTimer {
  private let loop: EventLoop
  private let body: () -> Void
  private var armed: (timer: TimerID, deadline: Instant)?

  /// - Parameter body: called when the deadline has passed; must arm the timer for the next deadline.
  package init(_ loop: EventLoop, _ body: @escaping () -> Void) {
    self.loop = loop
    self.body = body
  }

  deinit { cancel() }

  package func arm(for deadline: Instant?) {
    guard let deadline, armed.map({ deadline < $0.deadline }) ?? true else { return }
    cancel()
    let timer = loop.schedule(at: deadline) { [unowned self] in
      armed = nil
      body()
    }
    armed = (timer, deadline)
  }

  package func cancel() {
    if let armed { loop.cancel(armed.timer) }
    armed = nil
  }
}
