package import Geodesy
package import WireFormats

/// Reads tables of access points as their bytes come: WiGLE's (api.wigle.net/csvFormat.html), and any CSV with the columns
/// `bssid`, `latitude` and `longitude`, in any order, others allowed. Push any part of the file, then say that it is at its end.
/// Holds at most one unfinished line.
///
/// Rows that cannot be read are left out and counted: other people's exports have names in them that break their own quoting.
/// So is who asks not to be located by the network's name (`SightingFilter`), and what is no Wi-Fi.
package struct AccessPointTableReader: Sendable {
  /// The longest line, bytes.
  package static let maximumLine = 4096
  /// The most columns.
  package static let maximumColumns = 64
  /// 68 % radius of a place of which none is told: an access point is heard from some 40 m (median of the strongest one heard
  /// in Ariel's logs: 43 m, 67 % 68 m).
  package static let assumedRadius = Meters(40)

  /// A wider one says nothing, and its square is a number.
  private static let greatestRadius = 10_000.0

  private struct Columns {
    var (bssid, latitude, longitude): (Int, Int, Int)
    var (radius, name, kind): (Int?, Int?, Int?)
    var count: Int
  }

  private var columns: Columns?
  private var line: [UInt8] = []
  private var lineNumber = 0
  private var isSkipping = false
  /// Rows that gave a place.
  package private(set) var taken = 0
  /// Rows that cannot be read.
  package private(set) var unreadable = 0
  /// The line of the first of them, from 1.
  package private(set) var firstUnreadable: Int?
  /// Rows of who asks to be left out, and of what is no Wi-Fi.
  package private(set) var leftOut = 0
  /// Who asks to be left out, by these rows; whoever keeps places takes theirs out, and empties it.
  package var optedOut: Set<BSSID> = []

  package init() {}

  /// Takes the next bytes of the file, and hands out the places that they complete.
  package mutating func push(_ bytes: Span<UInt8>, _ body: (AccessPointPlace) -> Void) throws(AccessPointTableError) {
    for index in bytes.indices {
      if bytes[index] == UInt8(ascii: "\n") {
        try takeLine(body)
      } else if line.count < Self.maximumLine {
        line.append(bytes[index])
      } else {
        isSkipping = true
      }
    }
  }

  /// Says that the file ends here.
  package mutating func finish(_ body: (AccessPointPlace) -> Void) throws(AccessPointTableError) {
    if !line.isEmpty || isSkipping { try takeLine(body) }
    guard columns != nil else { throw .noHeader }
    guard taken > 0 || leftOut > 0 || unreadable == 0 else { throw .nothingReadable(line: firstUnreadable ?? 1) }
  }

  private mutating func takeLine(_ body: (AccessPointPlace) -> Void) throws(AccessPointTableError) {
    lineNumber += 1
    defer {
      line.removeAll(keepingCapacity: true)
      isSkipping = false
    }
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    // A byte order mark.
    if lineNumber == 1, line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
    guard !line.allSatisfy(CSVFields.isBlank) else { return }
    let fields = isSkipping ? nil : try? CSVFields.split(line[...], atMost: Self.maximumColumns)
    guard let columns else {
      // WiGLE's first line is of the phone.
      if lineNumber == 1, line.starts(with: Array("WigleWifi-".utf8)) { return }
      guard let fields else { throw .noHeader }
      return self.columns = try Self.columns(fields)
    }
    guard let fields, fields.count == columns.count,
      let bssid = BSSID(String(decoding: fields[columns.bssid], as: UTF8.self)),
      let latitude = CSVFields.number(fields[columns.latitude]),
      let longitude = CSVFields.number(fields[columns.longitude]),
      let coordinate = Coordinate(checkingLatitude: latitude, longitude: longitude)
    else {
      // Bluetooth and masts have other addresses.
      if let fields, let kind = columns.kind, fields.count == columns.count, !Self.isWiFi(fields[kind]) {
        leftOut += 1
      } else {
        unreadable += 1
        firstUnreadable = firstUnreadable ?? lineNumber
      }
      return
    }
    let isWanted = columns.kind.map { Self.isWiFi(fields[$0]) } ?? true
    let isAllowed = columns.name.map { !SightingFilter.asksToBeLeftOut(fields[$0]) } ?? true
    // Nobody's phone was on the equator at Greenwich: it had no fix.
    if isWanted, !isAllowed { optedOut.insert(bssid) }
    guard isWanted, isAllowed, bssid.isIndividual, latitude != 0 || longitude != 0 else {
      leftOut += 1
      return
    }
    let told = columns.radius.flatMap { CSVFields.number(fields[$0]) }.flatMap {
      $0 > 0 ? min($0, Self.greatestRadius) : nil
    }
    taken += 1
    body(
      AccessPointPlace(
        bssid: bssid, coordinate: coordinate,
        radius68: told.map { Meters(Math.hypot($0, Self.assumedRadius.value)) } ?? Self.assumedRadius))
  }

  private static func isWiFi(_ field: ArraySlice<UInt8>) -> Bool {
    field.isEmpty || String(decoding: field, as: UTF8.self).lowercased() == "wifi"
  }

  private static func columns(_ header: [ArraySlice<UInt8>]) throws(AccessPointTableError) -> Columns {
    let names = header.map { String(decoding: $0, as: UTF8.self).lowercased() }
    func place(_ alternatives: String...) -> Int? { names.firstIndex { alternatives.contains($0) } }
    guard let bssid = place("bssid", "mac", "netid") else { throw .missingColumn("bssid") }
    guard let latitude = place("latitude", "currentlatitude", "trilat", "lat") else {
      throw .missingColumn("latitude")
    }
    guard let longitude = place("longitude", "currentlongitude", "trilong", "lon") else {
      throw .missingColumn("longitude")
    }
    return Columns(
      bssid: bssid, latitude: latitude, longitude: longitude, radius: place("accuracy", "accuracymeters", "radius"),
      name: place("ssid", "essid", "name"), kind: place("type"), count: names.count)
  }
}
