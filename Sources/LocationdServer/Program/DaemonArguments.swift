import LinuxDevices
import LocationIPC
import LocationdHost
import LocationdRecords
import LocationdService

/// The arguments of the daemon. Parsed by hand: a parser with tables of its own would add a quarter to the time until the socket is
/// ready.
struct DaemonArguments {
  enum Task {
    case serve
    /// The helper that may start scans on a Wi-Fi radio.
    case helpScan
    /// The helper that may use the network.
    case helpFetch
    /// A user's agent.
    case runEvents
    case printVersion
    case printHelp
  }

  /// The errors in the arguments.
  struct Problem: Error {
    var sentence: String
  }

  private(set) var task = Task.serve
  private(set) var configuration = DaemonHost.Configuration(release: Release.current)

  /// - Parameters:
  ///   - source: the source from the environment, used if no argument names one.
  ///   - gpsd: likewise.
  init(_ arguments: [String], source: String?, gpsd: String?) throws(Problem) {
    guard arguments != ["scan-helper"] else {
      task = .helpScan
      return
    }
    guard arguments != [FetchLink.argument] else {
      task = .helpFetch
      return
    }
    guard arguments != [AgentLink.argument] else {
      task = .runEvents
      return
    }
    var rest = arguments[...]
    var named: SourceSelection?
    var isReplay = false
    while let argument = rest.popFirst() {
      switch argument {
      case "--version":
        task = .printVersion
        return
      case "--help", "-h":
        task = .printHelp
        return
      case "--realtime": configuration.isRealtime = true
      case "--replay", "--source":
        guard let value = rest.popFirst() else {
          throw Problem(sentence: "The value of \(argument) is missing: give one.")
        }
        guard named == nil else {
          throw Problem(sentence: "More than one source was given: give --source or --replay once.")
        }
        isReplay = argument == "--replay"
        named = try Self.source(isReplay ? "replay:\(value)" : value, from: argument)
      default:
        let text = String(String.UnicodeScalarView(argument.unicodeScalars.filter { $0.isASCII && $0.value >= 0x20 }))
        throw Problem(sentence: "There is no option '\(text.prefix(100))'.")
      }
    }
    configuration.isRealtime = !isReplay || arguments.contains("--realtime")
    if let named {
      configuration.source = named
    } else if let source {
      configuration.source = try Self.source(source, from: "LOCATIOND_SOURCE")
    }
    switch gpsd {
    case nil: configuration.gpsd = .local
    case "off": configuration.gpsd = nil
    case let text?:
      guard let address = GPSDAddress(parsing: text) else {
        throw Problem(sentence: "LOCATIOND_GPSD is not an address: set it to HOST:PORT, or to off to ignore gpsd.")
      }
      configuration.gpsd = address
    }
  }

  private static func source(_ text: String, from name: String) throws(Problem) -> SourceSelection {
    do throws(SourceSyntaxError) {
      return try SourceSelection(parsing: text)
    } catch {
      throw Problem(
        sentence:
          "\(name) is not a source: give auto, gpsd[:HOST[:PORT]], serial:PATH[@BAUD], replay:FILE, wifi or simulator.")
    }
  }

  static let help = """
    Gives programs the position of this machine from GNSS receivers and Wi-Fi.

    usage: locationd [--source SOURCE | --replay FILE [--realtime]]
           locationd scan-helper | fetch-helper | event-agent

      --source SOURCE  auto, gpsd[:HOST[:PORT]], serial:PATH[@BAUD], replay:FILE, wifi or simulator;
                       the default is the value of LOCATIOND_SOURCE, else auto
      --replay FILE    play a capture, an NMEA log or a UBX log when a program requests the location
      --realtime       play at the speed of the recording instead of as fast as possible
      --version, --help
      scan-helper      started by location-scan.socket: requests Wi-Fi scans, because locationd is not allowed to
      fetch-helper     started by location-fetch.socket: sends web requests, because locationd has no network access
      event-agent      started by location-agent@UID.socket: runs that user's commands for events

    LOCATIOND_SOCKET   its socket (/run/locationd/socket for root, else $XDG_RUNTIME_DIR/locationd/socket)
    LOCATIOND_STATE    the folder in which it stores its state
    LOCATIOND_WIFI     off: do not use the Wi-Fi radio
    LOCATIOND_WIFI_PROVIDER  http(s) address of a service that computes a position from access points (default: none)
    LOCATIOND_WIFI_TILES     folder or http(s) address of tiles of access points (default: none)
    LOCATIOND_GPSD     the address (HOST:PORT) of gpsd; the daemon does not open its receivers. off: ignore gpsd
    GPSD_SOCKET        gpsd's control socket (/run/gpsd.sock), to take receivers from gpsd

    SIGHUP reads the state folder again. SIGTERM restores the settings of the receivers and ends; a second SIGTERM ends at
    once. Under systemd, locationd takes its socket from systemd and answers the watchdog.
    Exit status: 0 done, 64 wrong usage, 65 bad input file, 73 cannot listen or
    cannot write its state folder, 75 another locationd is running, 77 denied.
    """
}
