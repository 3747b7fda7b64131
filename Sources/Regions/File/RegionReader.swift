import Geodesy
import WireFormats

/// Reads the regions of a file one after the other, and nothing beyond their end.
struct RegionReader: ~Escapable {
  private let bytes: Span<UInt8>
  private(set) var offset = 5
  private let end: Int
  /// How many there are to be read.
  private(set) var count = 0

  /// Reads a whole file that has its checksum.
  @_lifetime(copy bytes)
  init(checking bytes: Span<UInt8>) throws(RegionFileError) {
    guard bytes.count >= RegionFile.headerSize + RegionFile.checksumSize else { throw .size(bytes.count) }
    for (offset, byte) in RegionFile.magic.enumerated() { guard bytes[offset] == byte else { throw .magic } }
    guard bytes[4] == RegionFile.version else { throw .version(bytes[4]) }
    self.bytes = bytes
    end = bytes.count - RegionFile.checksumSize
    let expected = integer(at: end, as: UInt32.self)
    var checksum = CRC32C()
    checksum.add(bytes.extracting(0..<end))
    guard expected == checksum.value else { throw .checksum(expected: expected, found: checksum.value) }
    count = Int(try next(UInt32.self))
    guard count <= (end - RegionFile.headerSize) / RegionFile.leastRegionSize else { throw .count(count) }
  }

  /// Nothing may be left.
  func finish() throws(RegionFileError) { guard offset == end else { throw .length(offset: offset) } }

  func integer<Value: FixedWidthInteger & UnsignedInteger>(at offset: Int, as: Value.Type) -> Value {
    var value: Value = 0
    for number in 0..<Value.bitWidth / 8 { value |= Value(bytes[offset + number]) << (8 * number) }
    return value
  }

  @_lifetime(self: copy self)
  mutating func next<Value: FixedWidthInteger & UnsignedInteger>(_ type: Value.Type) throws(RegionFileError) -> Value {
    let size = Value.bitWidth / 8
    guard end - offset >= size else { throw .length(offset: offset) }
    defer { offset += size }
    return integer(at: offset, as: type)
  }

  @_lifetime(self: copy self)
  private mutating func nextNumber() throws(RegionFileError) -> Double {
    Double(bitPattern: try next(UInt64.self))
  }

  @_lifetime(self: copy self)
  private mutating func nextPlace() throws(RegionFileError) -> Coordinate {
    let latitude = try nextNumber()
    return Coordinate(latitude: Angle(degrees: latitude), longitude: Angle(degrees: try nextNumber()))
  }

  @_lifetime(self: copy self)
  mutating func nextRegion() throws(RegionFileError) -> (Region, RegionState) {
    let start = offset
    let flags = try next(UInt8.self)
    guard flags < 32, let state = RegionState(rawValue: flags & 3) else { throw .flags(flags, offset: start) }
    let identifier = try nextIdentifier()
    let shape = flags & 16 == 0 ? try nextCircle(start) : try nextPolygon(start)
    do throws(RegionError) {
      return (
        try Region(
          identifier: identifier, shape: shape, notifiesOnEntry: flags & 4 != 0, notifiesOnExit: flags & 8 != 0), state
      )
    } catch {
      throw .region(error, offset: start)
    }
  }

  @_lifetime(self: copy self)
  private mutating func nextIdentifier() throws(RegionFileError) -> String {
    let length = Int(try next(UInt16.self))
    guard end - offset >= length else { throw .length(offset: offset) }
    guard let text = try? UTF8Span(validating: bytes.extracting(offset..<offset + length)) else {
      throw .identifier(offset: offset)
    }
    offset += length
    return String(copying: text)
  }

  @_lifetime(self: copy self)
  private mutating func nextCircle(_ start: Int) throws(RegionFileError) -> RegionShape {
    let center = try nextPlace()
    let radius = Meters(try nextNumber())
    do throws(RegionError) {
      return .circle(try CircleShape(center: center, radius: radius))
    } catch {
      throw .region(error, offset: start)
    }
  }

  @_lifetime(self: copy self)
  private mutating func nextPolygon(_ start: Int) throws(RegionFileError) -> RegionShape {
    var corners: [Coordinate] = []
    for _ in 0..<(try next(UInt16.self)) { corners.append(try nextPlace()) }
    do throws(RegionError) {
      return .polygon(try PolygonShape(corners: corners))
    } catch {
      throw .region(error, offset: start)
    }
  }
}
