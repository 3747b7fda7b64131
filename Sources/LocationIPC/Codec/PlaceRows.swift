import Geodesy
import Positioning
import WireFormats

/// Places of access points, 16 bytes each, little-endian: address (48 bits), latitude and longitude (10⁻⁷ degrees), 68 % radius
/// (decimetres, at most 6.5 km). A city is imported in a few seconds so.
enum PlaceRows {
  static let size = 16

  static func bytes(_ places: some Collection<AccessPointPlace>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(places.count * size)
    func put(_ value: UInt64, _ count: Int) {
      for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * index))) }
    }
    for place in places {
      put(place.bssid.rawValue, 6)
      put(UInt64(bitPattern: Int64((place.coordinate.latitude.degrees * 1e7).rounded())), 4)
      put(UInt64(bitPattern: Int64((place.coordinate.longitude.degrees * 1e7).rounded())), 4)
      put(UInt64(min(max((place.radius68.value * 10).rounded(.up), 1), 65_535)), 2)
    }
    return bytes
  }

  static func places(_ bytes: [UInt8], field: Int) throws(MessageError) -> [AccessPointPlace] {
    guard bytes.count % size == 0, bytes.count / size <= MessageLimits.placesAdded else {
      throw .outOfRange(field: field, found: UInt64(bytes.count))
    }
    var places: [AccessPointPlace] = []
    places.reserveCapacity(bytes.count / size)
    for start in stride(from: 0, to: bytes.count, by: size) {
      func number(_ offset: Int, _ count: Int) -> UInt64 {
        (0..<count).reduce(0) { $0 | UInt64(bytes[start + offset + $1]) << UInt64(8 * $1) }
      }
      func degrees(_ offset: Int) -> Double {
        Double(Int32(truncatingIfNeeded: Int64(bitPattern: number(offset, 4)))) / 1e7
      }
      guard let bssid = BSSID(rawValue: number(0, 6)), number(14, 2) > 0,
        let coordinate = Coordinate(checkingLatitude: degrees(6), longitude: degrees(10))
      else { throw .outOfRange(field: field, found: number(0, 6)) }
      places.append(
        AccessPointPlace(bssid: bssid, coordinate: coordinate, radius68: Meters(Double(number(14, 2)) / 10)))
    }
    return places
  }
}
