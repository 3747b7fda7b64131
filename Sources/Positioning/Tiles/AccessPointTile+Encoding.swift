package import Geodesy
import WireFormats

extension AccessPointTile {
  /// The bytes of a tile. Of several places of one address the one with the least radius is kept, and of those the one
  /// furthest south, then west.
  ///
  /// - Parameter day: when the places were true.
  package static func encode(
    _ places: some Sequence<AccessPointPlace>, in key: TileKey, on day: CalendarDate
  ) throws(TileEncodingError) -> [UInt8] {
    guard let days = UInt16(exactly: day.daysSince1970) else { throw .day }
    var records: [TileRecord] = []
    for place in places {
      guard let cell = TileCell(place.coordinate, in: key) else { throw .outside(place) }
      records.append(
        TileRecord(address: place.bssid.rawValue, cell: cell, radius: RadiusClass(place.radius68)))
    }
    records.sort { rank($0) < rank($1) }
    var encoder = RangeEncoder()
    var coder = RecordCoder()
    var count = 0
    var last: UInt64?
    for record in records where record.address != last {
      _ = coder.code(record, with: &encoder)
      last = record.address
      count += 1
    }
    guard count <= maximumCount else { throw .count(count) }
    var contents = encoder.finish()
    let least = (count + recordsPerByte - 1) / recordsPerByte
    if contents.count < least { contents += [UInt8](repeating: 0, count: least - contents.count) }
    var bytes = magic + [version]
    func add(_ value: some FixedWidthInteger) {
      for shift in stride(from: 0, to: value.bitWidth, by: 8) {
        bytes.append(UInt8(truncatingIfNeeded: value >> shift))
      }
    }
    add(UInt16(key.row))
    add(UInt16(key.column))
    add(days)
    add(UInt32(count))
    return sealed(bytes + contents)
  }

  /// Bytes with their checksum behind them.
  package static func sealed(_ bytes: [UInt8]) -> [UInt8] {
    let checksum = CRC32C.of(bytes)
    return bytes + (0..<checksumSize).map { UInt8(truncatingIfNeeded: checksum >> (8 * UInt32($0))) }
  }

  private static func rank(_ record: TileRecord) -> (UInt64, Int, Int, Int) {
    (record.address, record.radius.rawValue, record.cell.y, record.cell.x)
  }
}
