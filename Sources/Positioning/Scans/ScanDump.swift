package import Geodesy
package import WireFormats

/// One reading of a radio's list of access points: if the list changes meanwhile, it is read again, three times at the most.
package struct ScanDump: Sendable {
  package enum Input: Hashable, Sendable {
    case entry(AccessPointEntry, isInterrupted: Bool)
    case ended(errno: Int32, isInterrupted: Bool)
    case refused(errno: Int32)
    /// The socket has lost messages.
    case lost
    case deadlinePassed
  }

  package enum Action: Hashable, Sendable {
    /// Request the list, from its beginning.
    case ask
    /// The list: each access point once.
    case finished([AccessPointEntry])
    case failed(Failure)
  }

  package enum Failure: Error, Hashable, Sendable {
    /// The interface has disappeared.
    case gone
    /// Nothing has come for two seconds.
    case noAnswer
    case refused(errno: Int32)
  }

  /// The greatest number of entries that the kernel keeps (`bss_entries_limit`, net/wireless/scan.c).
  package static let maximumEntries = 1000
  package static let maximumRestarts = 3
  /// The kernel answers at once; a longer silence means a lost answer.
  package static let patience: Duration = .seconds(2)

  private enum State {
    case idle
    /// `isSpoiled`: entries may be missing, and the list must be read again after it ends. Two dumps at a time are impossible.
    case reading(isSpoiled: Bool, restarts: Int, deadline: Instant)
    case over
  }

  private var state = State.idle
  private var entries: [AccessPointEntry] = []
  private var places: [BSSID: Int] = [:]

  package init() {}

  /// Starts the reading; call it once.
  package mutating func start(at now: Instant) -> [Action] {
    guard case .idle = state else { return [] }
    state = .reading(isSpoiled: false, restarts: 0, deadline: now + Self.patience)
    return [.ask]
  }

  /// `nil` if no list is being read.
  package var nextDeadline: Instant? {
    guard case .reading(_, _, let deadline) = state else { return nil }
    return deadline
  }

  package mutating func handle(_ input: Input, at now: Instant) -> [Action] {
    guard case .reading(let isSpoiled, let restarts, let deadline) = state else { return [] }
    switch input {
    case .entry(let entry, let isInterrupted):
      let isOfAnother = entries.last.map { $0.generation != entry.generation } ?? false
      keep(entry)
      state = .reading(
        isSpoiled: isSpoiled || isInterrupted || isOfAnother, restarts: restarts, deadline: now + Self.patience)
      return []
    case .lost:
      state = .reading(isSpoiled: true, restarts: restarts, deadline: deadline)
      return []
    case .ended(0, let isInterrupted):
      if isSpoiled || isInterrupted, restarts < Self.maximumRestarts {
        entries = []
        places = [:]
        state = .reading(isSpoiled: false, restarts: restarts + 1, deadline: now + Self.patience)
        return [.ask]
      }
      // The list keeps changing: each entry is right, but some may be missing.
      state = .over
      return [.finished(entries)]
    case .ended(let errno, _), .refused(let errno):
      state = .over
      return [.failed(errno == KernelErrno.noSuchDevice ? .gone : .refused(errno: errno))]
    case .deadlinePassed:
      guard now >= deadline else { return [] }
      state = .over
      return [.failed(.noAnswer)]
    }
  }

  /// Adds an entry. A later entry of the same access point, as after a change of the list, replaces the earlier one, unless that one
  /// opts out.
  private mutating func keep(_ entry: AccessPointEntry) {
    if let place = places[entry.bssid] {
      if !AccessPointFilter.hasOptedOut(entries[place]) { entries[place] = entry }
    } else if entries.count < Self.maximumEntries {
      places[entry.bssid] = entries.count
      entries.append(entry)
    }
  }
}

/// Sequence numbers of requests, to match answers; 0 marks messages without a request.
struct NetlinkSequence: Sendable {
  private var last: UInt32 = 0

  mutating func next() -> UInt32 {
    last = last == .max ? 1 : last + 1
    return last
  }
}
