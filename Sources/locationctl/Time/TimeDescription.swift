import LocationIPC
import TrackFormats

/// The time that the service gives to the machine's clocks, for people and for programs.
enum TimeDescription {
  /// One line for the status of the service.
  static func summary(_ report: TimeReport) -> StyledText {
    let problems = report.receivers.contains { !$0.pulseProblems.isEmpty }
    let best = report.receivers.first { $0.state == .sending } ?? report.receivers.first
    let receiver = best.map { text($0.state) } ?? .warning("no receiver is open")
    let receiving = report.sinks.filter { $0.state == .receiving }.map { clean($0.name) }
    let sinks = receiving.isEmpty ? "nobody gets it" : "to \(receiving.joined(separator: ", "))"
    return receiver + "   \(sinks)" + (problems ? .warning("   see 'locationctl doctor'") : StyledText())
  }

  static func lines(_ report: TimeReport?, _ look: Presentation) -> [StyledText] {
    guard let report else {
      return TextTable.wrapped(
        StyledText.dim("off") + "   no clock gets the receivers' time: 'sudo locationctl time setup' switches it on",
        within: look.width ?? .max)
    }
    var rows: [(String, StyledText)] = []
    for receiver in report.receivers {
      rows.append(("Receiver", "\(clean(receiver.device))   " + text(receiver.state)))
      rows.append(("Offset", offset(receiver)))
      rows.append(("Delay", delay(receiver)))
      if let pulse = receiver.pulse { rows.append(("Pulse", "\(clean(pulse))" + self.pulse(receiver.pulseProblems))) }
      if receiver.leap != 0 {
        rows.append(("Leap", .warning("a leap second is \(receiver.leap == 1 ? "added" : "removed") at midnight UTC")))
      }
    }
    if report.receivers.isEmpty { rows.append(("Receiver", .warning("none is open"))) }
    for sink in report.sinks { rows.append(("To", "\(clean(sink.name))   " + text(sink.state))) }
    if let clock = report.clock { rows.append(("Clock", text(clock))) }
    return TextFormat.labeled(rows, look)
  }

  // MARK: - Texts

  private static func offset(_ receiver: ReceiverTimeReport) -> StyledText {
    guard let offset = receiver.offsetSeconds, let deviation = receiver.deviationSeconds else { return .dim("unknown") }
    return "\(milliseconds(offset)) ± \(milliseconds(deviation)), \(receiver.samples) samples"
  }

  private static func delay(_ receiver: ReceiverTimeReport) -> StyledText {
    let basis =
      switch receiver.delayBasis {
      case .portClass: "usual for its port"
      case .pulse: "measured with its pulses"
      case .systemClock: "measured with the system's clock"
      case .setting: "from the settings"
      }
    let progress = Int((receiver.calibrationProgress * 100).rounded(.down))
    let measuring = progress > 0 && progress < 100 ? "; a measurement is at \(progress) %" : ""
    return
      "\(milliseconds(receiver.delaySeconds)) ± \(milliseconds(receiver.delayUncertaintySeconds)), \(basis)\(measuring)"
  }

  private static func milliseconds(_ seconds: Double) -> String {
    abs(seconds) < 10
      ? "\(FixedDecimal.text(seconds * 1000, decimals: 1) ?? "?") ms"
      : "\(FixedDecimal.text(seconds, decimals: 0) ?? "?") s"
  }

  private static func pulse(_ problems: PulseProblems) -> StyledText {
    if problems.contains(.pulseWithoutLock) { return .warning("   pulses without a fix") }
    if problems.contains(.lockWithoutPulse) { return .warning("   a fix, but no pulses") }
    if problems.contains(.pulseOffSecond) { return .warning("   the pulses do not mark the seconds of the messages") }
    return StyledText()
  }

