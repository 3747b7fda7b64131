import Foundation
import Geodesy
import LocationReplay
import Testing

@Suite struct ReferenceReadingTests {
  private static let day: Int64 = 86_400

  private func sentence(_ body: String) -> String {
    let checksum = body.utf8.reduce(0, ^)
    let digits = String(checksum, radix: 16, uppercase: true)
    return "$\(body)*\(digits.count < 2 ? "0" : "")\(digits)\r\n"
  }

  private func gga(_ time: String, quality: Int = 1) -> String {
    sentence("GPGGA,\(time),4716.5,N,00830.0,E,\(quality),08,1.0,400.0,M,48.0,M,,")
  }

  private func rmc(_ time: String, _ date: String) -> String {
    sentence("GPRMC,\(time),A,4716.5,N,00830.0,E,0.0,0.0,\(date),,,A")
  }

  private func read(_ text: String) -> Reference {
    var reader = NMEAReferenceReader()
    reader.push(Array(text.utf8).span)
    return reader.reference
  }

  private func seconds(_ reference: Reference) -> [Double] {
    reference.points.map { Double($0.time.nanosecondsSince1970) / 1e9 }
  }

  @Test func timesGoOnOverMidnight() {
    let reference = read(gga("235959.50") + gga("000000.25") + gga("000001.00"))
    #expect(reference.clock == .timeOfDay)
    #expect(seconds(reference) == [86399.5, 86400.25, 86401])
    #expect(reference.points[0].coordinate == Coordinate(checkingLatitude: 47.275, longitude: 8.5))
  }

  /// The date comes after midnight: the epochs before it belong to the previous day.
  @Test func aDateDatesWhatCameBefore() {
    let reference = read(gga("235959.00") + gga("000000.00") + rmc("000000.00", "010320") + gga("000001.00"))
    #expect(reference.clock == .calendar)
    // 2020-03-01 is day 18,322.
    #expect(seconds(reference) == [-1, 0, 1].map { Double(18_322 * Self.day + $0) })
  }

  @Test func leavesOutWhatIsNoPosition() {
    let damaged = gga("120001.00").replacingOccurrences(of: "4716", with: "4717")
    let text = gga("120000.00") + damaged + gga("120002.00", quality: 0) + "noise" + gga("120003.00")
    #expect(seconds(read(text)) == [43200, 43203])
    #expect(read("").points.isEmpty)
  }

  private func time(_ seconds: Int64) -> GNSSTime { GNSSTime(nanosecondsSince1970: seconds * 1_000_000_000) }

  @Test func isPutBesideTheLogByWholeDays() {
    func days(_ clock: ReferenceClock, _ from: Int64, _ to: Int64, beside: ReferenceClock, _ start: Int64) -> Int {
      clock.days(of: time(from)...time(to), beside: beside, from: time(start))
    }
    let noon: Int64 = 43_200
    // A reference with times of day, compared with a log of day 18,322: within it, and a little before and after.
    #expect(days(.timeOfDay, noon, noon + 600, beside: .calendar, 18_322 * Self.day + noon + 60) == 18_322)
    #expect(days(.timeOfDay, noon, noon + 600, beside: .calendar, 18_322 * Self.day + noon - 60) == 18_322)
    #expect(days(.timeOfDay, noon, noon + 600, beside: .calendar, 18_322 * Self.day + noon + 700) == 18_322)
    // The reference begins before midnight, and the log after it.
    #expect(days(.timeOfDay, 86_390, 87_000, beside: .calendar, 18_323 * Self.day + 5) == 18_322)
    // A reference of 30 hours, joined in its 25th.
    #expect(days(.timeOfDay, 0, 30 * 3600, beside: .calendar, 100 * Self.day + 3600) == 100)
    // A table that counts from midnight compared with a dated reference, and the other way round.
    #expect(days(.calendar, 100 * Self.day, 100 * Self.day + 60, beside: .seconds, 30) == -100)
    #expect(days(.seconds, 0, 60, beside: .calendar, 100 * Self.day + 30) == 100)
    // Both have dates, or both count from the same start.
    #expect(days(.calendar, noon, noon + 60, beside: .calendar, 100 * Self.day) == 0)
    #expect(days(.seconds, noon, noon + 60, beside: .seconds, 100 * Self.day) == 0)
    #expect(ReferenceClock(ofTableFrom: time(1_600_000_000)) == .calendar)
    #expect(ReferenceClock(ofTableFrom: time(553_950)) == .seconds)
  }

  @Test func answersArriveWithTheFixThatBroughtThem() throws {
    let place = try #require(Coordinate(checkingLatitude: 0, longitude: 0))
    let track = ReferenceTrack((0..<3).map { ReferencePoint(time: time($0), coordinate: place) })
    var comparison = TrackComparison(with: track)
    func fix(_ seconds: Int64) -> PositionFix {
      PositionFix(
        time: time(seconds), timeValidity: .confirmed, receivedAt: Instant(nanoseconds: 0), coordinate: place,
        horizontalRadius68: Meters(1), kind: .threeDimensional, technologies: .gnss)
    }
    comparison.add(raw: fix(0), causal: fix(0), lagged: nil)
    comparison.add(raw: fix(2), causal: nil, lagged: fix(0))
    #expect(comparison.raw.map(\.radius68Meters) == [1, 1])
    var bare = fix(1)
    bare.horizontalRadiusBasis = .assumed
    comparison.add(raw: bare, causal: nil, lagged: nil)
    #expect(comparison.raw.last?.radius68Meters == .some(nil))
    comparison.add(raw: fix(9), causal: fix(9), lagged: fix(1))
    #expect(comparison.raw.count == 3 && comparison.withoutTruth == 1 && comparison.causal.count == 1)
    #expect(comparison.lagged.map(\.latency) == [.seconds(2), .seconds(8)])
  }
}
