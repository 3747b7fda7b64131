import Geodesy

/// What a self-test has observed, and the checks that follow from it. It performs no I/O: the command adds each observation when it
/// is made. An observation that is missing makes its check `skipped`, with the reason.
package struct SelfTest: Sendable {
  /// The receiver's own output before and after the test used the receiver, or why the two could not be compared.
  package enum Settings: Hashable, Sendable {
    case notExamined(reason: String)
    case compared(before: OutputSignature, after: OutputSignature)
  }

  /// What happened when the user was asked to unplug the receiver and to plug it in again.
  package enum Replug: Hashable, Sendable {
    case skipped(reason: String)
    /// The receiver was not unplugged.
    case notUnplugged
    /// The receiver was unplugged, and did not come back.
    case notBack
    /// The receiver was found again. `fix` is the time from then to the next fix; `nil` if no fix followed.
    case back(fix: Duration?)
  }

  /// The first fix after a start.
  package enum Start: Hashable, Sendable {
    case notTried(reason: String)
    case none(after: Duration)
    case fix(after: Duration)
  }

  /// The findings of `doctor`, from before and after the measurement.
  package var findings: [Finding] = []
  package var firstStart = Start.notTried(reason: "the test ended before this step")
  package var secondStart = Start.notTried(reason: "there was no first fix")
  package var series = FixSeries()
  /// How far the receiver's confirmed time is ahead of the machine's clock.
  package var aheadOfClock: Duration?
  package var settings = Settings.notExamined(reason: "the test ended before this step")
  package var replug = Replug.skipped(reason: "the test ended before this step")
  package var system = SystemFacts()
  package var load = SystemLoad()
  /// Whether locationd served the measurement, so that the load is that of locationd; otherwise the load is that of the
  /// command, which hosted the service itself.
  package var isMeasuringDaemon = false

  package init() {}

  /// All checks, in the order of `SelfTestCheckID`.
  package var checks: [SelfTestCheck] {
    SelfTestCheckID.allCases.map { id in
      switch id {
      case .machine: diagnosis(.machine)
      case .receiver: diagnosis(.receiver)
      case .firstFix: start(.firstFix, firstStart, slow: 90)
      case .updates: updatesCheck
      case .radius: radiusCheck
      case .clock: clockCheck
      case .settings: settingsCheck
      case .secondStart: start(.secondStart, secondStart, slow: 20)
      case .replug: replugCheck
      case .cpu: cpuCheck
      case .memory: memoryCheck
      case .temperature: temperatureCheck
      case .cardWrites: cardWritesCheck
      case .wifi: radio(.wifi, .wifi, "Wi-Fi")
      case .bluetooth: radio(.bluetooth, .bluetooth, "Bluetooth")
      case .pps: pulseCheck
      }
    }
  }
}

extension SelfTest {
  /// The check for the findings of `doctor`: for `.machine` those about the machine, else all others.
  private func diagnosis(_ id: SelfTestCheckID) -> SelfTestCheck {
    var codes: [FindingCode] = []
    let own = findings.filter { $0.severity != .note && $0.code.isOfMachine == (id == .machine) }
      .sorted { $0.severity < $1.severity }
    for finding in own where !codes.contains(finding.code) { codes.append(finding.code) }
    guard let first = own.first else {
      return SelfTestCheck(id, .passed, id == .machine ? "No problem was found." : "The receiver works.")
    }
    let more = codes.count > 1 ? ", and \(codes.count - 1) more" : ""
    var check = SelfTestCheck(
      id, first.severity == .stops ? .failed : .warning,
      "'doctor' finds \(first.code.rawValue)\(more): run 'locationctl doctor' for the cause and the remedy.")
    check.findings = codes
    return check
  }

  private func start(_ id: SelfTestCheckID, _ start: Start, slow: Double) -> SelfTestCheck {
    switch start {
    case .notTried(let reason): SelfTestCheck(id, .skipped, "Not measured: \(reason).")
    case .none(let time):
      SelfTestCheck(
        id, .failed, "No fix within \(Self.text(time.inSeconds)) s.", [SelfTestFigure(.seconds, time.inSeconds)])
    case .fix(let time):
      SelfTestCheck(
        id, time.inSeconds > slow ? .warning : .passed, "A fix after \(Self.text(time.inSeconds)) s.",
        [
          SelfTestFigure(.seconds, time.inSeconds),
          SelfTestFigure(.satellitesUsed, id == .firstFix ? series.satellitesUsed.map(Double.init) : nil),
        ])
    }
  }