  static func text(_ state: ReceiverTimeState) -> StyledText {
    switch state {
    case .sending: .good("sending")
    case .waiting: .dim("waiting for updates")
    case .calibrating: .good("measuring the delay; no time is sent")
    case .notLocal: .warning("not a receiver at a port of this machine")
    case .noTime: .warning("it reports no time")
    case .stale: .warning("its time is too old")
    case .interference: .bad("jamming, spoofing or a jump of the position is suspected")
    case .unconfirmed: .warning("its time is not confirmed yet")
    case .eraUncertain: .warning("its date may be 1024 weeks off")
    case .leapUncertain: .warning("its leap seconds are not confirmed yet")
    case .noSilence:
      .warning("its updates follow each other without a pause: send fewer messages, or use a higher baud rate")
    case .lateLoop: .warning("locationd was busy when its messages arrived")
    case .largeRead: .warning("its messages arrive in pieces that are too large")
    case .tooWide: .warning("its messages arrive too irregularly")
    case .offLine: .warning("its time has jumped")
    }
  }

  private static func text(_ state: TimeSinkReport.State) -> StyledText {
    switch state {
    case .unused: .dim("no sample yet")
    case .receiving: .good("receiving")
    case .absent: .warning("no such socket: chronyd does not run, or needs 'sudo locationctl time setup'")
    case .denied: .bad("not writable: sudo systemctl enable --now location-time.socket")
    case .noHelper: .bad("its helper does not answer: sudo systemctl enable --now location-time.socket")
    case .failed: .bad("samples cannot be sent")
    case .notInSettings: .bad("not set in locationd.conf, which the helper of locationd reads")
    }
  }

  private static func text(_ state: ClockSettingState) -> StyledText {
    switch state {
    case .waiting: "is set when a receiver confirms its time"
    case .done: .good("was set since boot")
    case .disabled: .warning("cannot be set: run 'sudo locationctl time set-clock on'")
    case .leftToChrony: "is left to chrony"
    case .keptByOther: "is kept by another service"
    case .interference: .warning("is not set, because interference is suspected")
    case .smallError: .good("was right")
    case .tooFarBack: .warning("is not set, because it would go back by more than a day")
    case .implausible: .warning("is not set, because the receiver's time is certainly wrong")
    case .noHelper: .bad("cannot be set: sudo systemctl enable --now location-time.socket")
    }
  }

  private static func clean(_ text: String) -> String { TerminalText.sanitized(text) }

  // MARK: - JSON

  /// Values that are unknown are absent.
  static func object(_ report: TimeReport?) -> JSONObject {
    var object = JSONObject()
    object.add("state", .text(report == nil ? "off" : "on"))
    guard let report else { return object }
    object.add("receivers", rawValue: JSONObject.list(report.receivers.map(Self.object)))
    object.add("sinks", rawValue: JSONObject.list(report.sinks.map(Self.object)))
    object.add("clock", .text(report.clock?.name))
    return object
  }

  private static func object(_ receiver: ReceiverTimeReport) -> JSONObject {
    var object = JSONObject()
    object.add("device", .text(receiver.device))
    object.add("state", .text(receiver.state.name))
    object.add("offset", .number(receiver.offsetSeconds, decimals: 6))
    object.add("deviation", .number(receiver.deviationSeconds, decimals: 6))
    object.add("delay", .number(receiver.delaySeconds, decimals: 6))
    object.add("delayUncertainty", .number(receiver.delayUncertaintySeconds, decimals: 6))
    object.add("delayBasis", .text(receiver.delayBasis.name))
    object.add("calibration", .number(receiver.calibrationProgress, decimals: 2))
    object.add("pulse", .text(receiver.pulse))
    if let problem = receiver.pulseProblems.names.first { object.add("pulseProblem", .text(problem)) }
    object.add("samples", .number(Int(clamping: receiver.samples)))
    object.add("leap", .number(Int(receiver.leap)))
    return object
  }

  private static func object(_ sink: TimeSinkReport) -> JSONObject {
    var object = JSONObject()
    object.add("name", .text(sink.name))
    object.add("state", .text(sink.state.name))
    return object
  }
}

extension PulseProblems {
  /// As in the JSON output.
  fileprivate var names: [String] {
    let all: [(problem: PulseProblems, name: String)] = [
      (.pulseWithoutLock, "pulseWithoutLock"), (.lockWithoutPulse, "lockWithoutPulse"),
      (.pulseOffSecond, "pulseOffSecond"),
    ]
    return all.filter { contains($0.problem) }.map(\.name)
  }
}
