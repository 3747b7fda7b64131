/// The output queue of one client. Location goes stale: if a client is slow, the newest fix of a stream replaces older
/// unsent ones. Answers, the receivers' output and deferred fixes are never replaced.
struct OutgoingQueue: Sendable {
  /// The subject of a message; a newer message of the same subject replaces an older one.
  private enum Subject: Hashable {
    /// Kept until it is sent.
    case answer
    case fix(RequestID)
    case change(RequestID)
    case suspension(RequestID)
    case pause(RequestID)
    case state(RequestID)
    case sky(RequestID, device: String)
    case progress(RequestID)
  }

  private struct Entry {
    let subject: Subject
    let frame: [UInt8]
  }

  private var entries: [Entry] = []
  /// The number of bytes of the first entry that were sent: once there are any, it can no longer be withdrawn.
  private var sent = 0
  /// Bytes in the queue.
  private(set) var count = 0

  var isEmpty: Bool { entries.isEmpty }

  mutating func append(_ event: ServiceEvent) {
    let frame = ServerMessage.event(event).frame
    switch event {
    case .located, .failed, .devices, .done, .status, .log, .received, .wifi, .monitoring, .fleet, .places, .batch:
      append(frame)
    case .update(let id, _, _): replace(.fix(id), frame)
    case .sky(let id, let report): replace(.sky(id, device: report.device), frame)
    case .progress(let id, _): replace(.progress(id), frame)
    case .streamChanged(let id, .lost), .streamChanged(let id, .back): toggle(.change(id), frame)
    case .streamChanged(let id, .suspended), .streamChanged(let id, .resumed): toggle(.suspension(id), frame)
    case .streamChanged(let id, .paused), .streamChanged(let id, .unpaused): toggle(.pause(id), frame)
    case .authorization(let id, .state): replace(.state(id), frame)
    case .authorization: append(frame)
    }
  }

  /// An unsent change and its opposite cancel out.
  private mutating func toggle(_ subject: Subject, _ frame: [UInt8]) {
    if !remove(subject) { add(Entry(subject: subject, frame: frame)) }
  }

  /// Appends a message that is never replaced.
  mutating func append(_ frame: [UInt8]) { add(Entry(subject: .answer, frame: frame)) }

  /// Removes all messages except a partly sent one.
  mutating func clear() {
    let head = sent > 0 ? entries.first : nil
    entries = head.map { [$0] } ?? []
    count = head.map { $0.frame.count - sent } ?? 0
  }

  /// The bytes to be written next, several short messages at once; empty if none wait.
  var next: [UInt8] {
    guard let first = entries.first else { return [] }
    if entries.count == 1, sent == 0 { return first.frame }
    var bytes = Array(first.frame[sent...])
    for entry in entries.dropFirst() {
      guard bytes.count < Self.portion || entry.frame.count <= Self.short else { break }
      bytes += entry.frame
    }
    return bytes
  }

  private static let portion = 16_384
  /// A message of at most this size never needs a write of its own, which would wake the client once more: the end of a deferral follows
  /// a batch.
  private static let short = 256

  /// Removes this number of written bytes of `next`.
  mutating func drop(_ written: Int) {
    count -= written
    sent += written
    var over = 0
    while over < entries.count, sent >= entries[over].frame.count {
      sent -= entries[over].frame.count
      over += 1
    }
    entries.removeFirst(over)
  }

  private mutating func add(_ entry: Entry) {
    entries.append(entry)
    count += entry.frame.count
  }

  private mutating func replace(_ subject: Subject, _ frame: [UInt8]) {
    _ = remove(subject)
    add(Entry(subject: subject, frame: frame))
  }

  private mutating func remove(_ subject: Subject) -> Bool {
    let start = sent > 0 ? 1 : 0
    guard entries.count > start, let index = entries[start...].lastIndex(where: { $0.subject == subject }) else {
      return false
    }
    count -= entries[index].frame.count
    entries.remove(at: index)
    return true
  }
}
