import Geodesy
import LocationReplay

/// Any bytes as a table of positions: rejected, or rows on Earth; a table that is cut in two gives the same result.
private func read(_ bytes: [UInt8], cutAt cut: Int) -> [PositionRow]? {
  var reader = PositionTableReader()
  var rows: [PositionRow] = []
  do throws(TableError) {
    try reader.push(bytes.span.extracting(0..<cut)) { rows.append($0) }
    try reader.push(bytes.span.extracting(cut..<bytes.count)) { rows.append($0) }
    try reader.finish { rows.append($0) }
    return rows
  } catch {
    precondition(error.line > 0, "no line")
    return nil
  }
}

func checkPositionTable(_ bytes: [UInt8]) {
  var reference = NMEAReferenceReader()
  reference.push(bytes.span)
  precondition(
    reference.reference.points.allSatisfy { (-90...90).contains($0.coordinate.latitude.degrees) }, "no place")
  let rows = read(bytes, cutAt: 0)
  precondition(rows == read(bytes, cutAt: bytes.count / 2), "by chance")
  guard let rows else { return }
  for row in rows {
    precondition((-180...180).contains(row.coordinate.longitude.degrees), "no longitude")
    precondition(row.course.map { (0..<360).contains($0.degrees) } ?? true, "no course")
  }
  let track = ReferenceTrack(rows.map { ReferencePoint(time: $0.time, coordinate: $0.coordinate) })
  for row in rows.prefix(20) { precondition(track.coordinate(at: row.time) != nil, "not where it was") }
}
