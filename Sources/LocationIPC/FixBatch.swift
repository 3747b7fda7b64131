package import Geodesy

/// Fixes of one stream that are delivered together, the oldest first, in the compact form in which the service holds and sends them: a
/// fix contains only what differs from the one before, coordinates in 10⁻⁹ degrees (0.1 mm), and other quantities in thousandths of
/// their units. A track at 1 Hz needs about 45 bytes a fix.
package struct FixBatch: Hashable, Sendable {
  /// The most fixes that are held for a client: 15 minutes at one per second, and a margin.
  package static let capacity = MessageLimits.batchedFixes
  /// The most bytes that are held for a client.
  package static let byteCapacity = MessageLimits.batchBytes
  /// No fix needs more bytes: 21 numbers of 12 bytes, two texts, and the list of what is no longer known.
  package static let longestFix = 21 * 12 + 2 * (MessageLimits.text + 4) + 32

  /// The fixes, each preceded by its length (Documentation/Protocol.md, "Deferred updates").
  package private(set) var bytes: [UInt8] = []
  /// The number of fixes.
  package private(set) var count = 0
  /// The newest fix; `nil`: there is none.
  private var newest: FixUnits?

  package init() {}

  /// A batch of these fixes, the oldest first.
  package init(_ fixes: some Sequence<PositionFix>) { for fix in fixes { append(fix) } }

  /// Reads a batch, and checks every fix in it.
  package init(reading bytes: [UInt8]) throws(MessageError) {
    guard !bytes.isEmpty else { throw .missingField(2) }
    guard bytes.count <= Self.byteCapacity else {
      throw .tooLong(field: 2, limit: Self.byteCapacity, found: bytes.count)
    }
    let result = try Self.read(bytes) { _ in }
    (self.bytes, count, newest) = (bytes, result.count, result.newest)
  }

  package var isEmpty: Bool { count == 0 }

  /// When the newest fix arrived; `nil`: there is none.
  package var newestArrival: Instant? {
    newest?.numbers[FixUnits.arrival].map { Instant(nanoseconds: $0) }
  }

  /// The time of the newest fix; `nil`: there is none.
  var newestTime: GNSSTime? {
    newest?.numbers[FixUnits.time].map { GNSSTime(nanosecondsSince1970: $0) }
  }

  /// Adds a fix that is newer than the others. The caller keeps to the limits.
  package mutating func append(_ fix: PositionFix) {
    let units = FixUnits(fix)
    var message = MessageWriter()
    units.write(after: newest ?? FixUnits(), to: &message)
    var item = MessageWriter()
    item.append(item: message.bytes)
    bytes += item.bytes
    count += 1
    newest = units
  }

  /// The fixes, as precise as the batch keeps them.
  package var fixes: [PositionFix] {
    var fixes: [PositionFix] = []
    fixes.reserveCapacity(count)
    do throws(MessageError) {
      _ = try Self.read(bytes) { fixes.append($0) }
    } catch {
      preconditionFailure("a batch was made or read with a fix that cannot be read: \(error)")
    }
    return fixes
  }

  /// The fixes with their ages, where the newest is of `age`.
  package func fixes(newestAge age: Duration) -> [(fix: PositionFix, age: Duration)] {
    let fixes = fixes
    guard let last = fixes.last else { return [] }
    return fixes.map { ($0, age + (last.receivedAt - $0.receivedAt)) }
  }

  /// The batch with the arrival times of a clock that is ahead by `duration`.
  func shifted(by duration: Duration) -> FixBatch {
    FixBatch(
      fixes.map {
        var fix = $0
        fix.receivedAt = fix.receivedAt + duration
        return fix
      })
  }

  package static func == (a: FixBatch, b: FixBatch) -> Bool { a.bytes == b.bytes }
  package func hash(into hasher: inout Hasher) { hasher.combine(bytes) }

  private static func read(
    _ bytes: [UInt8], _ body: (PositionFix) -> Void
  ) throws(MessageError) -> (count: Int, newest: FixUnits) {
    var cursor = MessageCursor(bytes.span)
    var units = FixUnits()
    var count = 0
    while !cursor.isAtEnd {
      guard count < capacity else { throw .tooLong(field: 2, limit: capacity, found: capacity + 1) }
      let range = try cursor.range()
      try units.change(by: MessageFields(bytes.span.extracting(range)))
      body(try units.fix())
      count += 1
    }
    return (count, units)
  }
}
