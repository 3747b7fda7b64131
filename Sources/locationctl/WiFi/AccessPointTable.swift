import Geodesy
import LinuxIO
import LocationIPC
import Positioning
import TrackFormats
import WireFormats

/// Access points: a table for people, one JSON object per line for scripts.
enum AccessPointTable {
  // MARK: Observations

  static func jsonLines(_ located: WiFiObservation) -> [UInt8] {
    located.accessPoints.flatMap { point -> [UInt8] in
      var object = JSONObject()
      object.add("bssid", .text(point.bssid.description))
      object.add("signal", .number(point.signalDecibelMilliwatts, decimals: 1))
      object.add("frequency", .number(point.frequencyMegahertz))
      object.add("age", .number(point.age.inSeconds, decimals: 3))
      object.add("known", .flag(point.isKnown))
      return object.line
    }
  }

  static func table(_ located: WiFiObservation) -> [UInt8] {
    let rows = located.accessPoints.map { point in
      [
        point.bssid.description, point.signalDecibelMilliwatts.map { "\(Int($0.rounded())) dBm" } ?? "-",
        point.frequencyMegahertz.map { "\($0) MHz" } ?? "-", "\(Int(point.age.inSeconds.rounded())) s",
        point.isKnown ? "known" : "-",
      ]
    }
    return TextTable.aligned([["ACCESS POINT", "SIGNAL", "FREQUENCY", "AGE", "POSITION"]] + rows)
  }

  // MARK: Position

  /// `nil` if the position is unknown.
  static func position(_ located: WiFiObservation, asJSON: Bool) -> [UInt8]? {
    guard let coordinate = located.coordinate, let radius = located.horizontalRadius68 else { return nil }
    var object = JSONObject()
    object.add("latitude", .number(coordinate.latitude.degrees, decimals: 7))
    object.add("longitude", .number(coordinate.longitude.degrees, decimals: 7))
    object.add("horizontalAccuracy", .number(radius.value, decimals: 1))
    object.add("technologies", .list(["wifi"]))
    object.add("accessPoints", .number(located.accessPoints.count { $0.isKnown }))
    guard !asJSON else { return object.line }
    let count = located.accessPoints.count { $0.isKnown }
    return TextTable.sentences(
      "\(degrees(coordinate.latitude)), \(degrees(coordinate.longitude)) ± \(Int(radius.value.rounded())) m (68 %), "
        + "by \(count) access \(count == 1 ? "point" : "points")")
  }

  // MARK: Database

  static func account(_ account: WiFiAccount, asJSON: Bool) -> [UInt8] {
    guard asJSON else {
      let lines =
        [
          "\(CountedNoun.text(account.learned, "access point")) learned here, \(account.imported) imported, "
            + "\(account.fetched) fetched in \(CountedNoun.text(account.tiles, "tile"))",
          line("Provider", account.provider), line("Tiles", account.tileSource),
        ] as [String?]
      return TextTable.sentences(lines.compactMap(\.self).joined(separator: "\n"))
    }
    var object = JSONObject()
    object.add("learned", .number(account.learned))
    object.add("imported", .number(account.imported))
    object.add("fetched", .number(account.fetched))
    object.add("tiles", .number(account.tiles))
    object.add("provider", .text(account.provider?.name))
    object.add("providerProblem", .text(account.provider?.problem?.sentence))
    object.add("tileSource", .text(account.tileSource?.name))
    object.add("tileProblem", .text(account.tileSource?.problem?.sentence))
    object.add("badTiles", .number(account.tileSource?.badTiles))
    return object.line
  }

  /// `nil` if this source is not in use.
  private static func line(_ title: String, _ standing: NetworkSourceStatus?) -> String? {
    guard let standing else { return nil }
    let name = TerminalText.sanitized(standing.name)
    let bad = standing.badTiles == 0 ? "" : " (\(standing.badTiles) bad so far)"
    return "\(title): \(name)\(standing.problem.map { ": \($0.sentence)" } ?? "")\(bad)"
  }

  static func line(_ known: KnownAccessPoint, asJSON: Bool) -> [UInt8] {
    let place = known.place
    guard asJSON else {
      let cells = [
        place.bssid.description, degrees(place.coordinate.latitude), degrees(place.coordinate.longitude),
        "± \(Int(place.radius68.value.rounded())) m",
      ]
      return Array((cells.joined(separator: "  ") + "\n").utf8)
    }
    var object = JSONObject()
    object.add("bssid", .text(place.bssid.description))
    object.add("latitude", .number(place.coordinate.latitude.degrees, decimals: 7))
    object.add("longitude", .number(place.coordinate.longitude.degrees, decimals: 7))
    object.add("horizontalAccuracy", .number(place.radius68.value, decimals: 1))
    object.add("hearings", .number(known.observations))
    object.add("firstDay", .text(known.days.flatMap { day($0.lowerBound) }))
    object.add("lastDay", .text(known.days.flatMap { day($0.upperBound) }))
    return object.line
  }

  /// Rounded to 5 decimals, which are about 1 m.
  private static func degrees(_ angle: Angle) -> String {
    (FixedDecimal(angle.degrees, decimals: 5)?.text).map { $0 + "°" } ?? "-"
  }

  private static func day(_ days: Int) -> String? {
    let time = GNSSTime(nanosecondsSince1970: Int64(days) * 86_400 * 1_000_000_000)
    return Timestamp(time).map { String($0.iso8601.prefix(10)) }
  }
}
