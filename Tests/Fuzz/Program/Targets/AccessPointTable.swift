import Geodesy
import Positioning
import WireFormats

/// Any bytes as a table of access points: the reader rejects them, or returns positions on Earth of access points that may be
/// used; a table that is cut in two gives the same result.
private func read(_ bytes: [UInt8], cutAt cut: Int) -> [AccessPointPosition]? {
  var reader = AccessPointTableReader()
  var places: [AccessPointPosition] = []
  do throws(AccessPointTableError) {
    try reader.push(bytes.span.extracting(0..<cut)) { places.append($0) }
    try reader.push(bytes.span.extracting(cut..<bytes.count)) { places.append($0) }
    try reader.finish { places.append($0) }
    precondition(places.count == reader.taken, "not counted")
    return places
  } catch {
    return nil
  }
}

func checkAccessPointTable(_ bytes: [UInt8]) {
  let places = read(bytes, cutAt: 0)
  precondition(places == read(bytes, cutAt: bytes.count / 2), "by chance")
  for place in places ?? [] {
    precondition(place.bssid.isIndividual, "nobody's address")
    precondition((-90...90).contains(place.coordinate.latitude.degrees), "no latitude")
    precondition((-180...180).contains(place.coordinate.longitude.degrees), "no longitude")
    precondition(place.radius68.value >= 40 && !place.radius68.value.isNaN, "no radius")
  }
}
