import Geodesy
import WireFormats

/// Reads lists from the kernel: of the interfaces, and of each radio's access points. One at a time, because the kernel answers
/// one dump at a time.
struct ListReader: Sendable {
  enum Outcome: Hashable, Sendable {
    case interfaces(RadioTable)
    case accessPoints(radio: UInt32, [AccessPointEntry])
    /// A list could not be read.
    case failed
    /// The interface of a list has disappeared.
    case gone
  }

  private enum Reading {
    case interfaces(deadline: Instant)
    case accessPoints(radio: UInt32)
  }

  private var reading: Reading?
  /// The sequence number of the current request.
  private var sequence: UInt32 = 0
  /// The list being read, stored outside of `reading` so that it grows in place.
  private var found = RadioTable()
  private var dump = ScanDump()
  /// Whether the dump must be requested again.
  private var isRestarting = false
  /// Whether some messages may be missing.
  private var isSpoiled = false

  /// The lists to be read next, each once.
  private(set) var waitsForInterfaces = false
  private(set) var waitingRadios: [UInt32] = []

  var nextDeadline: Instant? {
    switch reading {
    case .interfaces(let deadline)?: deadline
    case .accessPoints?: dump.nextDeadline
    case nil: nil
    }
  }

  mutating func wantInterfaces() { waitsForInterfaces = true }

  mutating func request(_ radio: UInt32) {
    if !waitingRadios.contains(radio) { waitingRadios.append(radio) }
  }

  /// Abandons the current list and all waiting ones.
  mutating func stop() { self = ListReader() }

  /// The request for the next list; `nil` while one is being read, and if none is waiting.
  mutating func next(
    _ family: UInt16, _ table: RadioTable, _ numbers: inout NetlinkSequence, at now: Instant
  ) -> [UInt8]? {
    if case .accessPoints(let radio)? = reading {
      guard isRestarting else { return nil }
      reading = nil
      isRestarting = false
      return ask(family, radio, table, &numbers)
    }
    guard reading == nil else { return nil }
    if waitsForInterfaces {
      waitsForInterfaces = false
      isSpoiled = false
      found = RadioTable()
      reading = .interfaces(deadline: now + ScanDump.patience)
      sequence = numbers.next()
      return NetlinkRequest.interfaces(family: family, sequence: sequence)
    }
    while !waitingRadios.isEmpty {
      let radio = waitingRadios.removeFirst()
      dump = ScanDump()
      if let request = ask(family, radio, table, &numbers) {
        _ = dump.start(at: now)
        return request
      }
    }
    return nil
  }

  private mutating func ask(
    _ family: UInt16, _ radio: UInt32, _ table: RadioTable, _ numbers: inout NetlinkSequence
  ) -> [UInt8]? {
    guard let interface = table.reader(of: radio) else { return nil }
    reading = .accessPoints(radio: radio)
    sequence = numbers.next()
    return NetlinkRequest.accessPoints(family: family, sequence: sequence, interface: interface.index)
  }

  /// Handles a message; `nil` if it does not end the list, or does not belong to it.
  mutating func receive(_ envelope: NetlinkEnvelope, _ message: NetlinkMessage, at now: Instant) -> Outcome? {
    guard envelope.sequence == sequence else { return nil }
    switch (reading, message) {
    case (.accessPoints?, .accessPoint(let entry)):
      return after(dump.handle(.entry(entry, isInterrupted: envelope.isInterrupted), at: now))
    case (.accessPoints?, .listEnded(let errno)):
      return after(dump.handle(.ended(errno: errno, isInterrupted: envelope.isInterrupted), at: now))
    case (.accessPoints?, .refused(let errno)): return after(dump.handle(.refused(errno: errno), at: now))
    case (.interfaces?, .interface(let interface)):
      if envelope.isInterrupted { isSpoiled = true }
      found.note(interface)
      reading = .interfaces(deadline: now + ScanDump.patience)
      return nil
    case (.interfaces?, .listEnded(0)):
      reading = nil
      return isSpoiled || envelope.isInterrupted ? .failed : .interfaces(found)
    case (.interfaces?, .listEnded), (.interfaces?, .refused):
      reading = nil
      return .failed
    default: return nil
    }
  }

  /// The socket has lost messages.
  mutating func lose(at now: Instant) {
    isSpoiled = true
    if case .accessPoints? = reading { _ = dump.handle(.lost, at: now) }
  }

  /// Abandons a list whose answer has timed out.
  mutating func pass(at now: Instant) -> Outcome? {
    switch reading {
    case .interfaces(let deadline)? where deadline <= now:
      reading = nil
      return .failed
    case .accessPoints?: return after(dump.handle(.deadlinePassed, at: now))
    case .interfaces?, nil: return nil
    }
  }

  private mutating func after(_ actions: [ScanDump.Action]) -> Outcome? {
    guard case .accessPoints(let radio)? = reading, let action = actions.first else { return nil }
    switch action {
    case .ask:
      isRestarting = true
      return nil
    case .finished(let entries):
      reading = nil
      return .accessPoints(radio: radio, entries)
    case .failed(let failure):
      reading = nil
      return failure == .gone ? .gone : .failed
    }
  }
}
