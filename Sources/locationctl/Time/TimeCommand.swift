import ArgumentParser
import LocationIPC
import TimeService
import TrackFormats

/// `locationctl time`: gives the receivers' time to the machine's clocks, and shows its state.
struct TimeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "time", abstract: "Set the clock of this machine by a receiver, with chrony.",
    discussion: """
      Install chrony, then run 'sudo locationctl time setup'; nothing else is needed. How late the messages of the receiver arrive is \
      measured automatically: with its pulses, or with the system's clock while other sources, such as time servers, keep it right.
      """,
    subcommands: [Status.self, Setup.self, Off.self, Calibrate.self, SetClock.self], defaultSubcommand: Status.self)

  /// `time status`, and `time` alone.
  struct Status: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "status", abstract: "Show the receivers' time, and the programs that get it.")
    @OptionGroup var report: ReportStyle

    func execute() -> CommandStatus {
      CommandSession.withDaemon { session in
        session.request(.status) { status in
          guard !status.isSkyHidden else { return Diagnostics.report(.timeHidden) }
          let bytes =
            report.isJSON
            ? TimeDescription.object(status.time).line
            : TextTable.bytes(TimeDescription.lines(status.time, .current), .current)
          return Results.write(bytes) ?? .done
        }
      }
    }
  }

  /// `time off`.
  struct Off: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "off", abstract: "Give the receivers' time to no program, and undo 'time setup'.",
      discussion: """
        Removes /etc/chrony/conf.d/\(ChronySnippet.fileName), unless it was changed by hand, sets time = off, and restarts chronyd. \
        'time set-clock off' is the same for the system's clock.
        """)
    @OptionGroup var messages: MessageOptions

    func execute() -> CommandStatus { ChronySetup(files: .ofProcess).undo() }
  }

  /// `time calibrate`.
  struct Calibrate: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "calibrate", abstract: "Measure the delay of the receivers again.",
      discussion: """
        The reference is the pulses of the receiver, or the system's clock while other sources keep it right. While the measurement runs, no \
        time is sent: for at least five minutes with pulses, and at least fifteen without. 'locationctl time' shows the progress.
        """)
    @Flag(help: "End a measurement that is running.")
    var end = false
    @OptionGroup var messages: MessageOptions

    func execute() -> CommandStatus {
      guard let status = ServiceStatus.ofDaemon else { return Diagnostics.report(.noDaemon) }
      guard !status.isSkyHidden else { return Diagnostics.report(.timeHidden) }
      guard status.time != nil else { return Diagnostics.report(.timeOff) }
      let done =
        end ? "The measurement has ended." : "The delay is being measured. 'locationctl time' shows the progress."
      return CommandSession.withDaemon { $0.request(.time(end ? .endCalibration : .calibrate)) }.confirmed(done)
    }
  }

  /// `time set-clock on|off`.
  struct SetClock: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "set-clock", abstract: "Let locationd set the system's clock once after each boot, or not.",
      discussion: """
        For machines without a clock that runs while they are off. The clock is set once, when a receiver has confirmed its time for ten \
        seconds, and only if chrony is not installed and no other service keeps the clock. 'on' gives the helper of locationd the \
        capability CAP_SYS_TIME; 'off' takes it back.
        """)

    enum Switch: String, ExpressibleByArgument, CaseIterable { case on, off }

    @Argument(help: ArgumentHelp("on or off.", valueName: "state"))
    var state: Switch
    @OptionGroup var messages: MessageOptions

    func execute() -> CommandStatus { ClockSwitch.set(isOn: state == .on) }
  }
}

extension FailureMessage {
  /// The status does not contain the time.
  static var timeHidden: FailureMessage {
    FailureMessage(
      "The time shows whether satellites are received, so only users with access to the exact location see it.", .denied
    )
  }

  /// No receiver's time is used.
  static var timeOff: FailureMessage {
    FailureMessage("The receivers' time is not used: run 'sudo locationctl time setup'.", .usage)
  }
}