  private var updatesCheck: SelfTestCheck {
    guard let rate = series.rate else {
      return SelfTestCheck(.updates, .skipped, "Not measured: there were too few fixes (\(series.count)).")
    }
    let figures = [
      SelfTestFigure(.updatesPerSecond, rate.hertz), SelfTestFigure(.missedPercent, rate.missed * 100),
      SelfTestFigure(.fixes, Double(series.count)),
    ]
    let rateText = "\(Self.text(rate.hertz)) updates per second, \(Self.text(rate.missed * 100)) % missing"
    if let flag = series.commonFlag {
      return SelfTestCheck(.updates, .failed, "The positions are \(flag): \(rateText).", figures)
    }
    if series.timesLost > 0 {
      return SelfTestCheck(
        .updates, .warning,
        "The position was lost \(series.timesLost == 1 ? "once" : "\(series.timesLost) times"): \(rateText).",
        figures)
    }
    let outcome: SelfTestOutcome =
      rate.missed > 0.1 || rate.hertz < 0.45 ? .failed : rate.missed > 0.02 ? .warning : .passed
    return SelfTestCheck(.updates, outcome, "\(rateText).", figures)
  }

  /// The receiver's radius is a 68 % radius. Over minutes, errors change little, so that the scatter is smaller than the radius.
  private var radiusCheck: SelfTestCheck {
    guard let scatter = series.scatter else {
      return SelfTestCheck(.radius, .skipped, "Not measured: there were too few fixes (\(series.count)).")
    }
    switch series.isStanding {
    case false?: return SelfTestCheck(.radius, .skipped, "Not measured: the receiver moved.")
    case nil: return SelfTestCheck(.radius, .skipped, "Not measured: the receiver reports no speed.")
    case true?: break
    }
    let share = scatter.meters / max(scatter.radius, 0.01)
    let outcome: SelfTestOutcome = share > 2 ? .failed : share > 1.4 ? .warning : .passed
    return SelfTestCheck(
      .radius, outcome,
      "68 % of the positions lie within \(Self.text(scatter.meters)) m; the reported radius is \(Self.text(scatter.radius)) m.",
      [SelfTestFigure(.scatterMeters, scatter.meters), SelfTestFigure(.radiusMeters, scatter.radius)])
  }

  private var clockCheck: SelfTestCheck {
    guard let ahead = aheadOfClock?.inSeconds else {
      return SelfTestCheck(
        .clock, .skipped, "Not measured: the receiver's time is not confirmed, or the clock is not set.")
    }
    let outcome: SelfTestOutcome = abs(ahead) > 60 ? .failed : abs(ahead) > 2 ? .warning : .passed
    let text =
      abs(ahead) > 2
      ? "The machine's clock is \(Self.text(abs(ahead))) s \(ahead > 0 ? "behind" : "ahead of") the receiver."
      : "The machine's clock and the receiver agree."
    return SelfTestCheck(.clock, outcome, text, [SelfTestFigure(.aheadSeconds, ahead)])
  }

  private var settingsCheck: SelfTestCheck {
    switch settings {
    case .notExamined(let reason): return SelfTestCheck(.settings, .skipped, "Not compared: \(reason).")
    case .compared(let before, let after):
      guard before.isConclusive, after.isConclusive else {
        return SelfTestCheck(.settings, .skipped, "Not compared: the receiver sent too little data.")
      }
      guard let difference = after.difference(from: before) else {
        return SelfTestCheck(.settings, .passed, "The receiver sends the same data as before the test.")
      }
      return SelfTestCheck(.settings, .failed, "The receiver's settings were not restored: \(difference).")
    }
  }

  private var replugCheck: SelfTestCheck {
    switch replug {
    case .skipped(let reason): SelfTestCheck(.replug, .skipped, "Not tried: \(reason).")
    case .notUnplugged: SelfTestCheck(.replug, .skipped, "Not tried: the receiver was not unplugged.")
    case .notBack: SelfTestCheck(.replug, .failed, "The receiver was not found again after it was unplugged.")
    case .back(nil): SelfTestCheck(.replug, .failed, "The receiver was found again, but there was no fix.")
    case .back(let fix?):
      SelfTestCheck(
        .replug, .passed, "A fix \(Self.text(fix.inSeconds)) s after the receiver was plugged in again.",
        [SelfTestFigure(.returnedSeconds, fix.inSeconds)])
    }
  }

  /// At most two decimals, without zeros at the end; from 100 on, none.
  static func text(_ value: Double) -> String {
    let scaled = Int64((min(abs(value), 1e12) * 100).rounded())
    let sign = value < 0 && scaled > 0 ? "-" : ""
    guard scaled < 10_000 else { return "\(sign)\((scaled + 50) / 100)" }
    let cents = scaled % 100
    return "\(sign)\(scaled / 100)"
      + (cents == 0 ? "" : cents < 10 ? ".0\(cents)" : cents % 10 == 0 ? ".\(cents / 10)" : ".\(cents)")
  }
}
