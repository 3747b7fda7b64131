import Geodesy
import TrackFormats

/// Any bytes as a position, and as a file of places: rejected, or positions on the earth that every notation writes, and that are
/// read again within its precision.
func checkPlaces(_ bytes: [UInt8]) {
  if let place = Coordinate(parsing: String(decoding: bytes, as: UTF8.self)) { checkPlace(place) }
  guard let (places, _) = try? PlaceList.read(bytes) else { return }
  for place in places.prefix(20) { checkPlace(place.coordinate) }
}

private func checkPlace(_ place: Coordinate) {
  precondition(
    Coordinate(checkingLatitude: place.latitude.degrees, longitude: place.longitude.degrees) != nil, "not on the earth")
  for notation in CoordinateNotation.allCases {
    guard let text = notation.text(place) else { preconditionFailure("cannot be written as \(notation)") }
    guard let again = Coordinate(parsing: text) else { preconditionFailure("\(text) cannot be read") }
    // A locator's field of 5′ by 2.5′ and a cell of 14 m are the largest.
    let limit = notation == .maidenhead ? 5300.0 : notation == .plusCode ? 11 : notation == .dms ? 3 : 1
    let distance = Geodesic.inverse(from: place, to: again).distance.value
    precondition(distance < limit, "\(text) is \(distance) m away")
  }
}
