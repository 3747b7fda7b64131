import Geodesy
import LocationPolicy
import TrackFormats

private enum Outcome: Equatable {
  case items([ImportedItem], ImportSummary)
  case refused(TrackImportError)
}

private func outcome(_ bytes: [UInt8], pieces: Int) -> Outcome {
  var reading = TrackImport(latest: GNSSTime(nanosecondsSince1970: 2_000_000_000_000_000_000))
  var items: [ImportedItem] = []
  var offset = 0
  do throws(TrackImportError) {
    while offset < bytes.count {
      let end = min(bytes.count, offset + pieces)
      items += try reading.receive(Array(bytes[offset..<end]).span)
      offset = end
    }
    items += try reading.finish()
  } catch {
    return .refused(error)
  }
  return .items(items, reading.summary)
}

/// Any bytes as a file of another program: rejected, or fixes and visits with valid values; and the same however the bytes are cut.
func checkTrackImport(_ bytes: [UInt8]) {
  let whole = outcome(bytes, pieces: max(1, bytes.count))
  for pieces in [1, 61] { precondition(outcome(bytes, pieces: pieces) == whole, "pieces make a difference") }
  guard case .items(let items, let summary) = whole else { return }
  var (fixes, visits) = (0, 0)
  for item in items {
    switch item {
    case .interruption: break
    case .fix(let fix):
      fixes += 1
      precondition(fix.isImported && fix.horizontalRadius68.value > 0, "not marked, or without a radius")
      let (latitude, longitude) = (fix.coordinate.latitude.degrees, fix.coordinate.longitude.degrees)
      precondition(Coordinate(checkingLatitude: latitude, longitude: longitude) != nil, "no place")
      precondition(fix.time.date != nil, "no date")
      precondition(fix.course.map { (0..<360).contains($0.degrees) } ?? true, "no course")
      precondition(fix.speedMetersPerSecond.map { $0 >= 0 && $0.isFinite } ?? true, "no speed")
    case .visit(let visit):
      visits += 1
      precondition(visit.isImported && visit.hasEnded && visit.horizontalRadius68.value > 0, "no visit")
      if let arrival = visit.arrival, let departure = visit.departure { precondition(arrival <= departure, "no span") }
    }
  }
  precondition(fixes == summary.points && visits == summary.visits, "counted wrong")
}
