import Geodesy
import TimeService

/// A setting of the service: its name in `locationd.conf`, its environment variable, its default and its description.
///
/// This is the only list of settings. The installed file, the manual page and the completions are checked against it.
package enum SettingKey: String, CaseIterable, Hashable, Sendable {
  case source
  case prefer
  case failoverAfter = "failover-after"
  case gpsd
  case gpsdSocket = "gpsd-socket"
  case corrections
  case correctedReceivers = "corrected-receivers"
  case gpsdListen = "gpsd-listen"
  case gpsdAllow = "gpsd-allow"
  case nmeaListen = "nmea-listen"
  case nmeaAllow = "nmea-allow"
  case nmeaSend = "nmea-send"
  case wifi
  case wifiProvider = "wifi-provider"
  case wifiTiles = "wifi-tiles"
  case placesProvider = "places-provider"
  case placesContact = "places-contact"
  case time
  case timeOffset = "time-offset"
  case timePulse = "time-pulse"
  case timeSocket = "time-socket"
  case setClock = "set-clock"
  case regions
  case fleet
  case led
  case logLevel = "log-level"
  case socket
  case state
  case agents

  /// The name in the file.
  package var name: String { rawValue }

  /// The environment variable with the same meaning.
  package var variable: String {
    switch self {
    // As for gpsdctl(8).
    case .gpsdSocket: "GPSD_SOCKET"
    default: "LOCATIOND_" + rawValue.uppercased().substituting("-", with: "_")
    }
  }

  /// The form of the setting's values.
  package var form: SettingForm {
    switch self {
    case .source: .source
    case .prefer: .names
    case .failoverAfter: .time(1...3600)
    case .gpsd: .gpsd
    case .corrections: .corrections
    case .correctedReceivers: .receivers
    case .gpsdListen, .nmeaListen: .listen
    case .gpsdAllow, .nmeaAllow: .ranges
    case .nmeaSend: .targets
    case .wifi, .fleet: .switched
    case .wifiProvider: .webAddress
    case .wifiTiles: .tiles
    case .placesProvider: .placesProvider
    case .placesContact: .contact
    case .time: .timeSinks
    case .timeOffset: .timeOffset
    case .timePulse: .pulse
    case .setClock: .switched
    case .regions: .number(1...100_000_000)
    case .logLevel: .level
    case .gpsdSocket, .timeSocket, .led, .socket, .state, .agents: .path
    }
  }

  /// The default as text; `nil`: not set, or it depends on the user.
  package var usualText: String? {
    switch self {
    case .source: "auto"
    case .failoverAfter: "3s"
    case .gpsd: "localhost:2947"
    case .gpsdSocket: "/run/gpsd.sock"
    case .gpsdListen, .nmeaListen, .nmeaSend, .gpsdAllow, .nmeaAllow: "off"
    case .wifi, .fleet: "on"
    case .time, .setClock: "off"
    case .timeOffset, .timePulse: "auto"
    case .timeSocket: ChronySnippet.socketPath
    case .regions: "1000000"
    case .logLevel: "info"
    case .agents: "/run/location-agent"
    case .corrections, .placesProvider: "off"
    case .prefer, .correctedReceivers, .wifiProvider, .wifiTiles, .placesContact, .led, .socket, .state: nil
    }
  }

  /// What the setting does, in a few sentences.
  package var help: String {
    switch self {
    case .source:
      "Where positions come from: auto, gpsd[:HOST[:PORT]], serial:PATH[@BAUD], tcp://HOST:PORT, tcp-listen://ADDRESS:PORT?from=RANGE, "
        + "udp://ADDRESS:PORT?from=RANGE, replay:FILE, wifi, simulator, or the name of a receiver of this file."
    case .prefer: "The names of the receivers to prefer if several have a fix, best first, separated by commas."
    case .failoverAfter: "How long a preferred receiver may be without a fix before the next one is used."
    case .gpsd: "The address (HOST:PORT) of gpsd. Its receivers are read through it. off: ignore gpsd."
    case .gpsdSocket: "The control socket of gpsd."
    case .corrections:
      "Corrections for RTK: the name of a file in /etc/locationd/ntrip, which has the address and the account of a caster, or rtcm:FILE. "
        + "off: none."
    case .correctedReceivers:
      "The names, IDs or paths of receivers that get corrections although they have not identified themselves as receivers that can use "
        + "them, separated by commas."
    case .gpsdListen:
      "Where programs that speak gpsd's protocol are served: off, on (127.0.0.1:2947 and [::1]:2947), or addresses of this machine with "
        + "their ports, separated by commas. Each program gets what its user was granted. Other machines are served only with gpsd-allow."
    case .gpsdAllow:
      "The other machines that may connect to gpsd-listen: addresses or ranges such as 192.168.1.0/24, separated by commas. Each gets what "
        + "net:ADDRESS was granted. off: none."
    case .nmeaListen:
      "The same for programs that read NMEA 0183 over TCP; on is 127.0.0.1:10110 and [::1]:10110. They get nothing unless their user "
        + "has access to the exact location."
    case .nmeaAllow: "The same for nmea-listen."
    case .nmeaSend:
      "Addresses to which the position is sent as NMEA 0183 in datagrams, with satellites and exact, as long as this is set: "
        + "udp://ADDRESS:PORT, separated by commas; for a broadcast or multicast address, with ?broadcast=yes. off: none."
    case .wifi: "off: do not use the Wi-Fi radio, and learn no access points."
    case .wifiProvider:
      "The http or https address of a service that computes a position from the access points in range. It receives their addresses, "
        + "and so the position of this machine."
    case .wifiTiles:
      "Where tiles of access points are fetched from: a folder that 'locationctl wifi export' has written, or the http or https address of "
        + "such a folder."
    case .placesProvider:
      "The server that is asked for a place if the data on this machine has no street there: nominatim:URL, photon:URL or pelias:URL. It "
        + "receives the position or the text. Only single questions of people are sent, and only with places-contact. off: none."
    case .placesContact:
      "The e-mail address or the web address by which the owner of that server reaches you. It is sent with each question, as public "
        + "servers demand."
    case .time:
      "Which programs get the receivers' time: chrony (chronyd), shm:UNIT (those that read NTP's shared memory, such as ntpd), both "
        + "with a comma between them, or off. Unless it is off, the receivers run all the time."
    case .timeOffset:
      "How long after the beginning of a second the messages arrive in which a receiver reports it, in seconds. This delay is added to the "
        + "receiver's time. auto: the delay is measured; until then, 0.07 is assumed."
    case .timePulse: "The PPS device of the receiver: auto, off, or a device such as /dev/pps0."
    case .timeSocket:
      "The socket of chronyd, as in its refclock line. Pulses go to a second socket, with -pps before .sock: /run/chrony.locationd-pps.sock."
    case .setClock:
      "on: set the system's clock once after a boot, if it is wrong and no other program keeps it. 'locationctl time set-clock on' also "
        + "gives the helper the right to set it."
    case .regions: "The maximum number of regions per user, for all of the user's programs together."
    case .fleet: "off: send positions to no destination of 'locationctl fleet', and accept none."
    case .led: "The folder of a light that is on while location is used, for example /sys/class/leds/ACT."
    case .logLevel:
      "Which messages are written to the journal: error, warning, notice, info or debug. At debug, there is a message for each client that connects."
    case .socket: "The socket of the daemon, if systemd does not pass one."
    case .state: "The state folder. The systemd unit sets it."
    case .agents: "The folder of the sockets of users' agents."
    }
  }

  /// Whether a changed value is applied while the daemon runs; otherwise it takes effect when the daemon starts again.
  package var isAppliedAtRunTime: Bool {
    switch self {
    case .prefer, .failoverAfter, .gpsdSocket, .corrections, .correctedReceivers, .gpsdListen, .nmeaListen, .nmeaSend,
      .gpsdAllow, .nmeaAllow, .wifi,
      .wifiProvider, .wifiTiles, .placesProvider, .placesContact, .logLevel, .time, .timeOffset,
      .timePulse, .timeSocket, .setClock:
      true
    case .source, .gpsd, .regions, .fleet, .led, .socket, .state, .agents: false
    }
  }

  /// Whether a value in the files applies only to the daemon, and not to programs that use receivers without a daemon.
  package var isOfDaemonAlone: Bool {
    switch self {
    case .corrections, .correctedReceivers, .gpsdListen, .nmeaListen, .fleet, .nmeaSend, .gpsdAllow, .nmeaAllow, .led,
      .logLevel, .socket, .state, .agents, .placesProvider, .placesContact, .time, .timeOffset, .timePulse, .timeSocket,
      .setClock:
      true
    case .source, .prefer, .failoverAfter, .gpsd, .gpsdSocket, .wifi, .wifiProvider, .wifiTiles, .regions: false
    }
  }

  /// Whether the setting's value may contain a password or an access key, and is therefore left out of the journal.
  package var isPrivate: Bool { [.wifiProvider, .wifiTiles, .placesProvider].contains(self) }

  /// The variable that sets the log level to `debug` if it is not empty. It is older than the setting `log-level`; in
  /// the environment of a process, `LOCATIOND_LOG_LEVEL` takes precedence over it.
  package static let debugVariable = "LOCATIOND_DEBUG"
  /// The variable that names another root folder for the files of the configuration.
  package static let rootVariable = "LOCATIOND_CONFIG"

  /// All environment variables of the service.
  package static let variables = allCases.map(\.variable) + [debugVariable, rootVariable]
}

