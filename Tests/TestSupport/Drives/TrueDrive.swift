import Foundation
package import Geodesy
import LocationReplay

/// A true track, and fixes along it.
package struct TrueDrive {
  /// The start of every simulated drive.
  package static let beginning = GNSSTime(nanosecondsSince1970: 1_795_000_000_000_000_000)

  /// The true positions: twice per second if simulated, and at every fix if recorded.
  package let truth: [(time: GNSSTime, place: Coordinate)]
  package let fixes: [PositionFix]

  /// Through a town with streets at right angles: from junction to junction at 3 to 20 m/s, with a stop at every third one.
  package init(seed: UInt64, minutes: Int = 40) {
    var random = SplitMix64(seed: seed)
    let frame = LocalFrame(origin: Coordinate(latitude: Angle(degrees: 48.1), longitude: Angle(degrees: 11.5)))
    var (east, north, course, speed, target) = (0.0, 0.0, 0.0, 10.0, 10.0)
    var (left, waiting) = (200.0, 0)
    var truth: [(GNSSTime, Coordinate)] = []
    var fixes: [PositionFix] = []
    for tick in 0..<minutes * 600 {
      let seconds = Double(tick) / 10
      let place = frame.coordinate(at: .init(eastMeters: east, northMeters: north))
      if tick.isMultiple(of: 5) { truth.append((Self.beginning + .milliseconds(tick * 100), place)) }
      if tick.isMultiple(of: 10) { fixes.append(Self.fix(seconds, place, speed, course)) }
      if waiting > 0 {
        waiting -= 1
        speed = 0
        continue
      }
      // Slow before a turn, with an acceleration of at most 2 m/s² otherwise.
      let wanted = min(target, (4 * max(left, 0) + 9).squareRoot())
      speed += min(max(wanted - speed, -0.2), 0.2)
      let radians = course * .pi / 180
      east += speed / 10 * Math.sin(radians)
      north += speed / 10 * Math.cos(radians)
      left -= speed / 10
      guard left <= 0 else { continue }
      left = Double.random(in: 150...600, using: &random)
      target = Double.random(in: 3...20, using: &random)
      // Towards the center, more often than not.
      let turns = [0.0, 90, 270]
      let home = Math.atan2(-east, -north) * 180 / .pi
      let best = turns.min {
        abs((course + $0 - home).remainder(dividingBy: 360)) < abs((course + $1 - home).remainder(dividingBy: 360))
      }
      let turn = Bool.random(using: &random) ? best ?? 0 : turns.randomElement(using: &random) ?? 0
      course = (course + turn).truncatingRemainder(dividingBy: 360)
      if Int.random(in: 0..<3, using: &random) == 0 { waiting = Int.random(in: 50...600, using: &random) }
    }
    (self.truth, self.fixes) = (truth, fixes)
  }

  /// Straight to the north-east.
  package init(straightAt speed: Double, seconds: Int) {
    let frame = LocalFrame(origin: Coordinate(latitude: Angle(degrees: 48.1), longitude: Angle(degrees: 11.5)))
    var truth: [(GNSSTime, Coordinate)] = []
    var fixes: [PositionFix] = []
    for tick in 0..<seconds * 10 {
      let way = speed * Double(tick) / 10 * 0.5.squareRoot()
      let place = frame.coordinate(at: .init(eastMeters: way, northMeters: way))
      if tick.isMultiple(of: 5) { truth.append((Self.beginning + .milliseconds(tick * 100), place)) }
      if tick.isMultiple(of: 10) { fixes.append(Self.fix(Double(tick) / 10, place, speed, 45)) }
    }
    (self.truth, self.fixes) = (truth, fixes)
  }

  /// Straight on, with one fix per second for half a minute and none in the next.
  package static func inParts(at speed: Double) -> TrueDrive {
    TrueDrive(straightAt: speed, seconds: 1200).without { Int(($0 - beginning).inSeconds) % 60 < 30 }
  }

  /// A recorded drive.
  package init(table name: String) throws {
    let path = "\(RecordedDrive.folder ?? "")/gnss/\(name).csv"
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    var reader = PositionTableReader()
    var rows: [PositionRow] = []
    try reader.push(bytes.span) { rows.append($0) }
    try reader.finish { rows.append($0) }
    truth = rows.compactMap { row in row.truth.map { (row.time, $0) } }
    fixes = rows.map(\.fix)
  }

  private init(truth: [(time: GNSSTime, place: Coordinate)], fixes: [PositionFix]) {
    (self.truth, self.fixes) = (truth, fixes)
  }

  /// The drive with this many meters of noise per axis, which the radius includes.
  package func with(noise: Double, seed: UInt64) -> TrueDrive {
    guard noise > 0 else { return self }
    var random = SplitMix64(seed: seed)
    let noisy = fixes.map { fix in
      var fix = fix
      // The Box–Muller method.
      let size = noise * (-2 * Math.log(Double.random(in: 1e-12...1, using: &random))).squareRoot()
      let angle = Double.random(in: 0...2 * .pi, using: &random)
      fix.coordinate = LocalFrame(origin: fix.coordinate).coordinate(
        at: .init(eastMeters: size * Math.cos(angle), northMeters: size * Math.sin(angle)))
      fix.horizontalRadius68 = Meters(Math.hypot(fix.horizontalRadius68.value, 1.51 * noise))
      fix.horizontalRadiusBasis = .accuracy
      return fix
    }
    return TrueDrive(truth: truth, fixes: noisy)
  }

  /// Meters along the track between two times.
  package func way(from start: GNSSTime, to end: GNSSTime) -> Double {
    let part = truth.filter { $0.time >= start && $0.time <= end }
    return zip(part, part.dropFirst()).reduce(0) { sum, pair in
      sum + LocalFrame(origin: pair.0.place).offset(of: pair.1.place).length.value
    }
  }

  /// The drive without the fixes for which `isLost` returns `true`.
  package func without(_ isLost: (GNSSTime) -> Bool) -> TrueDrive {
    TrueDrive(truth: truth, fixes: fixes.filter { !isLost($0.time) })
  }

  private static func fix(_ seconds: Double, _ place: Coordinate, _ speed: Double, _ course: Double) -> PositionFix {
    let time = beginning + .microseconds(Int((seconds * 1e6).rounded()))
    var fix = PositionFix(
      time: time, timeValidity: .confirmed, receivedAt: Instant(nanoseconds: time.nanosecondsSince1970),
      coordinate: place, horizontalRadius68: Meters(3), kind: .threeDimensional, technologies: .gnss)
    fix.speedMetersPerSecond = speed
    fix.course = Angle(degrees: course)
    return fix
  }
}
