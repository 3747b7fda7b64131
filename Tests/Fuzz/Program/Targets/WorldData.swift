import Geodesy
import PlacesCore
import WireFormats

/// Files of zones and towns that somebody else made: an error or any answer. The checksum of the header is made right, because an attacker
/// would do that, too.
func checkWorldData(_ input: [UInt8]) {
  guard input.count >= 160 else { return }
  var bytes = input
  let count = UInt32(bytes.count)
  for index in 0..<4 { bytes[12 + index] = UInt8(truncatingIfNeeded: count >> (8 * UInt32(index))) }
  let checksum = CRC32C.of(bytes[0..<20] + bytes[24..<160])
  for index in 0..<4 { bytes[20 + index] = UInt8(truncatingIfNeeded: checksum >> (8 * UInt32(index))) }
  let zones = try? ZoneMap(bytes.span)
  let towns = try? TownTable(bytes.span)
  let tables = WorldTables(zones: zones, towns: towns)
  for (latitude, longitude) in [(47.14, 9.52), (47.2, 9.6), (-90, -180), (90, 180), (0, 0)] {
    let coordinate = Coordinate(latitude: Angle(degrees: latitude), longitude: Angle(degrees: longitude))
    _ = tables.place(at: coordinate, bytes.span, bytes.span)
  }
  guard let towns else { return }
  for text in ["Vaduz", "Vadus, LI", "Schaan Vad"] {
    _ = TownSearch(ForwardQuery(.text(text), completesLastWord: true), in: towns).run(bytes.span)
  }
  for number in [0, towns.count - 1, towns.count] { _ = towns.town(number, in: bytes.span) }
}
