/// Reads the satellites of a PUBX,03, which has more fields than any other sentence: six for each of up to 255.
struct PUBXSatelliteList: ~Escapable {
  private let bytes: Span<UInt8>
  private var position: Int
  private let end: Int

  /// The list in a sentence that begins at `start` (after `$`); `nil` where it is no PUBX,03.
  @_lifetime(copy bytes)
  init?(_ bytes: Span<UInt8>, start: Int, end: Int) {
    self.bytes = bytes
    self.end = end
    position = start
    // "PUBX,03,"
    guard end - start >= 8, bytes[start] == UInt8(ascii: "P"), bytes[start + 1] == UInt8(ascii: "U"),
      bytes[start + 2] == UInt8(ascii: "B"), bytes[start + 3] == UInt8(ascii: "X"),
      bytes[start + 4] == UInt8(ascii: ","), bytes[start + 5] == UInt8(ascii: "0"),
      bytes[start + 6] == UInt8(ascii: "3"), bytes[start + 7] == UInt8(ascii: ",")
    else { return nil }
    position = start + 8
  }

  /// Hands out the satellites; `false`, before any was handed out, where the list is not what it must be.
  @_lifetime(self: copy self)
  mutating func read(_ body: (PUBXSatellite) -> Void) -> Bool {
    let first = position
    guard let count = number(in: 0...255), walk(count, { _ in }) else { return false }
    position = first
    guard let count = number(in: 0...255) else { return false }
    return walk(count, body)
  }

  @_lifetime(self: copy self)
  private mutating func walk(_ count: Int, _ body: (PUBXSatellite) -> Void) -> Bool {
    for _ in 0..<count {
      guard let number = number(in: 0...255), let status = letter(), let azimuth = optionalNumber(in: 0...360),
        let elevation = optionalNumber(in: -90...90), let signal = optionalNumber(in: 0...99),
        optionalNumber(in: 0...255) != nil
      else { return false }
      body(
        PUBXSatellite(
          id: SatelliteID(nmea: number, talker: .other, system: nil), isUsed: status == UInt8(ascii: "U"),
          elevationDegrees: elevation.map { Int8($0) }, azimuthDegrees: azimuth.map { Int16($0) },
          signalDecibelHertz: signal.map { UInt8($0) }))
    }
    return position >= end
  }

  @_lifetime(self: copy self)
  private mutating func field() -> (lower: Int, upper: Int)? {
    guard position <= end else { return nil }
    let lower = position
    while position < end, bytes[position] != UInt8(ascii: ",") { position += 1 }
    defer { position += 1 }
    return (lower, position)
  }

  @_lifetime(self: copy self)
  private mutating func letter() -> UInt8? {
    guard let (lower, upper) = field(), upper == lower + 1 else { return nil }
    return bytes[lower]
  }

  @_lifetime(self: copy self)
  private mutating func number(in range: ClosedRange<Int64>) -> Int? {
    optionalNumber(in: range).flatMap { $0 }
  }

  /// `.some(nil)`: the field is empty.
  @_lifetime(self: copy self)
  private mutating func optionalNumber(in range: ClosedRange<Int64>) -> Int?? {
    guard let (lower, upper) = field() else { return nil }
    guard lower < upper else { return .some(nil) }
    guard let value = SentenceFields.decimal(bytes, lower, upper, decimals: 0), range.contains(value) else { return nil }
    return .some(Int(value))
  }
}
