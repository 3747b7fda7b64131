package import FleetDestinations
package import Geodesy
import TrackFormats

/// The body of a generic HTTP destination: the user's JSON with places for values, `{{latitude}}`. A value that is unknown is written as
/// `null`; texts are written with their quotation marks.
package enum FleetTemplate {
  /// The names of the values, with what they are.
  package static let names = [
    "id", "latitude", "longitude", "timestamp", "unix", "accuracy", "altitude", "verticalAccuracy", "speed", "course",
    "battery", "user", "device",
  ]

  /// The template that is used if the destination has none.
  package static let standard =
    #"{"id":{{id}},"device":{{device}},"timestamp":{{timestamp}},"latitude":{{latitude}},"longitude":{{longitude}},"#
    + #""accuracy":{{accuracy}},"altitude":{{altitude}},"speed":{{speed}},"course":{{course}}}"#

  /// The first name in a template that does not exist; `nil`: the template is valid.
  package static func unknownName(in template: String) -> String? {
    parts(of: template).lazy.compactMap { if case .value(let name) = $0, !names.contains(name) { name } else { nil } }
      .first
  }

  package static func body(
    _ template: String, _ fix: PositionFix, identifier: String, _ settings: FleetSettings, _ context: FleetContext?
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    for part in parts(of: template) {
      switch part {
      case .text(let text): bytes += text.utf8
      case .value(let name): bytes += value(name, fix, identifier, settings, context)
      }
    }
    return bytes
  }

  private enum Part {
    case text(Substring)
    case value(String)
  }

  private static func parts(of template: String) -> [Part] {
    var parts: [Part] = []
    var rest = template[...]
    while let start = rest.firstPlace(of: "{{"), let end = rest[start.upperBound...].firstPlace(of: "}}") {
      parts.append(.text(rest[..<start.lowerBound]))
      parts.append(.value(String(rest[start.upperBound..<end.lowerBound])))
      rest = rest[end.upperBound...]
    }
    return parts + [.text(rest)]
  }

  private static func value(
    _ name: String, _ fix: PositionFix, _ identifier: String, _ settings: FleetSettings, _ context: FleetContext?
  ) -> [UInt8] {
    let value: OutputValue? =
      switch name {
      case "id": .text(identifier)
      case "latitude": .number(fix.coordinate.latitude.degrees, decimals: 7)
      case "longitude": .number(fix.coordinate.longitude.degrees, decimals: 7)
      case "timestamp": .text(Timestamp(fix.time)?.iso8601)
      case "unix": .number(Int(fix.time.secondsAndNanoseconds.seconds))
      case "accuracy": .meters(fix.horizontalRadius68.value)
      case "altitude": fix.kind.hasHeight ? .meters(fix.heightAboveMeanSeaLevel?.value) : nil
      case "verticalAccuracy": fix.kind.hasHeight ? .meters(fix.verticalRadius68?.value) : nil
      case "speed": .meters(fix.speedMetersPerSecond)
      case "course":
        fix.course.flatMap { FixedDecimal(direction: $0.degrees, decimals: 1) }.map { .number($0) }
      case "battery": .number(context?.battery)
      case "user": .text(settings.user)
      case "device": .text(settings.device)
      default: nil
      }
    guard let value else { return Array("null".utf8) }
    // The text of the value, as a member's value would be.
    var object = JSONObject()
    object.add("v", value)
    return Array(object.closed.dropFirst(5).dropLast())
  }
}
