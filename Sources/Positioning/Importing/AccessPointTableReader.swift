package import Geodesy
package import WireFormats

/// Reads tables of access points as their bytes arrive: WiGLE's (api.wigle.net/csvFormat.html), and any CSV with the columns
/// `bssid`, `latitude` and `longitude`, in any order, others allowed. Push the file in parts of any size, then call `finish`.
/// Holds at most one unfinished line.
///
/// Skips and counts unreadable rows: other people's exports have names in them that break their own quoting. Also skips access
/// points that opt out by the network's name (`AccessPointFilter`), and rows that are not of Wi-Fi.
package struct AccessPointTableReader: Sendable {
  /// The longest line, bytes.
  package static let maximumLine = 4096
  /// The most columns.
  package static let maximumColumns = 64
  /// 68 % radius of a position whose row has none: an access point is received from some 40 m. In Ariel's logs, the
  /// strongest one received is 43 m away in the median, and 68 m at the 67th percentile.
  package static let assumedRadius = Meters(40)

  /// A larger radius carries no information; the bound keeps its square finite.
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
  /// Number of rows that gave a position.
  package private(set) var taken = 0
  /// Number of unreadable rows.
  package private(set) var unreadable = 0
  /// The line of the first unreadable row, from 1.
  package private(set) var firstUnreadable: Int?
  /// Number of readable rows that were skipped: of access points that opt out, of addresses that are not an individual station's,
  /// of phones without a fix, and rows that are not of Wi-Fi.
  package private(set) var leftOut = 0
  /// Access points whose names in these rows opt out. A caller that stores positions must delete theirs, and then empty this set.
  package var optedOut: Set<BSSID> = []

  package init() {}

  /// Reads the next bytes of the file, and passes on the positions that they complete.
  package mutating func push(_ bytes: Span<UInt8>, _ body: (AccessPointPosition) -> Void) throws(AccessPointTableError)
  {
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

  /// Ends the file.
  package mutating func finish(_ body: (AccessPointPosition) -> Void) throws(AccessPointTableError) {
    if !line.isEmpty || isSkipping { try takeLine(body) }
    guard columns != nil else { throw .noHeader }
    guard taken > 0 || leftOut > 0 || unreadable == 0 else { throw .nothingReadable(line: firstUnreadable ?? 1) }
  }

  private mutating func takeLine(_ body: (AccessPointPosition) -> Void) throws(AccessPointTableError) {
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
      // WiGLE's first line describes the phone.
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
      // Bluetooth devices and cell towers have other addresses.
      if let fields, let kind = columns.kind, fields.count == columns.count, !Self.isWiFi(fields[kind]) {
        leftOut += 1
      } else {
        unreadable += 1
        firstUnreadable = firstUnreadable ?? lineNumber
      }
      return
    }
    let isWanted = columns.kind.map { Self.isWiFi(fields[$0]) } ?? true
    let isAllowed = columns.name.map { !AccessPointFilter.hasOptedOut(fields[$0]) } ?? true
    if isWanted, !isAllowed { optedOut.insert(bssid) }
    // A phone at exactly 0°, 0° had no fix.
    guard isWanted, isAllowed, bssid.isIndividual, latitude != 0 || longitude != 0 else {
      leftOut += 1
      return
    }
    let reported = columns.radius.flatMap { CSVFields.number(fields[$0]) }.flatMap {
      $0 > 0 ? min($0, Self.greatestRadius) : nil
    }
    taken += 1
    body(
      AccessPointPosition(
        bssid: bssid, coordinate: coordinate,
        radius68: reported.map { Meters(Math.hypot($0, Self.assumedRadius.value)) } ?? Self.assumedRadius))
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

/// Why a file is not a table of access points.
package enum AccessPointTableError: Error, Hashable, Sendable {
  /// It has no line with column names.
  case noHeader
  /// Its header lacks this one.
  case missingColumn(String)
  /// No row can be read; `line`: the number of the first row's line, from 1.
  case nothingReadable(line: Int)
}

/// Averages all rows of an address in a table: WiGLE's application writes a row for each time that it received a
/// network.
///
/// Rows are weighted by the inverse square of their radius: a row from a nearer observer, or with a better fix, is more
/// accurate. Rows farther apart than an access point's range are two places, and the later one counts. Holds a limited
/// number of addresses; at that number it passes all of them on. If more addresses than that lie between two rows of
/// one address, its last rows count.
package struct AccessPointAverager: Sendable {
  /// Greatest number of addresses held, some 100 bytes each.
  package static let capacity = 65_536
  /// Rows that are farther apart are not of one place, meters: as in learning.
  fileprivate static let greatestRange = PositioningTuning.standard.learning.greatestRange
  /// At most this many rows count as independent: the others come from the same passage past the access point.
  fileprivate static let greatestIndependent = 4.0

  fileprivate struct Average {
    var coordinate: Coordinate
    /// Sum of the weights, m⁻²: each 1 over its radius squared.
    var weight: Double
    /// Mean square of the distances from the mean, weighted, m².
    var scatter = 0.0
    var count = 1
  }

  private let capacity: Int
  private var averages: [BSSID: Average] = [:]

  package init(capacity: Int = capacity) {
    precondition(capacity > 0)
    self.capacity = capacity
  }

  /// Adds a row; if there is no room for another address, passes on all positions so far first.
  package mutating func add(_ place: AccessPointPosition, _ body: (AccessPointPosition) -> Void) {
    let new = Average(
      coordinate: place.coordinate, weight: 1 / (place.radius68.value * place.radius68.value))
    if var average = averages[place.bssid], average.add(new) {
      averages[place.bssid] = average
      return
    }
    if averages.count >= capacity, averages[place.bssid] == nil { finish(body) }
    averages[place.bssid] = new
  }

  /// Removes an access point that opts out.
  package mutating func forget(_ bssid: BSSID) { averages[bssid] = nil }

  /// Passes on all remaining positions, by their addresses.
  package mutating func finish(_ body: (AccessPointPosition) -> Void) {
    for (bssid, average) in averages.sorted(by: { $0.key < $1.key }) {
      body(AccessPointPosition(bssid: bssid, coordinate: average.coordinate, radius68: average.radius68))
    }
    averages.removeAll(keepingCapacity: true)
  }
}

extension AccessPointAverager.Average {
  /// Adds another row unless it is of another place; returns whether it did.
  fileprivate mutating func add(_ other: Self) -> Bool {
    let frame = LocalFrame(origin: coordinate)
    let step = frame.offset(of: other.coordinate)
    guard step.length.value <= AccessPointAverager.greatestRange else { return false }
    let share = other.weight / (weight + other.weight)
    scatter = (scatter + step.length.value * step.length.value * share) * (1 - share)
    coordinate = frame.coordinate(
      at: .init(eastMeters: share * step.eastMeters, northMeters: share * step.northMeters))
    weight += other.weight
    count += 1
    return true
  }

  /// The radius that the rows claim, or the one of their scatter if that is larger, reduced for the mean of several rows.
  fileprivate var radius68: Meters {
    let reported = Double(count) / weight
    // 68 % of a normal error in two axes are within 1.07 times its root mean square.
    let seen = 1.148 * scatter
    return Meters((max(reported, seen) / min(AccessPointAverager.greatestIndependent, Double(count))).squareRoot())
  }
}
