import Foundation
import Geodesy
import LocationIPC

/// The trip from its start to its end, and the report about it.
final class TripRun {
  private let machine: TripMachine
  private(set) var report: [String] = []
  /// Violations of invariants, whatever the golden file contains.
  private(set) var faults: [String] = []
  private var days = Array(repeating: TripDay(), count: 15)
  /// The times when the car stood for longer than a minute.
  private var stays: [(from: GNSSTime, to: GNSSTime)] = []
  private var journeys = JourneyReport()

  /// - Parameters:
  ///   - folder: an empty folder, in which the logs are stored.
  ///   - isTracked: whether a tracker runs as a service instead of the logs and the app.
  init(folder: String, isTracked: Bool = false) {
    machine = TripMachine(stateFolder: folder, isTracked: isTracked)
    machine.onLine = { [unowned self] in note($0) }
  }

  var epochs: Int { machine.epochs }

  func run() {
    report.append("What happened (true time, UTC)")
    var waiting: [String] = []
    for step in TripPlan.everything {
      switch step {
      case .leg(let leg): go(leg)
      case .stand(let until, let sky):
        let end = TripPlan.midnight + .seconds((until.day - 1) * 86_400 + until.hour * 3600 + until.minute * 60)
        go(TripLeg(seconds: Int((end - machine.time).inSeconds), course: 0, metersPerSecond: 0, sky: sky))
      case .event(.log(.stop(name: "every"))):
        // Before the log is stopped, which would write all of it to the disk.
        waiting = machine.tracker == nil ? summaries() : []
        execute(.log(.stop(name: "every")))
      case .event(let event): execute(event)
      }
    }
    report += waiting
    if let tracker = machine.tracker { report = summary(of: tracker) }
  }

  /// What the tracker received, and for how long positions were requested.
  private func summary(of tracker: TripTracker) -> [String] {
    let (lines, lost) = journeys.lines(tracker.fixes, clock: clock)
    faults += lost
    let share = tracker.asked.inSeconds / (machine.time - TripPlan.start).inSeconds
    return ["", "A tracker with Apple's defaults as a system service, without logs beside it"] + lines + [
      "paused \(tracker.pauses) times; positions were asked for in "
        + String(format: "%.1f %%", 100 * share) + " of the time"
    ]
  }

  private func go(_ leg: TripLeg) {
    guard leg.seconds > 0 else { return faults.append("a leg of \(leg.seconds) s at \(clock(machine.time))") }
    let begin = machine.time
    machine.go(leg)
    days[day(of: begin)].meters += leg.metersPerSecond * Double(leg.seconds)
    journeys.add(from: begin, to: machine.time, meters: leg.metersPerSecond * Double(leg.seconds))
    if leg.metersPerSecond > 0 { days[day(of: begin)].movingSeconds += leg.seconds }
    if leg.metersPerSecond == 0, leg.seconds > 60 { stays.append((begin, machine.time)) }
    switch leg.sky {
    case .none: note("\(leg.seconds) s without a sky are over")
    case .open, .street: break
    }
  }

  private func execute(_ event: TripEvent) {
    switch event {
    case .plug(let receiver):
      note("plugged in at \(receiver.path): \(receiver.dialect)")
      machine.plug(receiver)
    case .unplug:
      note("unplugged")
      machine.unplug()
    case .brownOut:
      note("the receiver lost its power")
      machine.brownOut()
    case .loseEra:
      note("the receiver lost count of the weeks")
      machine.loseEra()
    case .setClock(let years):
      note(years == 0 ? "the clock is right" : "the clock is \(years) years off")
      machine.setClock(yearsAhead: years)
    case .startService:
      note("the service starts")
      machine.startService()
    case .endService:
      note("the service ends")
      machine.endService()
    case .kill:
      machine.kill()
      note("the power of the service fails; not on the disk yet: \(machine.expected.losses.last ?? 0) entries")
    case .reboot:
      note("the machine starts anew")
      machine.reboot()
    case .log(let request): machine.log(request)
    case .foreground(let isInForeground): machine.foreground(isInForeground)
    }
  }

  // MARK: - Report

  private func summaries() -> [String] {
    var lines: [String] = []
    for name in ["every", "coarse", "minutes", "sharp", "newest"] {
      let (entries, damaged) = machine.read(name)
      let track = TrackSummary(entries, stays: stays)
      lines += ["", "Log \(name): \(track.total)"]
      if damaged > 0 { faults.append("log \(name): \(damaged) blocks or files damaged") }
      if name == "every" {
        lines += track.segmentLines
        compare(entries)
        lines += ["", "Driven, and logged in it, by days (UTC)"]
        lines += track.dayLines(days)
      } else {
        lines += track.dayLines(nil)
      }
    }
    return lines
  }

  /// The log contains the entries of its state machine, except for those that were not on the disk when the power failed.
  private func compare(_ entries: [TrackEntry]) {
    let expected = machine.expected.entries
    for (index, pair) in zip(entries, expected).enumerated() where !isSame(pair.0, pair.1) {
      return faults.append("entry \(index) of log every is \(pair.0) instead of \(pair.1)")
    }
    // Entries of a stay that is not over have not been recorded yet.
    if entries.count != expected.count {
      faults.append("log every has \(entries.count) entries instead of \(expected.count)")
    }
  }

  private func isSame(_ a: TrackEntry, _ b: TrackEntry) -> Bool {
    switch (a, b) {
    case (.interruption(let a), .interruption(let b)): a == b
    case (.fix(let a), .fix(let b)):
      a.time == b.time && a.timeValidity == b.timeValidity && a.device == b.device
        && a.qualityFlag == b.qualityFlag
        && Geodesic.inverse(from: a.coordinate, to: b.coordinate).distance.value < 0.001
    case (.fix, .interruption), (.interruption, .fix): false
    }
  }

  private func note(_ text: String) { report.append("\(clock(machine.time))  \(text)") }

  private func day(of time: GNSSTime) -> Int {
    min(max(0, Int((time - TripPlan.midnight).inSeconds) / 86_400), days.count - 1)
  }

  private func clock(_ time: GNSSTime) -> String {
    let seconds = Int((time - TripPlan.midnight).inSeconds)
    return String(
      format: "day %2d %02d:%02d:%02d", seconds / 86_400 + 1, seconds / 3600 % 24, seconds / 60 % 60, seconds % 60)
  }
}

extension TripPlan {
  /// The start of the first day.
  static let midnight = start + .seconds(-5 * 3600)
}

/// The true distance of one day.
struct TripDay {
  var meters = 0.0
  var movingSeconds = 0
}
