import ArgumentParser
import LinuxIO
import LocationIPC
import LocationdConfiguration
import LocationdConfigurationFiles
import NetworkSources

/// `locationctl gpsd on|off|status`: serves programs that speak gpsd's protocol, or NMEA 0183.
struct GPSDCommand: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "gpsd", abstract: "Serve programs that speak gpsd's protocol, or NMEA 0183 over TCP.",
    discussion: """
      'on' serves gpsd's protocol at port 2947 of this machine, unless gpsd has that port; with --nmea, it serves NMEA 0183 at port 10110. \
      Each program gets what its user was granted. Other machines are served only with the settings gpsd-listen and gpsd-allow, or \
      nmea-listen and nmea-allow, and get what net:ADDRESS was granted. With --send, 'on' sends the exact position as \
      NMEA 0183 to another machine, until 'off'. 'on' and 'off' need root.
      """)

  enum Action: String, ExpressibleByArgument, CaseIterable { case on, off, status }

  @Argument(
    help: ArgumentHelp("on, off or status. Without an argument, the command shows the status.", valueName: "action"))
  var action: Action?
  @Flag(help: "With on or off: NMEA 0183 instead of gpsd's protocol.")
  var nmea = false
  @Option(
    help: ArgumentHelp(
      "With on or off: send NMEA 0183 in datagrams to this address, such as udp://192.168.1.20:10110, or stop that. Repeatable.",
      valueName: "address"))
  var send: [String] = []
  @Flag(help: "With --send: the address is a broadcast or multicast address, so that many machines get the position.")
  var broadcast = false
  @OptionGroup var report: ReportStyle
  @OptionGroup var messages: MessageOptions

  func validate() throws {
    let isChange = action == .on || action == .off
    if nmea, !isChange { throw ValidationError("--nmea needs on or off.") }
    if !send.isEmpty, !isChange || nmea { throw ValidationError("--send needs on or off, and stands without --nmea.") }
    if broadcast, send.isEmpty || action == .off { throw ValidationError("--broadcast needs on and --send.") }
    if isChange, report.json || report.text { throw ValidationError("--json and --text are for the status.") }
  }

  func execute() throws -> CommandStatus {
    switch action {
    case nil, .status?: show()
    case .on? where !send.isEmpty:
      try changeTargets { old, named in old + named.filter { !old.contains($0) } }
    case .off? where !send.isEmpty:
      try changeTargets { old, named in old.filter { target in !named.contains { $0.server == target.server } } }
    case .on?: switched(isOn: true)
    case .off?: switched(isOn: false)
    }
  }

  /// Changes the list of targets: `change` gets the present ones and those of the options.
  private func changeTargets(_ change: ([DatagramTarget], [DatagramTarget]) -> [DatagramTarget]) throws -> CommandStatus
  {
    var named: [DatagramTarget] = []
    for address in send {
      // To stop sending, the option is not needed.
      let isGroup = (broadcast || action == .off) && !address.contains("?")
      do throws(NetworkSourceError) {
        named.append(try DatagramTarget(parsing: isGroup ? "\(address)?broadcast=yes" : address))
      } catch {
        throw ValidationError(TerminalText.sanitized(error.commandSentence, limit: 400))
      }
    }
    let targets = change(ConfigurationFiles.ofProcess.load(ofUnit: true).settings.nmeaTargets, named)
    return try ConfigCommand.set(
      SettingKey.nmeaSend.name, to: targets.isEmpty ? "off" : targets.map(\.text).joined(separator: ","))
  }

  private func show() -> CommandStatus {
    CommandSession.withDaemon { session in
      session.request(.status, SingleRequestLimits(timeout: .seconds(30))) { status in
        Results.write(report.isJSON ? PortTable.line(status) : PortTable.text(status, .current)) ?? .done
      }
    }
  }

  private var key: SettingKey { nmea ? .nmeaListen : .gpsdListen }

  /// Changes the setting, and the socket units with which systemd starts the daemon for such a program.
  private func switched(isOn: Bool) -> CommandStatus {
    let files = ConfigurationFiles.ofProcess
    let value = isOn ? "on" : "off"
    if let status = ConfigCommand.change(files, { $0.set(key.name, to: value) }) { return status }
    SocketUnits(nmea ? .nmea : .gpsd).apply(value)
    return SettingApplication(key.name, in: files).apply(value)
  }
}

/// The socket units of a protocol.
struct SocketUnits {
  private let units: [String]

  init(_ protocolName: NetworkProtocol) {
    units =
      switch protocolName {
      case .gpsd: ["locationd-gpsd.socket", "locationd-gpsd6.socket"]
      case .nmea: ["locationd-nmea.socket", "locationd-nmea6.socket"]
      }
  }

  /// Where packages and administrators put units (systemd.unit(5)).
  private static let folders = ["/etc/systemd/system", "/usr/local/lib/systemd/system", "/usr/lib/systemd/system"]

  /// Only root changes units, and only where systemd runs.
  private var areChangeable: Bool {
    ProcessEnvironment.isRoot && (try? FileStatus.expectFolder("/run/systemd/system")) != nil
      && Self.folders.contains { (try? StateFile.read("\($0)/\(units[0])", maximumSize: 65_536)) != nil }
  }

  /// The units of a setting; `nil`: it has none.
  init?(_ key: String) {
    switch SettingKey(rawValue: key) {
    case .gpsdListen?: self.init(.gpsd)
    case .nmeaListen?: self.init(.nmea)
    default: return nil
    }
  }

  /// Switches the units on or off with the setting, and prints what went wrong. systemd does not listen at addresses of the setting itself,
  /// so that these leave the units as they are, but it must not keep the ports when they are off.
  func apply(_ value: String) {
    let problem: String? =
      switch value {
      // The daemon that runs listens by itself; systemd opens the ports when it starts the next time.
      case "on": enable(startsThem: ServiceStatus.ofDaemon == nil)
      case "off": disable()
      default: nil
      }
    if let problem { Diagnostics.print(problem) }
  }

  /// Returns what went wrong; `nil`: nothing.
  func enable(startsThem: Bool) -> String? { run(["enable", "--quiet"] + (startsThem ? ["--now"] : [])) }

  func disable() -> String? { run(["disable", "--quiet", "--now"]) }

  private func run(_ words: [String]) -> String? {
    guard areChangeable else { return nil }
    do throws(SystemError) {
      let ending = try ChildProcess("systemctl", words + units).finish().ending
      guard ending != .exited(0) else { return nil }
    } catch {
      return "systemctl cannot be started (\(ErrorDescription.of(error.errno))): locationd itself opens the ports."
    }
    return "systemd has not changed \(units.joined(separator: " and ")): see 'systemctl status \(units[0])'."
  }
}
