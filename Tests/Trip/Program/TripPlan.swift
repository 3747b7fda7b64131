import Geodesy
import LocationIPC
import LocationPolicy

/// Two weeks: the route of the car, and the events meanwhile. The courses and times are fictitious; each kind of event occurs at
/// least once while driving and, if possible, while parked.
struct TripPlan {
  private(set) var steps: [TripStep] = []
  private var course = 30.0

  /// Saturday, 2026-08-01, 05:00 UTC.
  static let start = GNSSTime(nanosecondsSince1970: 1_785_560_400_000_000_000)

  static let everything: [TripStep] = {
    var plan = TripPlan()
    plan.firstWeek()
    plan.secondWeek()
    return plan.steps
  }()

  private mutating func firstWeek() {
    // Saturday: the logs start; through a town and to a motorway, with a cold start of the receiver.
    happens(.plug(.ublox(at: "/dev/ttyACM0")), .startService)
    startLogs()
    depart()
    town(blocks: 25)
    motorway(minutes: 40)
    stand(until: (1, 7, 0))
    depart()
    country(minutes: 50)
    stand(until: (2, 6, 0), .street)

    // Sunday: tunnels of 8 s, 3 and 20 minutes.
    depart()
    motorway(minutes: 10)
    goes(8, 30, .none)
    motorway(minutes: 10)
    goes(180, 25, .none)
    country(minutes: 20)
    goes(1200, 12, .none)
    town(blocks: 8)
    stand(until: (3, 6, 0), .street)

    // Monday: the cable is unplugged, once while driving and once while parked, with another name each time.
    depart()
    country(minutes: 15)
    happens(.unplug)
    goes(25, 20)
    happens(.plug(.ublox(at: "/dev/ttyACM1")))
    country(minutes: 15)
    stand(until: (3, 9, 0))
    happens(.unplug)
    stand(until: (3, 9, 10))
    happens(.plug(.ublox(at: "/dev/ttyACM0")))
    stand(until: (3, 9, 40))
    depart()
    country(minutes: 20)
    stand(until: (4, 6, 0), .street)

    // Tuesday: the service is killed, once while driving and once while standing; the machine reboots in the night.
    depart()
    town(blocks: 5)
    happens(.kill)
    goes(40, 14)
    happens(.startService)
    motorway(minutes: 15)
    stand(until: (4, 8, 0))
    happens(.kill, .startService)
    stand(until: (4, 9, 0))
    depart()
    country(minutes: 10)
    stand(until: (4, 22, 0), .street)
    happens(.endService, .reboot, .startService)
    stand(until: (5, 6, 0), .street)

    // Wednesday: the clock is ten years ahead while the service runs, and when it starts.
    depart()
    country(minutes: 10)
    happens(.setClock(yearsAhead: 10))
    country(minutes: 10)
    happens(.endService, .startService)
    country(minutes: 10)
    stand(until: (6, 6, 0), .street)

    // Thursday: the clock is ten years behind in the same way; then it is correct again.
    depart()
    country(minutes: 10)
    happens(.setClock(yearsAhead: -10))
    country(minutes: 10)
    happens(.kill, .startService)
    country(minutes: 10)
    happens(.setClock(yearsAhead: 0))
    town(blocks: 5)
    stand(until: (7, 6, 0), .none)
  }

