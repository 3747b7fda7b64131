import LinuxDevices
import LocationdConfiguration
import LocationdRecords
import LocationdService
import NetworkSources

/// The arguments of the daemon. They are parsed by hand: a parser with tables of its own would add a quarter to the
/// time until the socket is ready.
struct DaemonArguments {
  enum Task {
    case serve
    /// The helper that may start scans on a Wi-Fi radio.
    case helpScan
    /// The helper that may use the network.
    case helpFetch
    /// The helper that has connections to other machines.
    case helpNetwork
    /// The helper that has the connection to one destination of positions.
    case helpFleet
    /// The helper that may write to the sockets of clock daemons, and set the clock.
    case helpTime
    /// A user's agent.
    case runEvents
    case printVersion
    case printHelp
  }

  /// An error in the arguments.
  struct Problem: Error {
    var sentence: String
  }

  private(set) var task = Task.serve
  /// The options that set values that a file can set, too.
  private(set) var options: [(key: SettingKey, option: String, text: String)] = []
  /// Whether a recording is played at its own pace.
  private(set) var isRealtime = true

  init(_ arguments: [String]) throws(Problem) {
    guard arguments != ["scan-helper"] else {
      task = .helpScan
      return
    }
    guard arguments != [FetchLink.argument] else {
      task = .helpFetch
      return
    }
    guard arguments != [NetworkLink.argument] else {
      task = .helpNetwork
      return
    }
    guard arguments != [FleetHelperProgram.argument] else {
      task = .helpFleet
      return
    }
    guard arguments != [TimeHelperLink.argument] else {
      task = .helpTime
      return
    }
    guard arguments != [AgentLink.argument] else {
      task = .runEvents
      return
    }
    var rest = arguments[...]
    var isReplay = false
    while let argument = rest.popFirst() {
      switch argument {
      case "--version":
        task = .printVersion
        return
      case "--help", "-h":
        task = .printHelp
        return
      case "--realtime": break
      case "--replay", "--source", "--log-level":
        guard let value = rest.popFirst() else {
          throw Problem(sentence: "The value of \(argument) is missing: add it.")
        }
        let key = argument == "--log-level" ? SettingKey.logLevel : .source
        guard !options.contains(where: { $0.key == key }) else {
          throw Problem(
            sentence: key == .source
              ? "More than one source was given: use --source or --replay only once. With --source auto, all receivers are used, and the "
                + "setting prefer says which one comes first."
              : "More than one level was given: use --log-level only once.")
        }
        isReplay = isReplay || argument == "--replay"
        options.append((key, argument, argument == "--replay" ? "replay:\(value)" : value))
      default: throw Problem(sentence: "There is no option '\(Self.shown(argument))'.")
      }
    }
    isRealtime = !isReplay || arguments.contains("--realtime")
  }

  /// Rejects options that are not valid, unlike invalid values in files and variables: a user has just typed them.
  ///
  /// - Parameter receivers: the receivers that the configuration names.
  func check(_ receivers: ReceiverPreferences) throws(Problem) {
    var settings = ServiceSettings()
    settings.receivers = receivers
    for (key, option, text) in options {
      do throws(InvalidSetting) {
        try settings.set(key, to: text)
      } catch {
        throw Problem(sentence: "'\(Self.shown(text))' of \(option) \(error.predicate)")
      }
    }
  }

  private static func shown(_ text: String) -> String {
    let text = NetworkSource.withoutCredentials(text)
    let printable = String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.isASCII && $0.value >= 0x20 }))
    return String(printable.prefix(100))
  }

  static let help = """
    Gives programs the position of this machine from GNSS receivers and Wi-Fi.

    usage: locationd [--source SOURCE | --replay FILE [--realtime]] [--log-level LEVEL]
           locationd scan-helper | fetch-helper | net-helper | fleet-helper | time-helper
           locationd event-agent

      --source SOURCE  \(SourceSelection.syntax);
                       the default is the value of the setting 'source', else auto
      --replay FILE    play a capture, an NMEA log or a UBX log when a program requests the location
      --realtime       play at the speed of the recording instead of as fast as possible
      --log-level LEVEL  error, warning, notice, info or debug; debug has a line for each client
      --version, --help
      scan-helper      started by location-scan.socket: requests Wi-Fi scans, because locationd is not allowed to
      fetch-helper     started by location-fetch.socket: sends web requests, because locationd has no network access
      net-helper       started by location-net.socket: has the connections to receivers and casters in networks
      fleet-helper     started by location-fleet.socket: has the connection to one destination of positions
      time-helper      started by location-time.socket: sends time to chronyd, whose socket locationd may not use
      event-agent      started by location-agent@UID.socket: runs that user's commands for events

    Settings are in /etc/locationd.conf, see locationd.conf(5). Each has an environment variable, which takes precedence:
    \(SettingKey.allCases.map(\.variable).joined(separator: ", "))

    SIGHUP reads the configuration and the state folder again. SIGTERM restores the settings of the receivers and ends; a second SIGTERM ends at
    once. Under systemd, locationd takes its socket from systemd and answers the watchdog.
    Exit status: 0 done, 64 wrong usage, 65 bad input file, 73 cannot listen or
    cannot write its state folder, 75 another locationd is running, 77 denied.
    """
}