/// The form of a setting's values.
package enum SettingForm: Hashable, Sendable {
  case source
  /// Names of receivers, separated by commas.
  case names
  /// A time between these seconds.
  case time(ClosedRange<Int>)
  /// An address, or `off`.
  case gpsd
  /// The name of a caster's file, `rtcm:FILE` or `off`.
  case corrections
  /// Names, IDs or paths of receivers, separated by commas.
  case receivers
  /// Addresses of this machine, `on` or `off`.
  case listen
  /// Targets of datagrams, or `off`.
  case targets
  /// Addresses or ranges of other machines, or `off`.
  case ranges
  /// `on` or `off`.
  case switched
  case webAddress
  case tiles
  /// A server of places with its kind, or `off`.
  case placesProvider
  /// An e-mail address or a web address.
  case contact
  case number(ClosedRange<Int>)
  case level
  /// Names of clock daemons, or `off`.
  case timeSinks
  /// Seconds, or `auto`.
  case timeOffset
  /// A PPS device, `auto` or `off`.
  case pulse
  /// An absolute path.
  case path

  /// The name of the form, for programs.
  package var name: String {
    switch self {
    case .source: "source"
    case .names: "names"
    case .time: "time"
    case .gpsd: "address"
    case .corrections: "corrections"
    case .receivers: "receivers"
    case .listen: "addresses"
    case .targets: "targets"
    case .ranges: "ranges"
    case .switched: "switch"
    case .webAddress: "url"
    case .tiles: "path or url"
    case .placesProvider: "provider"
    case .contact: "contact"
    case .number: "number"
    case .level: "level"
    case .timeSinks: "sinks"
    case .timeOffset: "seconds"
    case .pulse: "device"
    case .path: "path"
    }
  }

  /// The limits of a number or of a time in seconds.
  package var range: ClosedRange<Int>? {
    switch self {
    case .time(let range), .number(let range): range
    default: nil
    }
  }
}

/// Which lines the journal gets. The raw values are those of syslog(3).
package enum LogLevel: Int, CaseIterable, Hashable, Sendable, Comparable {
  case error = 3
  case warning = 4
  case notice = 5
  case info = 6
  case debug = 7

  package var name: String { "\(self)" }

  package init?(name: String) {
    guard let level = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = level
  }

  package static func < (a: LogLevel, b: LogLevel) -> Bool { a.rawValue < b.rawValue }
}