  private mutating func secondWeek() {
    // Friday: in a garage all day, where the power fails twice.
    stand(until: (7, 9, 0), .none)
    happens(.kill, .reboot)
    stand(until: (7, 9, 5), .none)
    happens(.startService)
    stand(until: (8, 6, 0), .none)

    // Saturday: an old receiver, whose week number rolls over at the end of this week, at 23:59:42.
    happens(.unplug)
    stand(until: (8, 6, 1), .none)
    happens(.plug(.old(at: "/dev/ttyUSB0")))
    depart()
    town(blocks: 10)
    country(minutes: 20)
    stand(until: (8, 23, 55))
    motorway(minutes: 4)
    goes(42, 30)
    happens(.loseEra)
    motorway(minutes: 10)
    stand(until: (9, 7, 0), .street)

    // Sunday: it stays like that, and the service starts with it, even with a clock that was never set.
    depart()
    country(minutes: 10)
    happens(.endService, .reboot, .setClock(yearsAhead: -56), .startService)
    country(minutes: 10)
    stand(until: (9, 10, 0))
    happens(.kill, .startService)
    country(minutes: 10)
    stand(until: (10, 7, 0), .street)

    // Monday: the correct clock and the receiver of the first week are back.
    happens(.setClock(yearsAhead: 0), .unplug, .plug(.ublox(at: "/dev/ttyACM0")))
    depart()
    motorway(minutes: 30)
    stand(until: (11, 7, 0), .street)

    // Tuesday: a bad cable.
    depart()
    for _ in 0..<3 {
      country(minutes: 5)
      happens(.brownOut)
    }
    country(minutes: 5)
    stand(until: (12, 7, 0), .street)

    // Wednesday: a log is stopped and started again, another one starts with other options; an hour without a receiver.
    happens(.log(.stop(name: "coarse")))
    depart()
    country(minutes: 10)
    happens(.log(.start(name: "coarse", Self.coarse(meters: 500))))
    country(minutes: 10)
    happens(.unplug)
    motorway(minutes: 60)
    happens(.plug(.ublox(at: "/dev/ttyACM0")))
    country(minutes: 10)
    stand(until: (13, 7, 0))

    // Thursday: no trip.
    stand(until: (14, 7, 0), .street)

    // Friday: the way home.
    depart()
    motorway(minutes: 40)
    town(blocks: 25)
    stand(until: (15, 5, 0), .street)
    happens(.log(.stop(name: "every")), .endService)
  }

  // MARK: - Logs

  private mutating func startLogs() {
    happens(.log(.start(name: "every", LogOptions())))
    happens(.log(.start(name: "coarse", Self.coarse(meters: 100))))
    var minutes = LogOptions()
    minutes.interval = .seconds(60)
    minutes.keepsStandstill = true
    happens(.log(.start(name: "minutes", minutes)))
    var sharp = LogOptions()
    sharp.desiredRadius68 = Meters(5)
    sharp.interval = .seconds(10)
    happens(.log(.start(name: "sharp", sharp)))
    var newest = LogOptions()
    newest.retention = .days(3)
    happens(.log(.start(name: "newest", newest)))
  }

  private static func coarse(meters: Double) -> LogOptions {
    var options = LogOptions()
    options.distanceFilter = Meters(meters)
    return options
  }

  // MARK: - Steps

  private mutating func happens(_ events: TripEvent...) { steps += events.map { .event($0) } }

  private mutating func stand(until time: (day: Int, hour: Int, minute: Int), _ sky: TripLeg.Sky = .open) {
    steps.append(.stand(until: time, sky))
  }

  private mutating func goes(_ seconds: Int, _ speed: Double, _ sky: TripLeg.Sky = .open) {
    steps.append(.leg(TripLeg(seconds: seconds, course: course, metersPerSecond: speed, sky: sky)))
  }

  /// The driver looks at the map for a minute, and drives off.
  private mutating func depart() {
    happens(.foreground(true))
    goes(60, 0)
    happens(.foreground(false))
    goes(5, 4)
    goes(5, 9)
  }

  /// From one crossroads to the next, with a stop at every second one.
  private mutating func town(blocks: Int) {
    for block in 0..<blocks {
      goes(3, 5)
      goes(20 + block * 7 % 30, 13.9)
      goes(3, 6)
      if block.isMultiple(of: 2) { goes(15 + block * 11 % 50, 0, .street) }
      turn(block % 3 == 0 ? 90 : -35)
    }
  }

  private mutating func country(minutes: Int) {
    for minute in 0..<minutes {
      goes(60, 18 + Double(minute % 4) * 2.5)
      turn(Double(minute * 37 % 50) - 25)
    }
  }

  private mutating func motorway(minutes: Int) {
    for minute in 0..<minutes {
      goes(60, 33.3)
      turn(Double(minute % 5) - 2)
    }
  }

  private mutating func turn(_ degrees: Double) {
    course = (course + degrees + 360).truncatingRemainder(dividingBy: 360)
  }
}
