/// The output queue of one client. Answers and a receiver's raw bytes are kept in their order; of epochs only the newest waits. Text is
/// dropped in whole lines: of a line that was sent in part, the rest always follows. Raw bytes have no lines, and are dropped at once.
struct ClientOutput: Sendable {
  /// Answers and raw bytes.
  private var kept: [UInt8] = []
  /// Whether there are raw bytes in `kept`, and in `current`.
  private var (keepsRaw, sendsRaw) = (false, false)
  /// The forms of the newest epoch that are not being written yet.
  private var waiting: (json: [UInt8], nmea: [UInt8]) = ([], [])
  /// What is being written: `current[offset..<end]` remains.
  private var current: [UInt8] = []
  private var (offset, end) = (0, 0)
  /// Whether `current` is an epoch, which a newer one replaces.
  private var isEpoch = false

  /// The bytes to be written next; empty: none.
  var unsent: ArraySlice<UInt8> { current[offset..<end] }

  var isEmpty: Bool { offset == end }

  /// The bytes that may not be dropped.
  var keptCount: Int { kept.count + (isEpoch ? 0 : end - offset) }

  /// Adds bytes that are never dropped.
  mutating func append(_ bytes: [UInt8], isRaw: Bool = false) {
    kept += bytes
    if isRaw { keepsRaw = true }
    advance()
  }

  /// Adds whole lines, which replace the unsent lines of an older epoch.
  mutating func replaceEpoch(json: [UInt8], nmea: [UInt8]) {
    if isEpoch { cutAfterLine() }
    waiting = (json, nmea)
    advance()
  }

  /// Drops the unsent epoch, except a line that was sent in part.
  mutating func dropEpoch() { replaceEpoch(json: [], nmea: []) }

  /// Drops everything but a line that was sent in part.
  mutating func clear() {
    (kept, waiting, keepsRaw) = ([], ([], []), false)
    if sendsRaw, offset < end {
      end = offset
      // What follows begins a line.
      if offset > 0, current[offset - 1] != UInt8(ascii: "\n") { kept = [0x0D, 0x0A] }
    } else {
      cutAfterLine()
    }
    advance()
  }

  /// Counts written bytes of `unsent`.
  mutating func sent(_ count: Int) {
    offset = min(end, offset + max(0, count))
    advance()
  }

  private mutating func cutAfterLine() {
    guard offset < end else { return }
    guard offset > 0, current[offset - 1] != UInt8(ascii: "\n") else { return end = offset }
    end = current[offset..<end].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? end
  }

  /// Begins with the next bytes once the current ones are written.
  private mutating func advance() {
    guard offset == end else { return }
    current = []
    (isEpoch, sendsRaw) = (false, false)
    if !kept.isEmpty {
      swap(&current, &kept)
      swap(&sendsRaw, &keepsRaw)
    } else if !waiting.json.isEmpty {
      swap(&current, &waiting.json)
      isEpoch = true
    } else if !waiting.nmea.isEmpty {
      swap(&current, &waiting.nmea)
      isEpoch = true
    }
    (offset, end) = (0, current.count)
  }
}
