import Geodesy
import WireFormats

/// Regions and where the device is with regard to them, as they are kept over a restart: 27 bytes for a circle beside its identifier.
///
/// ```
/// 0   "REGN"
/// 4   version: 1
/// 5   number of regions, 4 bytes
/// 9   regions
/// -4  CRC-32C of all before
/// ```
/// Of a region:
/// ```
/// 0   bits 0, 1: where the device is (0 not known, 1 inside, 2 outside); 2: notifies on entry; 3: on exit; 4: a polygon
/// 1   length of the identifier, 2 bytes
/// 3   identifier, UTF-8, no two alike
///     circle:  latitude and longitude of the middle in degrees, radius in metres, 8 bytes each
///     polygon: number of corners, 2 bytes; their latitudes and longitudes in degrees, 8 bytes each
/// ```
/// Integers have their lowest byte first, numbers are IEEE 754's binary64 in the same order.
package enum RegionFile {
  static let magic = Array("REGN".utf8)
  static let version: UInt8 = 1
  static let headerSize = 9
  static let checksumSize = 4
  /// A circle without an identifier.
  static let leastRegionSize = 27

  /// The bytes of what a monitor watches.
  package static func encode(_ monitor: RegionMonitor) -> [UInt8] {
    var writer = RegionWriter()
    for entry in monitor.watched { writer.add(entry.region, entry.state) }
    return writer.finish()
  }

  /// A monitor that watches what it watched, knows where the device was, and has seen no fix since.
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

  /// Bytes with their checksum behind them.
  package static func sealed(_ bytes: [UInt8]) -> [UInt8] {
    var checksum = CRC32C()
    checksum.add(bytes.span)
    return bytes + (0..<checksumSize).map { UInt8(truncatingIfNeeded: checksum.value >> (8 * UInt32($0))) }
  }
}
