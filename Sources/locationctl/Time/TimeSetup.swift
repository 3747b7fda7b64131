import ArgumentParser
import Geodesy
import LocationIPC
import LocationdConfiguration
import LocationdConfigurationFiles
import LocationdHost
import TimeService

extension TimeCommand {
  /// `time setup`.
  struct Setup: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "setup", abstract: "Give the receivers' time to chrony.",
      discussion: """
        Writes /etc/chrony/conf.d/\(ChronySnippet.fileName), adds chrony to the setting 'time', and restarts chronyd; 'time off' undoes it. \
        Other files of chrony are not changed. With --pps, chronyd takes the \
        exact time from the pulses of the receiver, and learns from its messages which second each pulse marks; the command waits until \
        both have been compared.
        """)
    @Flag(help: "Use the pulses of the receiver.")
    var pps = false
    @Option(
      help: ArgumentHelp(
        "With --pps: the GPIO of the pulse, 0 to 27, in the line for config.txt that is printed if there is no PPS device (default: 18).",
        valueName: "number"))
    var gpio: Int = PulseOverlay.usualGPIO
    @OptionGroup var messages: MessageOptions

    func validate() throws {
      if PulseOverlay(gpio: gpio) == nil {
        throw ValidationError("There is no GPIO \(gpio) at the header: give 0 to 27.")
      }
    }

    func execute() -> CommandStatus { ChronySetup(files: .ofProcess, usesPulses: pps, gpio: gpio).run() }
  }
}

/// One run of `time setup`.
struct ChronySetup {
  let files: SystemFiles
  let usesPulses: Bool
  let gpio: Int

  init(files: SystemFiles, usesPulses: Bool = false, gpio: Int = PulseOverlay.usualGPIO) {
    (self.files, self.usesPulses, self.gpio) = (files, usesPulses, gpio)
  }

  private static let folder = "/etc/chrony/conf.d"
  private static let configurations = ["/etc/chrony/chrony.conf", "/etc/chrony.conf"]
  private static let boot = ["/boot/firmware/config.txt", "/boot/config.txt"]
  private static let snippet = "\(folder)/\(ChronySnippet.fileName)"

  func run() -> CommandStatus {
    guard let configuration = Self.configurations.first(where: { files.exists($0) }) else {
      return Diagnostics.report(
        FailureMessage("chrony is not installed: run 'sudo apt-get install chrony', then this command again.", .usage))
    }
    var device: String?
    if usesPulses {
      guard let name = MachineSurvey.pulseDevices.first else { return explainPulses() }
      device = "/dev/\(name)"
    }
    let delay = ServiceStatus.ofDaemon?.time?.receivers.first?.delayUncertaintySeconds
    let text = ChronySnippet(pulseDevice: device, uncertaintySeconds: delay ?? 0.1).text
    let others = ChronyConfiguration(file: configuration, without: Self.snippet, text: files.text, names: files.names)
    guard report(ChronyFinding.check(others), of: configuration) else { return .badInput }
    if let old = files.text(Self.snippet), !ChronySnippet.isOwn(old) {
      // Its owner knows what it is for. Without a line for the socket, the status shows that chronyd has none.
      Diagnostics.print("\(shown(Self.snippet)) was changed by hand: it stays as it is.")
    } else if let failure = files.write(text, to: Self.snippet) {
      return failure
    }
    let configured = ConfigurationFiles.ofProcess
    var sinks = configured.load(ofUnit: true).settings.time.sinks
    sinks.chrony = true
    let key = SettingKey.time.name
    if let failure = ConfigCommand.change(configured, { $0.set(key, to: sinks.text) }) { return failure }
    files.systemctl("enable", "--now", "location-time.socket")
    let isRestarted = files.systemctl("try-restart", "chrony.service")
    let status = SettingApplication(key, in: configured).apply(sinks.text)
    guard status == .done else { return status }
    if !isRestarted { Diagnostics.print("Restart chronyd to apply it: sudo systemctl restart chrony") }
    return device.map { check($0) } ?? .done
  }

  /// Undoes `run`: removes the lines and the setting.
  func undo() -> CommandStatus {
    var isRemoved = false
    if let text = files.text(Self.snippet) {
      if ChronySnippet.isOwn(text) {
        if let failure = files.remove(Self.snippet) { return failure }
        isRemoved = true
      } else {
        Diagnostics.print("\(shown(Self.snippet)) was changed by hand: remove it if chrony no longer needs it.")
      }
    }
    let configured = ConfigurationFiles.ofProcess
    let key = SettingKey.time.name
    if let failure = ConfigCommand.change(configured, { _ = $0.unset(key) }) { return failure }
    // Another file switches it on.
    if configured.load(ofUnit: true).settings.time.sinks != .off,
      let failure = ConfigCommand.change(configured, { $0.set(key, to: TimeSinks.off.text) })
    {
      return failure
    }
    if !configured.load(ofUnit: true).settings.time.isActive {
      files.systemctl("disable", "--now", "location-time.socket", "location-time.service")
    }
    if isRemoved, !files.systemctl("try-restart", "chrony.service") {
      Diagnostics.print("Restart chronyd to apply it: sudo systemctl restart chrony")
    }
    return SettingApplication(key, in: configured).apply(TimeSinks.off.text)
  }

