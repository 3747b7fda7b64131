import Geodesy
import LocationReplay
import Positioning
import WireFormats

/// Recorded scans of phones with the phone's own satellite position: half of the time of a device-day teaches, the other half asks.
///
/// The halves are blocks of `block` seconds in turn, and each half asks the other once. The blocks of one walk meet in the streets, so
/// that access points are known mostly from one side and with a common error, as those that a machine learns. The days of `tuning`
/// were used to choose the constants of the radius, the others for the reported figures.
struct RecordedScans {
  /// A device-day whose scans have times.
  static let tuning: Set<String> = ["phone3/5"]
  /// Seconds.
  private static let block = 30.0
  /// Less accurate positions of the phone are no truth, meters.
  private static let greatestAccuracy = 15.0

  fileprivate struct Scan {
    var seconds: Double
    var coordinate: Coordinate
    var accuracy: Double
    var observations: [AccessPointObservation]
    var instant: Instant
  }

  /// The answers of one device-day: with at least this many known access points, and the geometric median of the same scans.
  struct Day {
    let name: String
    private(set) var answers: [(known: Int, judged: EvaluatedPosition)] = []
    private(set) var median: [(own: Double, other: Double)] = []

    fileprivate init(_ name: String, _ scans: [Scan]) {
      self.name = name
      for half in 0..<2 {
        let isAsked = { (scan: Scan) in Int(scan.seconds / RecordedScans.block) % 2 == half }
        let records = RecordedScans.learn(scans.filter { !isAsked($0) })
        for scan in scans where isAsked(scan) && scan.accuracy <= RecordedScans.greatestAccuracy {
          ask(scan, places: scan.observations.compactMap { records[$0.bssid]?.place() })
        }
      }
    }

    private mutating func ask(_ scan: Scan, places: [AccessPointPosition]) {
      guard let answer = WiFiSolver().solve(scan.observations, places: places, at: scan.instant) else { return }
      func error(_ place: Coordinate) -> Double { Geodesic.inverse(from: place, to: scan.coordinate).distance.value }
      answers.append(
        (
          places.count,
          EvaluatedPosition(
            time: GNSSTime(nanosecondsSince1970: scan.instant.nanoseconds), errorMeters: error(answer.coordinate),
            radius68Meters: answer.radius68.value)
        ))
      guard let peers = WiFiPeers(scan.observations, places, at: scan.instant) else { return }
      median.append((error(answer.coordinate), error(peers.geometricMedian)))
    }
  }

  let days: [Day]

  /// The scans of a table; `nil` if it cannot be read.
  init?(path: String) {
    guard let bytes = contents(of: path) else { return nil }
    var scans: [String: [Scan]] = [:]
    for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).dropFirst() {
      let fields = line.split(separator: ",", omittingEmptySubsequences: false)
      guard fields.count == 9, let bssid = BSSID(fields[3]), let day = Int64(fields[1]), let signal = Double(fields[5]),
        let latitude = Double(fields[6]), let longitude = Double(fields[7]), let accuracy = Double(fields[8]),
        let coordinate = Coordinate(checkingLatitude: latitude, longitude: longitude)
      else { continue }
      let time = fields[2].split(separator: ":").compactMap { Double($0) }
      guard time.count == 3 else { continue }
      let seconds = time[0] * 3600 + time[1] * 60 + time[2]
      let instant = Instant(nanoseconds: (20_000 + day) * 86_400_000_000_000 + Int64(seconds * 1e9))
      let observation = AccessPointObservation(
        bssid: bssid, signalDecibelMilliwatts: signal, frequencyMegahertz: nil, receivedAt: instant)
      var list = scans["\(fields[0])/\(day)"] ?? []
      if list.last?.seconds == seconds {
        list[list.count - 1].observations.append(observation)
      } else {
        list.append(
          Scan(
            seconds: seconds, coordinate: coordinate, accuracy: accuracy, observations: [observation], instant: instant)
        )
      }
      scans["\(fields[0])/\(day)"] = list
    }
    // Two of the device-days have one time for all rows.
    days = scans.filter { $0.value.count > 20 }.sorted { $0.key < $1.key }.map { Day($0.key, $0.value) }
  }

  private static func learn(_ scans: [Scan]) -> [BSSID: AccessPointRecord] {
    var cache = RecordCache(capacity: 10_000)
    var locator = ObservationLocator()
    for scan in scans {
      _ = cache.learn(locator.handle(scan.observations))
      let fix = PositionFix(
        time: GNSSTime(nanosecondsSince1970: scan.instant.nanoseconds), timeValidity: .confirmed,
        receivedAt: scan.instant, coordinate: scan.coordinate, horizontalRadius68: Meters(max(1, scan.accuracy)),
        kind: .threeDimensional, technologies: .gnss)
      _ = cache.learn(locator.handle(fix))
    }
    return Dictionary(cache.unsaved().map { ($0.bssid, $0) }) { first, _ in first }
  }

  /// Prints the coverage of each day, and of positions from 2, 4 and 8 known access points and more.
  func write() {
    for day in days {
      let name = "recorded scans of \(day.name)\(Self.tuning.contains(day.name) ? " (tuning)" : "")"
      for least in [1, 2, 4, 8] {
        let answers = day.answers.filter { $0.known >= least }.map(\.judged)
        // The share of fewer scans is chance.
        guard answers.count >= 20, let coverage = Coverage(answers) else { continue }
        let known = "\(name), \(least) known and more, \(answers.count) scans"
        Figure(name: "\(known): inside the radius, meant to be 60 to 78", value: 100 * coverage.inside68, unit: "%")
          .write()
        Figure(name: "\(known): beyond 3 x the radius", value: 100 * coverage.beyond3, unit: "%", reach: 2).write()
      }
      guard day.median.count >= 20, let own = Distribution(day.median.map(\.own)),
        let other = Distribution(day.median.map(\.other))
      else { continue }
      Figure(
        name: "\(name): median", value: own.p50, unit: "m", reach: other.p50, peer: "geometric median",
        peerValue: other.p50
      ).write()
    }
  }
}
