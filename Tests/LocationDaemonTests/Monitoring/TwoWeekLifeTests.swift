import Foundation
import Geodesy
import LocationIPC
import LocationPolicy
import LocationdRecords
import Regions
import TestSupport
import Testing

/// Two weeks of a life with three regions, visits and significant changes, with reboots and power failures in between, compared
/// with a list of the expected events.
@Suite struct TwoWeekLifeTests {
  private static let seed: UInt64 = 11
  private static let radius = 150.0

  private static func places(_ week: SimulatedWeek) -> [(name: String, east: Double, north: Double)] {
    // The place with the longest stays is home, then work; the third is the place of one errand.
    var found: [(east: Double, north: Double, seconds: Double)] = []
    for stay in week.stays {
      if let index = found.firstIndex(where: { Math.hypot($0.east - stay.east, $0.north - stay.north) < 1 }) {
        found[index].seconds += stay.departure - stay.arrival
      } else {
        found.append((stay.east, stay.north, stay.departure - stay.arrival))
      }
    }
    found.sort { $0.seconds > $1.seconds }
    return zip(["home", "work", "errand"], found).map { ($0, $1.east, $1.north) }
  }

  private static let frame = LocalFrame(
    origin: Coordinate(latitude: Angle(degrees: 47.3), longitude: Angle(degrees: 8.5)))

  private static func region(_ place: (name: String, east: Double, north: Double)) throws -> Region {
    let center = frame.coordinate(
      at: LocalFrame.Offset(eastMeters: place.east, northMeters: place.north))
    return try Region(
      identifier: place.name, shape: .circle(CircleShape(center: center, radius: Meters(radius))))
  }

  private static let tokens = (enter: CommandToken(high: 1, low: 1), exit: CommandToken(high: 1, low: 2))

  private static func clock(_ seconds: Double?) -> String {
    guard let seconds else { return "at some time" }
    let whole = Int(seconds.rounded())
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return "day \(whole / 86_400) \(two(whole / 3600 % 24)):\(two(whole / 60 % 60)):\(two(whole % 60))"
  }

  private static func seconds(_ time: GNSSTime?) -> Double? {
    time.map { Double(($0 - WeekSensor.epoch).wholeNanoseconds) / 1e9 }
  }

  private static func line(_ event: MonitoringEvent) -> String {
    let when = clock(seconds(event.time))
    let again = event.attempt > 1 ? " (told \(event.attempt) times)" : ""
    switch (event.subject, event.kind) {
    case (.region(let name), .crossed(.inside)): return "\(when) entered \(name)\(again)"
    case (.region(let name), _): return "\(when) left \(name)\(again)"
    case (_, .arrived(let visit)), (_, .departed(let visit)):
      let offset = frame.offset(of: visit.coordinate)
      let place = "\(Int((offset.eastMeters / 100).rounded())), \(Int((offset.northMeters / 100).rounded()))"
      return if case .arrived = event.kind {
        "\(when) arrived at \(place)\(again)"
      } else {
        "\(when) departed from \(place), arrived \(clock(seconds(visit.arrival)))\(again)"
      }
    case (.significantChanges, _): return "\(when) moved\(again)"
    default: return "\(when) ?"
    }
  }

  /// Simulates two weeks; returns the events, one per line, and for how long positions were requested.
  private static func life(_ kind: WeekSensor.Kind) throws -> (events: [MonitoringEvent], looked: Double, of: Double) {
    let week = SimulatedWeek(seed: seed, days: 14)
    var sensor = WeekSensor(kind, seed: seed)
    let folder = MonitoringBed.Folder()
    var events: [MonitoringEvent] = []
    var (bed, looked): (MonitoringBed?, Double) = (MonitoringBed(folder), 0)
    let launch = MonitoringLaunch(onEntry: tokens.enter, onExit: tokens.exit)
    let regions = try places(week).map { MonitoredRegion(try region($0), launch: launch) }
    #expect(bed?.ask(.add(list: "life", regions, outlives: true)) == .done(RequestID(1)))
    bed?.ask(.setVisits(list: "life", isOn: true, launch, outlives: true))
    bed?.ask(.setSignificantChanges(list: "life", isOn: true, launch, outlives: true))
    // Orderly reboots at noon of some days, power failures of one minute in the evening of others.
    let cuts: [(at: Double, isOrderly: Bool)] = [
      (1.5, true), (2.8, false), (4.35, false), (6.0, true), (9.5, false), (11.75, true),
    ].map { ($0.0 * 86_400, $0.1) }
    for cut in cuts + [(week.duration, true)] {
      bed?.live(week, &sensor, until: cut.at, period: kind == .wifi ? 30 : 1)
      if cut.isOrderly { bed?.send(.end) }
      events += bed?.launches.map(\.event) ?? []
      looked += bed?.lookedUntilNow ?? 0
      bed = nil
      if cut.at < week.duration { bed = MonitoringBed(folder, at: cut.at + 60) }
    }
    return (events, looked, week.duration)
  }

  /// The borders that the true track crosses.
  private static func truth() -> [(name: String, isEntry: Bool, time: Double)] {
    let week = SimulatedWeek(seed: seed, days: 14)
    var crossings: [(name: String, isEntry: Bool, time: Double)] = []
    for place in places(week) {
      func isInside(_ time: Double) -> Bool {
        let truth = week.truth(at: time)
        return Math.hypot(truth.east - place.east, truth.north - place.north) <= radius
      }
      var was = isInside(0)
      var time = 0.0
      while time < week.duration {
        let now = isInside(time)
        if now != was { crossings.append((place.name, now, time)) }
        was = now
        time += 1
      }
    }
    return crossings.sorted { $0.time < $1.time }
  }

  @Test(arguments: WeekSensor.Kind.allCases) func itIsReportedAsItWas(kind: WeekSensor.Kind) throws {
    let (events, looked, whole) = try Self.life(kind)
    let lines = events.map(Self.line)
    let name = kind == .wifi ? "two-weeks-wifi" : "two-weeks-satellites"
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Lives/\(name).txt")
    let golden = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
    #expect(lines == golden)
    #expect(events.allSatisfy { $0.attempt == 1 })
    // Independently of that list: no lasting crossing is missed, and none is made up.
    let reported = events.compactMap { event -> (name: String, isEntry: Bool, time: Double?)? in
      guard case .region(let name) = event.subject, case .crossed(let state) = event.kind else { return nil }
      return (name, state == .inside, Self.seconds(event.time))
    }
    for place in ["home", "work", "errand"] {
      let truth = Self.truth().filter { $0.name == place }
      let mine = reported.filter { $0.name == place }
      // A passage that is over between two position checks may be missed.
      var open = truth
      for event in mine {
        let index = open.firstIndex { $0.isEntry == event.isEntry && abs($0.time - (event.time ?? $0.time)) < 400 }
        #expect(index != nil, "\(place) \(event.isEntry) at \(Self.clock(event.time)) never happened")
        if let index { open.remove(at: index) }
      }
      // An exit that is followed by an entry before the next position check may be missed.
      #expect(open.count.isMultiple(of: 2))
      for (one, other) in zip(open, open.dropFirst()).enumerated().filter({ $0.offset % 2 == 0 }).map(\.element) {
        #expect(one.isEntry != other.isEntry && other.time - one.time < 200, "missed: \(place) at \(one.time)")
      }
    }
    #expect(looked < whole / 2, "\(Int(looked)) of \(Int(whole)) seconds")
  }
}