  private func shown(_ path: String) -> String { TerminalText.sanitized(files.root + path) }

  /// Prints what is wrong with the rest of the configuration. `false`: the lines of this service would not work beside it.
  private func report(_ findings: [ChronyFinding], of path: String) -> Bool {
    var isUsable = true
    for finding in findings {
      var place = ""
      func at(_ line: ChronyLine) -> String {
        place = line.file
        return "line \(line.number)"
      }
      let text: String
      switch finding {
      case .folderNotRead(let folder):
        isUsable = false
        text = "it does not read \(folder): add the line 'confdir \(folder)', then run this command again"
      case .present(let line), .socketTwice(let line):
        isUsable = false
        text =
          "\(at(line)) uses the socket \(ChronySnippet.socketPath) already: remove it, then run this command again"
      case .delayTooSmall, .offsetTwice: continue
      case .otherReceiver(let line):
        text =
          "\(at(line)) also gets time from a receiver, probably the same one through gpsd: keep only one of the two lines"
      case .unknownLock(let line, let name) where name != ChronySnippet.messageName:
        text = "\(at(line)) refers to a source with the refid \(name), which no line defines: correct its 'lock'"
      case .unknownLock: continue
      case .pulseWithoutLock(let line):
        text = "\(at(line)) has pulses without 'lock': add 'lock \(ChronySnippet.messageName)'"
      case .pulseTwice(let line): text = "\(at(line)) uses a PPS device that another line uses"
      case .noStep: text = "there is no 'makestep': a clock that is far off at the start stays wrong for hours"
      }
      Diagnostics.print(TerminalText.sanitized("\(place.isEmpty ? path : place): \(text).", limit: 400))
    }
    return isUsable
  }

  /// There is no PPS device: names the line that makes one of a pin.
  private func explainPulses() -> CommandStatus {
    guard let overlay = PulseOverlay(gpio: gpio) else { return .usage }
    guard let path = Self.boot.first(where: { files.exists($0) }) else {
      return Diagnostics.report(
        FailureMessage(
          "There is no PPS device: connect the pulse to a pin that the kernel knows (pps-gpio), or run 'sudo ldattach pps' on the port.",
          .noSource))
    }
    let advice =
      switch overlay.check(files.text(path) ?? "") {
      case .missing: "add the line '\(overlay.line)' to \(path), and reboot"
      case .present: "\(path) has the line '\(overlay.line)': reboot, and check 'dmesg | grep pps'"
      case .different(let line, let text):
        "line \(line) of \(path) is '\(text)': correct it to '\(overlay.line)', and reboot, or give --gpio"
      case .conditional(let line, let section):
        "line \(line) of \(path) is in the section [\(section)] for another model: move it to [all], and reboot"
      }
    return Diagnostics.report(
      FailureMessage(TerminalText.sanitized("There is no PPS device: \(advice).", limit: 400), .noSource))
  }

  /// Waits until the daemon has compared pulses with messages, and reports the result.
  private func check(_ device: String) -> CommandStatus {
    CommandSession.withDaemon { session in PulseCheck(session, device: device).run() }
  }
}

/// Asks for the state of the pulses until it is certain.
private final class PulseCheck: CommandHandler {
  /// The monitor of the pulses reports after ten seconds.
  private static let patience: Duration = .seconds(30)
  private static let interval: Duration = .seconds(1)
  private static let answersToAgree = 12

  let session: CommandSession
  private let device: String
  private var good = 0

  init(_ session: CommandSession, device: String) { (self.session, self.device) = (session, device) }

  func start() {
    session.setTimer(after: Self.patience) { [unowned self] in
      session.fail(
        FailureMessage(
          "No receiver has confirmed its time yet, so the pulses were not compared: run 'locationctl time' later.",
          .locationUnknown))
    }
    ask()
  }

  private func ask() { session.send(.status, for: self) }

  func receive(_ status: ServiceStatus, to request: RequestID) {
    let receiver = status.time?.receivers.first { "/dev/\($0.pulse ?? "")" == device }
    if let receiver, !receiver.pulseProblems.isEmpty {
      return session.fail(
        FailureMessage(
          "\(TerminalText.sanitized(device)) is not right yet: run 'locationctl doctor'.", .locationUnknown))
    }
    good = receiver?.offsetSeconds != nil ? good + 1 : 0
    guard good < Self.answersToAgree else {
      return session.finish(CommandStatus.done.confirmed("The pulses mark the seconds of the receiver's messages."))
    }
    session.setTimer(after: Self.interval) { [unowned self] in ask() }
  }

  func receive(_ failure: LocationFailure, of request: RequestID) { session.fail(FailureMessage(failure)) }
}
