import Geodesy
import LinuxIO
package import TrackFormats

/// The figures of a track as output of `log show` and `log stats`.
package enum TrackReport {
  /// The figures as JSON keys: meters, seconds, meters per second, degrees.
  package static func add(_ summary: TrackSummary, to object: inout JSONObject) {
    object.add("fixes", .number(summary.fixes))
    object.add("segments", .number(summary.segments))
    object.add("begin", .text(summary.begin.flatMap { Timestamp($0)?.iso8601 }))
    object.add("end", .text(summary.end.flatMap { Timestamp($0)?.iso8601 }))
    object.add("distance", .number(summary.distance.value, decimals: 1))
    object.add("moving", .number(summary.moving.inSeconds, decimals: 0))
    object.add("standing", .number(summary.standing.inSeconds, decimals: 0))
    object.add("meanSpeed", .number(summary.meanMovingSpeed, decimals: 2))
    object.add("maximumSpeed", .number(summary.maximumSpeed, decimals: 2))
    guard let extent = summary.extent else { return }
    object.add("south", .number(extent.south.degrees, decimals: 7))
    object.add("west", .number(extent.longitudes.west.degrees, decimals: 7))
    object.add("north", .number(extent.north.degrees, decimals: 7))
    object.add("east", .number(extent.longitudes.east.degrees, decimals: 7))
  }

  /// A block for people, a row for each figure.
  package static func block(_ name: String, _ summary: TrackSummary, _ look: Presentation = .ofFixes) -> [UInt8] {
    var rows = [("Log", TerminalText.sanitized(name)), ("Fixes", "\(summary.fixes) in \(parts(summary.segments))")]
    if let begin = summary.begin, let end = summary.end {
      rows.append(("From", local(begin)))
      rows.append(("To", local(end)))
    }
    rows.append(("Distance", length(summary.distance)))
    rows.append(("Moving", time(summary.moving)))
    rows.append(("Standing", time(summary.standing)))
    if let speed = speed(summary) { rows.append(("Speed", speed)) }
    if let extent = summary.extent {
      let corners = [extent.south, extent.longitudes.west, extent.north, extent.longitudes.east]
        .map { FixedDecimal.text($0.degrees, decimals: 5) ?? "?" }
      rows.append(("Extent", "\(corners[0]), \(corners[1]) to \(corners[2]), \(corners[3])"))
    }
    return lines(rows, look)
  }

  /// Rows of a label and a value, which continues on further lines below it if it is wider than the terminal.
  static func lines(_ rows: [(String, String)], _ look: Presentation) -> [UInt8] {
    TextTable.bytes(TextFormat.labeled(rows.map { ($0.0, "\($0.1)") }, look), look)
  }

  /// `12.3 m/s while moving, at most 30.1 m/s`.
  static func speed(_ summary: TrackSummary) -> String? {
    guard let text = summary.meanMovingSpeed.flatMap({ FixedDecimal.text($0, decimals: 1) }) else { return nil }
    let most = summary.maximumSpeed.flatMap { FixedDecimal.text($0, decimals: 1) }.map { ", at most \($0) m/s" } ?? ""
    return "\(text) m/s while moving\(most)"
  }

  /// The towns for people.
  static func towns(_ towns: [String], _ look: Presentation = .ofFixes) -> [UInt8] {
    lines(
      towns.enumerated().map { ($0.offset == 0 ? "Towns" : "", TerminalText.sanitized($0.element, limit: 400)) }, look)
  }

  /// The notes for people, a line for each.
  static func notes(_ notes: [TrackNote], _ look: Presentation = .ofFixes) -> [UInt8] {
    lines(
      notes.map { note in
        let place = [note.coordinate.latitude, note.coordinate.longitude]
          .map { FixedDecimal.text($0.degrees, decimals: 5) ?? "?" }.joined(separator: ", ")
        return ("Note", "\(local(note.time)), at \(place): \(TerminalText.sanitized(note.text))")
      }, look)
  }

  /// A note as JSON keys.
  static func object(_ note: TrackNote) -> JSONObject {
    var object = JSONObject()
    object.add("timestamp", .text(Timestamp(note.time)?.iso8601))
    object.add("latitude", .number(note.coordinate.latitude.degrees, decimals: 9, minimum: 7))
    object.add("longitude", .number(note.coordinate.longitude.degrees, decimals: 9, minimum: 7))
    object.add("horizontalAccuracy", .meters(note.horizontalRadius68.value))
    object.add("note", .text(note.text))
    return object
  }

  /// `12.3 km`, or meters below a kilometer.
  static func length(_ length: Meters) -> String {
    if length.value < 1000 { return "\(FixedDecimal.text(length.value, decimals: 0) ?? "?") m" }
    return "\(FixedDecimal.text(length.value / 1000, decimals: 1) ?? "?") km"
  }

  /// `1h 05m`, or minutes and seconds below an hour.
  static func time(_ duration: Duration) -> String {
    let seconds = Int(duration.inSeconds.rounded())
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    if seconds < 3600 { return "\(seconds / 60)m \(two(seconds % 60))s" }
    return "\(seconds / 3600)h \(two(seconds / 60 % 60))m"
  }

  /// Local time with its zone.
  static func local(_ time: GNSSTime) -> String {
    guard let local = LocalTime.clock(of: time), let text = Timestamp(local.clock)?.iso8601 else { return "?" }
    return "\(text.prefix(19).substituting("T", with: " ")) \(local.zone)"
  }

  private static func parts(_ count: Int) -> String { count == 1 ? "1 segment" : "\(count) segments" }
}
