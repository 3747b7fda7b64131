import Fusion
import GNSSReceiver
import Geodesy
import LocationReplay

/// A recorded track whose receiver reports no accuracy, with its reference.
struct ReportedTrack {
  let name: String
  let fixes: [PositionFix]
  let reference: ReferenceTrack

  /// A table as it is.
  init?(_ name: String, asRecorded path: String) {
    guard let rows = Self.rows(path) else { return nil }
    self.init(name, rows.map(\.fix), of: rows)
  }

  /// A table without its accuracies: the only known quality of each position is an HDOP of 1.
  init?(_ name: String, table path: String) {
    guard let rows = Self.rows(path) else { return nil }
    var evidence = AccuracyEvidence()
    evidence.horizontalDilution = 1
    let fixes = rows.map { row in
      var fix = row.fix
      fix.horizontalRadius68 = AccuracyModel.horizontalRadius68(of: evidence, kind: fix.kind)
      fix.horizontalRadiusBasis = AccuracyModel.horizontalRadiusBasis(of: evidence)
      return fix
    }
    self.init(name, fixes, of: rows)
  }

  private init(_ name: String, _ fixes: [PositionFix], of rows: [PositionRow]) {
    self.name = name
    self.fixes = fixes
    reference = ReferenceTrack(
      rows.compactMap { row in row.truth.map { ReferencePoint(time: row.time, coordinate: $0) } })
  }

  private static func rows(_ path: String) -> [PositionRow]? {
    guard let bytes = contents(of: path), !bytes.isEmpty else { return nil }
    var reader = PositionTableReader()
    var rows: [PositionRow] = []
    do throws(TableError) {
      try reader.push(bytes.span) { rows.append($0) }
      try reader.finish { rows.append($0) }
    } catch {
      return nil
    }
    return rows
  }

  /// Plays NMEA without accuracies through the session; `reference` creates the reference from the time of the first
  /// fix.
  init?(_ name: String, nmea path: String, reference: (GNSSTime) -> ReferenceTrack?) {
    guard let bytes = contents(of: path) else { return nil }
    var settings = ReceiverSettings(device: "log")
    settings.hasLineSpeed = false
    settings.mayPoll = false
    var session = ReceiverSession(settings)
    var fixes: [PositionFix] = []
    func keep(_ actions: [ReceiverSession.Action]) {
      for case .epoch(let epoch) in actions where epoch.stage == .complete {
        if let fix = epoch.fix { fixes.append(fix) }
      }
    }
    var now = Instant(nanoseconds: 1_000_000_000_000)
    keep(session.handle(.opened(baud: nil), at: now))
    for burst in Self.bursts(bytes) {
      now = max(now, burst.at)
      keep(session.receive(burst.bytes.span, at: now))
      now = now + .milliseconds(100)
      if let deadline = session.nextDeadline, deadline <= now + .milliseconds(700) {
        keep(session.handle(.wake, at: max(deadline, now)))
      }
      now = now + .milliseconds(700)
    }
    guard let first = fixes.first, let track = reference(first.time) else { return nil }
    (self.name, self.fixes, self.reference) = (name, fixes, track)
  }

  /// The epochs of a log, each beginning with its RMC, and when they arrived: at their own time of day.
  private static func bursts(_ log: [UInt8]) -> [(at: Instant, bytes: [UInt8])] {
    var bursts: [(at: Instant, bytes: [UInt8])] = []
    for line in log.split(separator: UInt8(ascii: "\n")) {
      if bursts.isEmpty || line.starts(with: "$GNRMC,".utf8) {
        let digits = line.dropFirst(7).prefix(6).compactMap { (48...57).contains($0) ? Int64($0) - 48 : nil }
        var at = bursts.last?.at ?? Instant(nanoseconds: 0)
        if digits.count == 6 {
          let minutes = (digits[0] * 10 + digits[1]) * 60 + digits[2] * 10 + digits[3]
          let seconds = minutes * 60 + digits[4] * 10 + digits[5]
          at = Instant(nanoseconds: 1_000_000_000_000 + seconds * 1_000_000_000)
        }
        bursts.append((at, []))
      }
      bursts[bursts.count - 1].bytes += line + [UInt8(ascii: "\n")]
    }
    return bursts
  }

  /// The service's answers, and the receiver's own positions with their radii, both compared with the reference.
  func answers() -> (causal: [EvaluatedPosition], raw: [EvaluatedPosition]) {
    var estimator = Estimator()
    var comparison = TrackComparison(with: reference)
    for fix in fixes {
      let estimate = estimator.handle(fix, at: fix.receivedAt)
      comparison.add(raw: fix, causal: estimate?.causal, lagged: nil)
    }
    return (comparison.causal, comparison.raw)
  }

  /// The odd tenths of a track: the even ones were used for tuning (`Tuning.Radius.noiseShare`).
  static func reported(_ all: [EvaluatedPosition]) -> [EvaluatedPosition] {
    all.indices.filter { ($0 * 10 / all.count) % 2 == 1 }.map { all[$0] }
  }
}

/// The reference from a table of `t,lat,lon` whose times are seconds of the day of the first fix.
func truthOfDay(_ path: String, first: GNSSTime) -> ReferenceTrack? {
  guard let bytes = contents(of: path) else { return nil }
  let midnight = first.nanosecondsSince1970 - first.nanosecondsSinceMidnight
  let points = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).dropFirst()
    .compactMap { line -> ReferencePoint? in
      let fields = line.split(separator: ",").compactMap { Double($0) }
      guard fields.count == 3, let place = Coordinate(checkingLatitude: fields[1], longitude: fields[2]) else {
        return nil
      }
      return ReferencePoint(
        time: GNSSTime(nanosecondsSince1970: midnight + Int64((fields[0] * 1e9).rounded())), coordinate: place)
    }
  return ReferenceTrack(points)
}
