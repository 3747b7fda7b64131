import Geodesy
import LocationIPC
import TrackFormats

/// The values of a fix and of its satellites, each with a label, for the panel of `watch` and for the plot of `sky`.
struct FixFields {
  /// One line of a panel.
  struct Field {
    var label: String
    var value: StyledText
    /// Fields with the highest number are omitted first.
    var rank: Int
  }

  let history: FixHistory
  let report: SkyReport?
  let look: Presentation
  /// The columns of a value.
  let columns: Int

  /// All lines whose values are known.
  var all: [Field] {
    position + altitude + speed + course + climb + dilution + satellites + receiver + grid + notes
  }

  /// What remains when there is no current position: where the machine was, and when. The values of a movement are not shown,
  /// because they would look like those of the present.
  var past: [Field] {
    let time = history.latest.flatMap { TimeText.moment($0.fix.time, look) }
    return position.map { field in
      var field = field
      if field.label == "Radius" { field.value += .dim(" when measured") }
      return field
    } + (time.map { [Field(label: "Measured", value: "\($0)", rank: 0)] } ?? []) + altitude + receiver + grid
      + notes
  }

  // MARK: - Fix

  var position: [Field] {
    guard let located = history.latest else { return [] }
    let coordinate = located.fix.coordinate
    let radius = StyledText(
      TextFormat.radius(located.fix.horizontalRadius68.value, look), TextFormat.role(ofRadius: located.fix))
    let whole = StyledText.heading(TextFormat.position(coordinate, look))
    let lines =
      whole.width <= columns
      ? [Field(label: "Position", value: whole, rank: 0)]
      : [
        Field(label: "Position", value: .heading(TextFormat.latitude(coordinate, 7, look)), rank: 0),
        Field(label: "", value: .heading(TextFormat.longitude(coordinate, 7, look)), rank: 0),
      ]
    return lines + [Field(label: "Radius", value: radius + .dim(" (68 %)"), rank: 0)]
  }

  /// The Maidenhead locator of amateur radio, with a resolution of 30″ by 15″.
  var grid: [Field] {
    guard let text = history.latest.flatMap({ MaidenheadLocator.text($0.fix.coordinate, characters: 8) }) else {
      return []
    }
    return [Field(label: "Grid", value: "\(text)", rank: 5)]
  }

  var altitude: [Field] {
    guard let located = history.latest else { return [] }
    let accuracy = located.verticalAccuracy.map { .dim("  \(TextFormat.radius($0, look))") } ?? StyledText()
    if let altitude = located.altitude {
      return [Field(label: "Altitude", value: "\(TextFormat.meters(altitude))" + accuracy, rank: 1)]
    }
    return located.ellipsoidalAltitude.map {
      [Field(label: "Altitude", value: "\(TextFormat.meters($0))" + .dim(" above the ellipsoid"), rank: 1)]
    } ?? []
  }

  var speed: [Field] {
    guard let speed = history.latest?.fix.speedMetersPerSecond, let text = number(speed),
      let perHour = number(speed * 3.6)
    else { return [] }
    let most = history.speeds.compactMap(\.self).max().flatMap { number($0) } ?? text
    let room = max(0, min(columns - 15, 60))
    let line = Sparkline.text(history.speeds, columns: room, least: 1, usesUnicode: look.usesUnicode)
    return [
      Field(label: "Speed", value: .heading("\(text) m/s") + "  \(perHour) km/h", rank: 1),
      Field(label: "", value: .good(line) + .dim("  max \(most) m/s"), rank: 4),
    ]
  }

  var course: [Field] {
    guard let fix = history.latest?.fix, let course = fix.course,
      let text = FixedDecimal.direction(course.degrees, decimals: 0)
    else { return [] }
    let point = Self.point(course.degrees)
    let arrow = look.usesUnicode ? "\(Self.arrows[point]) " : ""
    let accuracy = fix.courseRadius68.flatMap { number($0.degrees) }.map {
      StyledText.dim("  \(look.plusMinus)\($0)\(look.degree)")
    }
    let value = StyledText.heading("\(arrow)\(text)\(look.degree)") + " \(Self.points[point])"
    return [Field(label: "Course", value: value + (accuracy ?? StyledText()), rank: 1)]
  }

  var climb: [Field] {
    guard let climb = history.climb, let text = number(climb.magnitude) else { return [] }
    let sign = text == "0.0" ? "" : climb < 0 ? "-" : "+"
    return [Field(label: "Climb", value: "\(sign)\(text) m/s", rank: 3)]
  }

  private static let points = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"]
  private static let arrows = ["↑", "↗", "→", "↘", "↓", "↙", "←", "↖"]

  private static func point(_ degrees: Double) -> Int {
    guard degrees.isFinite else { return 0 }
    let eighths = Int((degrees.truncatingRemainder(dividingBy: 360) / 45).rounded())
    return (eighths % 8 + 8) % 8
  }

  // MARK: - Satellites and receiver

  var dilution: [Field] {
    let values = [("H", report?.hdop), ("V", report?.vdop), ("P", report?.pdop)].compactMap { name, value in
      value.flatMap { number($0) }.map { "\(name) \($0)" }
    }
    guard !values.isEmpty else { return [] }
    return [Field(label: "DOP", value: "\(values.joined(separator: "  "))", rank: 2)]
  }

  var satellites: [Field] {
    let used = report?.satellitesUsed ?? history.latest?.fix.satellitesUsed
    let inView = report?.satellites?.count
    guard used != nil || inView != nil else { return [] }
    let parts = [used.map { "\($0) used" }, inView.map { "\($0) in view" }].compactMap(\.self)
    return [Field(label: "Satellites", value: "\(parts.joined(separator: ", "))", rank: 1)]
  }

  var receiver: [Field] {
    let device = (history.latest?.fix.device ?? report?.device).map(SkyHeadline.printable)
    let name = (history.latest?.fix.receiver ?? report?.receiver).map(SkyHeadline.printable)
    let lines = [device, name].compactMap(\.self)
    return lines.enumerated().map { Field(label: $0 == 0 ? "Receiver" : "", value: "\($1)", rank: 2 + $0) }
  }

  var notes: [Field] {
    guard let located = history.latest else { return [] }
    return TextFormat.remarks(located).map { Field(label: "Note", value: .warning($0), rank: 1) }
  }

  private func number(_ value: Double) -> String? { FixedDecimal.text(value, decimals: 1) }
}
