import LinuxDevices
import LocationIPC
import LocationdHost
import LocationdRecords
import LocationdServer
import LocationdService

/// The arguments of the daemon. Read by hand: a parser with tables of its own would cost a quarter of the time to the socket.
struct DaemonArguments {
  enum Task {
    case serve
    /// As the one that may have a Wi-Fi radio scan.
    case helpScan
    /// As the one that may use the network.
    case helpFetch
    /// As a user's agent.
    case runEvents
    case printVersion
    case printHelp
  }

  /// What is wrong with them.
  struct Problem: Error {
    var sentence: String
  }

  private(set) var task = Task.serve
  private(set) var configuration = DaemonHost.Configuration(release: Release.current)

  /// - Parameters:
  ///   - source: what the environment names, where no argument does.
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
        guard let value = rest.popFirst() else { throw Problem(sentence: "\(argument) lacks its value.") }
        guard named == nil else { throw Problem(sentence: "Give one --source or --replay.") }
        isReplay = argument == "--replay"
        named = try Self.source(isReplay ? "replay:\(value)" : value, from: argument)
      default:
        let text = String(String.UnicodeScalarView(argument.unicodeScalars.filter { $0.isASCII && $0.value >= 0x20 }))
        throw Problem(sentence: "There is no argument '\(text.prefix(100))'.")
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
        throw Problem(sentence: "LOCATIOND_GPSD is no address: give HOST:PORT, or off where no gpsd is to be minded.")
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
          "\(name) names no source: give auto, gpsd[:HOST[:PORT]], serial:PATH[@BAUD], replay:FILE, wifi or simulator.")
    }
  }

  static let help = """
    Tells programs where this machine is, by the receivers that are attached to it.

    usage: locationd [--source SOURCE | --replay FILE [--realtime]]
           locationd scan-helper | fetch-helper | event-agent

      --source SOURCE  auto, gpsd[:HOST[:PORT]], serial:PATH[@BAUD], replay:FILE, wifi or simulator;
                       the default is what LOCATIOND_SOURCE names, else auto
      --replay FILE    play a capture, an NMEA or a UBX log when somebody asks
      --realtime       play it at its own pace, not as fast as it goes
      --version, --help
      scan-helper      as location-scan.socket starts it: has a Wi-Fi radio scan for locationd, which may not
      fetch-helper     as location-fetch.socket starts it: asks the web for locationd, which may not
      event-agent      as location-agent@UID.socket starts it: runs what that user has noted for events

    LOCATIOND_SOCKET   its socket (/run/locationd/socket for root, else $XDG_RUNTIME_DIR/locationd/socket)
    LOCATIOND_STATE    the folder in which it remembers
    LOCATIOND_WIFI     off: the radio for Wi-Fi is left alone
    LOCATIOND_WIFI_PROVIDER  http(s) address that is asked where the access points around are; not set: none is
    LOCATIOND_WIFI_TILES     folder or http(s) address of tiles of access points; not set: none
    LOCATIOND_GPSD     HOST:PORT of the gpsd whose receivers are left to it, or off
    GPSD_SOCKET        its control socket (/run/gpsd.sock), for receivers that are taken from it

    SIGHUP takes up what has changed in the state folder; SIGTERM ends it when its receivers are as they were, a second one at
    once. It takes its socket from systemd, and answers its watchdog, where that is there.
    Exit status: 0 done, 64 bad usage, 65 bad input file, 73 cannot listen or
    cannot write its state folder, 75 another locationd serves, 77 denied.
    """
}
