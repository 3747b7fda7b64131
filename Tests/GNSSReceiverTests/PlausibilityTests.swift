import GNSSReceiver
import Geodesy
import Testing

/// Tests which positions are marked as impossible for any vehicle.
@Suite struct PlausibilityTests {
  /// The marks of positions, given in meters east of a point, at a constant interval in seconds and with the speed that
  /// the receiver reports.
  private func verdicts(
    _ meters: [Double], every seconds: Double = 1, radius: Double = 4.6, speed: Double? = 0
  ) -> [Bool] {
    var check = PlausibilityCheck()
    let start = GNSSTime(nanosecondsSince1970: 1_780_000_000_000_000_000)
    return meters.enumerated().map { index, meters in
      check.isImplausible(
        Coordinate(latitude: Angle(degrees: 0), longitude: Angle(degrees: meters / 111_319.49)),
        at: start + .milliseconds(Int64(Double(index) * seconds * 1000)), radius68: Meters(radius),
        speedMetersPerSecond: speed)
    }
  }

  /// 640 km apart: after the first few positions, neither place is believed while the alternation continues.
  @Test(arguments: [1, 2, 3]) func placesInTurnAreBothInDoubt(inARow: Int) {
    let marks = verdicts((0..<60).map { $0 / inARow % 2 == 0 ? 0 : 640_000 }, speed: nil)
    #expect(!marks[0])
    #expect(marks.dropFirst(4 * inARow + 1).allSatisfy { $0 })
  }

  /// A jump that lasts is marked until the new place is believed; afterwards nothing is marked.
  @Test(arguments: [0, nil] as [Double?]) func aJumpThatLastsIsAccepted(speed: Double?) {
    let marks = verdicts(Array(repeating: 0, count: 20) + Array(repeating: 640_000, count: 30), speed: speed)
    #expect(marks.indices.filter { marks[$0] } == [20, 21])
  }

  @Test func aSpikeMarksItselfAlone() {
    var meters = [Double](repeating: 0, count: 40)
    meters[20] = 640_000
    let marks = verdicts(meters)
    #expect(marks.indices.filter { marks[$0] } == [20])
  }

  /// However long and far an excursion is, the positions after it are accepted: at once if the receiver is known to have been there
  /// before the excursion, otherwise after the time that any new place needs.
  @Test(arguments: [700, 1500, 640_000] as [Double], [nil, 0, 14] as [Double?])
  func theReturnFromAnExcursionIsAccepted(distance: Double, speed: Double?) {
    for length in 1...80 {
      let meters = (0..<140).map { (speed ?? 0) * Double($0) + ((30..<30 + length).contains($0) ? distance : 0) }
      let marks = verdicts(meters, speed: speed)
      #expect(!marks[..<30].contains(true) && marks[30], "\(length)")
      let after = marks.indices.filter { $0 >= 30 + length && marks[$0] }
      #expect(after.count <= (length < 60 ? 0 : 2), "\(length): \(after)")
      #expect(marks[30..<30 + length].count(where: \.self) == min(length, 2), "\(length)")
    }
  }

  /// One excursion is a single fault; if a second one follows within a quarter of a minute, the receiver is not
  /// believed.
  @Test(arguments: [2, 4]) func excursionsInARowAreInDoubt(length: Int) {
    let excursions = [20..<20 + length, 26..<26 + length]
    let marks = verdicts((0..<60).map { second in excursions.contains { $0.contains(second) } ? 640_000 : 0 })
    #expect(marks[26..<36].allSatisfy { $0 } && !marks[20 + length..<26].contains(true) && !marks[59])
  }

  /// Doubt ends when no position has contradicted another for a while.
  @Test func doubtEnds() {
    let marks = verdicts((0..<60).map { $0 < 20 && $0 % 2 == 1 ? 640_000 : 0 })
    #expect(marks[19] && !marks[59])
    #expect((marks.lastIndex(of: true) ?? 0) < 40)
  }

  /// A receiver that started with a wrong date and whose position wandered: once its clock is set back, by an hour or four
  /// years, it is believed.
  @Test(arguments: [3600, 126_000_000]) func doubtEndsWithTheClockThatCausedIt(secondsBack: Int) {
    var check = PlausibilityCheck()
    let start = GNSSTime(nanosecondsSince1970: 1_780_000_000_000_000_000)
    func isMarked(_ meters: Double, at second: Int) -> Bool {
      check.isImplausible(
        Coordinate(latitude: Angle(degrees: 0), longitude: Angle(degrees: meters / 111_319.49)),
        at: start + .seconds(second), radius68: Meters(4.6), speedMetersPerSecond: nil)
    }
    let wandering = (0..<12).map { isMarked($0 % 2 == 0 ? 0 : 640_000, at: $0) }
    #expect(wandering.last == true)
    let settled = (0..<120).map { isMarked(0, at: $0 - secondsBack) }
    #expect(!settled.contains(true))
  }

  /// The position moves 300 m per second while the Doppler speed is 0.1 kn.
  @Test(arguments: [1.0, 0.2]) func aPlaceThatRunsAwayFromItsSpeedIsMarked(period: Double) {
    let steps = (0..<Int(40 / period)).map { 300 * period * Double($0) }
    let marks = verdicts(steps, every: period, speed: 0.05)
    #expect(marks.dropFirst(Int(4 / period)).allSatisfy { $0 })
    #expect(!verdicts(steps, every: period, speed: 300).contains(true))
    #expect(!verdicts(steps, every: period, speed: nil).contains(true))
  }

  /// The receiver claims an accuracy of a centimeter and a speed of zero, and its position jumps 100 m to and fro.
  @Test func aMillimeterThatJumpsIsMarked() {
    let marks = verdicts((0..<30).map { $0 % 2 == 0 ? 0 : 100 }, radius: 0.01)
    #expect(marks.dropFirst(4).allSatisfy { $0 })
  }

  /// In streets, positions jump by tens of meters, and a first fix converges: radii account for both.
  @Test func noiseIsNoContradiction() {
    #expect(!verdicts((0..<60).map { $0 % 2 == 0 ? 0 : 60 }).contains(true))
    #expect(!verdicts([400, 300, 150, 20] + (0..<40).map { _ in 0.0 }, radius: 60).contains(true))
    // A car brakes from 40 m/s to a stop, and the reported speed lags behind.
    var place = 0.0
    var check = PlausibilityCheck()
    let start = GNSSTime(nanosecondsSince1970: 1_780_000_000_000_000_000)
    for (index, speed) in [40.0, 40, 40, 30, 20, 10, 0, 0].enumerated() {
      let isMarked = check.isImplausible(
        Coordinate(latitude: Angle(degrees: 0), longitude: Angle(degrees: place / 111_319.49)),
        at: start + .seconds(index), radius68: Meters(3), speedMetersPerSecond: max(0, speed - 20))
      #expect(!isMarked)
      place += speed
    }
  }
}
