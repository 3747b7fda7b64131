import Geodesy
import WireFormats

/// Regions and their states, stored for a restart: 27 bytes for a circle plus its identifier.
///
/// ```
/// 0   "REGN"
/// 4   version: 1
/// 5   number of regions, 4 bytes
/// 9   regions
/// -4  CRC-32C of all before
/// ```
/// A region:
/// ```
/// 0   bits 0, 1: state (0 unknown, 1 inside, 2 outside); 2: notifies on entry; 3: on exit; 4: a polygon
/// 1   length of the identifier, 2 bytes
/// 3   identifier, UTF-8, unique in the file
///     circle:  latitude and longitude of the middle in degrees, radius in meters, 8 bytes each
///     polygon: number of corners, 2 bytes; their latitudes and longitudes in degrees, 8 bytes each
/// ```
/// Integers are little endian; numbers are IEEE 754 binary64, also little endian.
package enum RegionFile {
  static let magic = Array("REGN".utf8)
  static let version: UInt8 = 1
  static let headerSize = 9
  static let checksumSize = 4
  /// A circle without an identifier.
  static let leastRegionSize = 27

  /// The bytes of all regions that a monitor has.
  package static func encode(_ monitor: RegionMonitor) -> [UInt8] {
    var writer = RegionWriter()
    for entry in monitor.watched { writer.add(entry.region, entry.state) }
    return writer.finish()
  }

  /// A monitor with the stored regions and their states, which has received no fix yet.
  package static func decode(_ bytes: Span<UInt8>) throws(RegionFileError) -> RegionMonitor {
    var reader = try RegionReader(checking: bytes)
    let count = reader.count
    var regions = RegionTable()
    regions.reserveCapacity(count)
    for _ in 0..<count {
      let (region, state) = try reader.nextRegion()
      guard regions.append(region, state) else { throw .repeated(region.identifier) }
    }
    try reader.finish()
    regions.finish()
    return RegionMonitor(regions)
  }

  /// The bytes followed by their checksum.
  package static func sealed(_ bytes: [UInt8]) -> [UInt8] {
    var checksum = CRC32C()
    checksum.add(bytes.span)
    return bytes + (0..<checksumSize).map { UInt8(truncatingIfNeeded: checksum.value >> (8 * UInt32($0))) }
  }
}

/// A single region, as a change since a file was written.
extension RegionFile {
  /// A file of one region.
  package static func encode(_ region: Region, _ state: RegionState) -> [UInt8] {
    var writer = RegionWriter()
    writer.add(region, state)
    return writer.finish()
  }

  /// The region of a file that contains exactly one.
  package static func decodeOne(_ bytes: Span<UInt8>) throws(RegionFileError) -> (region: Region, state: RegionState) {
    var reader = try RegionReader(checking: bytes)
    guard reader.count == 1 else { throw .count(reader.count) }
    let entry = try reader.nextRegion()
    try reader.finish()
    return entry
  }
}

/// Why bytes are not a valid file of regions.
package enum RegionFileError: Error, Hashable, Sendable {
  /// The file is too short; the payload is its number of bytes.
  case size(Int)
  case magic
  case version(UInt8)
  case checksum(expected: UInt32, found: UInt32)
  /// The file claims this many regions: more than fit into its bytes, or not one where exactly one is expected.
  case count(Int)
  /// A region extends beyond the end, or the last one ends before it.
  case length(offset: Int)
  /// Bits that are undefined in this version.
  case flags(UInt8, offset: Int)
  /// Not UTF-8.
  case identifier(offset: Int)
  /// An identifier that another region has, too.
  case repeated(String)
  /// The described region is invalid.
  case region(RegionError, offset: Int)
}

/// Reads the regions of a file one after the other, never beyond the end.
struct RegionReader: ~Escapable {
  private let bytes: Span<UInt8>
  private(set) var offset = 5
  private let end: Int
  /// The number of regions in the file.
  private(set) var count = 0

  /// Reads a whole file including its checksum.
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

  /// Throws if bytes are left.
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

/// Writes regions one after the other.
struct RegionWriter {
  private var bytes = RegionFile.magic + [RegionFile.version, 0, 0, 0, 0]
  private var count: UInt32 = 0

  mutating func add(_ region: Region, _ state: RegionState) {
    var flags = state.rawValue | (region.notifiesOnEntry ? 4 : 0) | (region.notifiesOnExit ? 8 : 0)
    if case .polygon = region.shape { flags |= 16 }
    bytes.append(flags)
    add(UInt16(region.identifier.utf8.count))
    bytes += region.identifier.utf8
    switch region.shape {
    case .circle(let circle):
      add(circle.center)
      add(circle.radius.value.bitPattern)
    case .polygon(let polygon):
      add(UInt16(polygon.corners.count))
      for corner in polygon.corners { add(corner) }
    }
    count += 1
  }

  consuming func finish() -> [UInt8] {
    for number in 0..<4 { bytes[5 + number] = UInt8(truncatingIfNeeded: count >> (8 * UInt32(number))) }
    return RegionFile.sealed(bytes)
  }

  private mutating func add(_ place: Coordinate) {
    add(place.latitude.degrees.bitPattern)
    add(place.longitude.degrees.bitPattern)
  }

  private mutating func add(_ value: some FixedWidthInteger) {
    for shift in stride(from: 0, to: value.bitWidth, by: 8) { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
  }
}
