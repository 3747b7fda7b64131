import Geodesy

/// Compares the two sides of an epoch field by field, with the precision that gpsd prints.
struct EpochComparison {
  /// Half of gpsd's last digit plus half of this package's.
  private static let degrees = 1.6e-9
  private static let meters = 0.00061
  private static let milliseconds = 1

  /// The fields that differ, with both values for a reader.
  let differences: [(field: Difference, detail: String)]
  /// gpsd reports something about this epoch that can be compared.
  let isCompared: Bool

  init(_ pair: EpochPair, of log: ReceiverLog) {
    var found: [(Difference, String)] = []
    switch (pair.expected, pair.played) {
    case (nil, nil):
      isCompared = false
    case (let expected?, nil):
      isCompared = true
      found.append((.missing, "mode \(expected.mode) at \(expected.timeText)"))
    case (nil, let played?):
      isCompared = played.fix != nil
      if let fix = played.fix { found.append((.extra, "fix at \(fix.timeText)")) }
    case (let expected?, let played?):
      isCompared = true
      found += Self.compare(expected, played, of: log)
      // If a list marks the satellites that are used, they are compared one by one.
      if !pair.skies.contains(where: \.marksUsed), let ours = played.fix?.satellitesUsed, !pair.used.isEmpty,
        !pair.used.contains(ours)
      {
        found.append((.used, "\(pair.used.sorted()), here \(ours)"))
      }
      for sky in pair.skies { found += SkyComparison(sky).found }
    }
    differences = found.map { (field: $0.0, detail: $0.1) }
  }

  private static func compare(_ expected: ExpectedReport, _ played: Playback.Epoch, of log: ReceiverLog) -> [(
    Difference, String
  )] {
    guard let fix = played.fix else {
      return expected.hasFix ? [(.fix, "gpsd: mode \(expected.mode) at \(expected.timeText); here: none")] : []
    }
    guard expected.hasFix, let latitude = expected.latitude, let longitude = expected.longitude else {
      return [(.fix, "gpsd: none, mode \(expected.mode); here: \(fix.kind) at \(fix.timeText)")]
    }
    var found: [(Difference, String)] = []
    if expected.mode != fix.dimensions { found.append((.mode, "\(expected.mode), here \(fix.dimensions)")) }
    // Sentences of one epoch may contain times that differ by milliseconds.
    if let time = expected.time, abs(time - fix.milliseconds) > milliseconds,
      !(abs(time - fix.milliseconds) <= 10 && expected.timeOfDay.map(played.timesOfDay.contains) ?? false)
    {
      found.append((.time, "\(expected.timeText), here \(fix.timeText)"))
    }
    func check(_ field: Difference, _ theirs: Double?, _ ours: Double?, within tolerance: Double) {
      guard let theirs, let ours, abs(theirs - ours) > tolerance else { return }
      found.append((field, "\(theirs), here \(ours)"))
    }
    // Of several sentences, gpsd takes the latest and this package the most precise: if gpsd has another sentence's value, it
    // differs by at most the last digit of the less precise one.
    func step(_ theirs: Double, _ reported: [Double]) -> Double {
      reported.contains { abs($0 - theirs) <= degrees } ? degrees + played.coordinateStep : degrees
    }
    check(.latitude, latitude, fix.coordinate.latitude.degrees, within: step(latitude, played.latitudes))
    check(.longitude, longitude, fix.coordinate.longitude.degrees, within: step(longitude, played.longitudes))
    // If UBX and NMEA are mixed, this package takes UBX's millimeters and gpsd the latest value.
    let height = meters + (log.kind == .ubx ? played.heightStep : 0)
    check(
      .heightAboveEllipsoid, expected.heightAboveEllipsoid, fix.heightAboveEllipsoid?.value, within: height)
    check(
      .heightAboveMeanSeaLevel, expected.heightAboveMeanSeaLevel, fix.heightAboveMeanSeaLevel?.value, within: height)
    return found
  }
}

extension ExpectedReport {
  var timeText: String { time.map(String.init) ?? "no time" }
}

extension PositionFix {
  var milliseconds: Int { Int((time.nanosecondsSince1970 + 500_000) / 1_000_000) }
  fileprivate var timeText: String { String(milliseconds) }

  /// 2 or 3, gpsd's count of dimensions.
  fileprivate var dimensions: Int {
    switch kind {
    case .twoDimensional: 2
    case .threeDimensional, .differential: 3
    case .estimated, .rtkFloat, .rtkFixed: heightAboveEllipsoid == nil && heightAboveMeanSeaLevel == nil ? 2 : 3
    }
  }
}
