package import NetworkSources

/// The source of fixes, in the syntax of `--source` and of the setting `source`.
package enum SourceSelection: Hashable, Sendable {
  /// Any available receiver.
  case automatic
  /// The port at `path`, at `baud`; `nil`: the baud rate is detected.
  case serial(path: String, baud: Int?)
  /// A capture, or an NMEA or UBX log, played as if it happened.
  case replay(path: String)
  /// The receivers of the gpsd at this address.
  case gpsd(GPSDAddress)
  /// A receiver in a network: a server that sends its bytes, or programs that send them to this machine.
  case network(NetworkSource)
  /// The access points nearby, and no receiver.
  case wifi
  /// A simulated receiver behind the real serial driver.
  case simulator
  /// The receivers of the running daemon; `device`: only the one at this path.
  case daemon(device: String?)
  /// One receiver that the configuration names.
  case receiver(NamedReceiver)

  /// Whether its fixes are worth storing: not those of the past or of a simulator; a daemon stores its own.
  package var isRemembered: Bool {
    switch self {
    case .automatic, .serial, .gpsd, .network, .wifi, .receiver: true
    case .replay, .simulator, .daemon: false
    }
  }

  /// The baud rates that may be selected for a receiver, bits per second.
  package static let baudRange = 300...4_000_000

  /// What a source may be, for messages.
  package static let syntax =
    "auto, gpsd[:HOST[:PORT]], serial:PATH[@BAUD], tcp://HOST:PORT, tcp-listen://ADDRESS:PORT?from=RANGE, "
    + "udp://ADDRESS:PORT?from=RANGE, replay:FILE, wifi, simulator or the name of a configured receiver"

  /// The words that are sources without an argument, so that no receiver may have such a name.
  package static let words = ["auto", "gpsd", "serial", "tcp", "tcp-listen", "udp", "replay", "wifi", "simulator"]

  /// Reads `auto`, `gpsd[:HOST[:PORT]]`, `serial:PATH[@BAUD]`, a path below `/dev/`, `replay:FILE`, `wifi`, `simulator`, or the name of
  /// one of `receivers`.
  package init(parsing text: String, receivers: [NamedReceiver]) throws(SourceSyntaxError) {
    do throws(SourceSyntaxError) {
      try self.init(parsing: text)
    } catch {
      guard case .unknown = error, let receiver = receivers.first(where: { $0.name == text }) else { throw error }
      self = .receiver(receiver)
    }
  }

  /// Reads `auto`, `gpsd[:HOST[:PORT]]`, `serial:PATH[@BAUD]`, a path below `/dev/`, `tcp://HOST:PORT`, `tcp-listen://ADDRESS:PORT`,
  /// `udp://ADDRESS:PORT`, `replay:FILE`, `wifi` or `simulator`.
  package init(parsing text: String) throws(SourceSyntaxError) {
    // The path of a port alone.
    if text.hasPrefix("/dev/") {
      self = try Self.serial(parsing: text)
      return
    }
    let kind = text.prefix { $0 != ":" }
    let rest = text.dropFirst(kind.count)
    let argument = String(rest.dropFirst())
    switch kind {
    case "auto" where rest.isEmpty: self = .automatic
    case "simulator" where rest.isEmpty: self = .simulator
    case "serial": self = try Self.serial(parsing: argument)
    case "replay":
      guard Self.isPath(argument) else { throw .missingPath(kind: "replay", example: "replay:capture.nmea") }
      self = .replay(path: argument)
    case "gpsd":
      guard Self.isGPSDBuilt else { throw .notBuiltYet(kind: "gpsd") }
      guard !rest.isEmpty else {
        self = .gpsd(.local)
        return
      }
      guard let address = GPSDAddress(parsing: argument) else { throw .badAddress(argument) }
      self = .gpsd(address)
    case "tcp", "tcp-listen", "udp":
      do throws(NetworkSourceError) {
        self = .network(try NetworkSource(parsing: text))
      } catch {
        throw .badNetwork(error)
      }
    case "ntrip", "ntrips", "rtcm": throw .corrections
    case "wifi" where rest.isEmpty: self = .wifi
    default: throw .unknown(text)
    }
  }

  /// Whether the package trait `GPSD` is on.
  private static var isGPSDBuilt: Bool {
    #if GPSD
      true
    #else
      false
    #endif
  }

  private static func serial(parsing argument: String) throws(SourceSyntaxError) -> SourceSelection {
    // The text after the last `@` is a baud rate unless it contains a `/`, so that a folder's name may contain an `@`.
    var path = argument
    var baud: Int?
    if let at = argument.lastIndex(of: "@") {
      let digits = argument[argument.index(after: at)...]
      if !digits.contains("/") {
        guard let value = Int(digits), baudRange.contains(value) else { throw .badSpeed(String(digits)) }
        baud = value
        path = String(argument[..<at])
      }
    }
    guard isPath(path) else { throw .missingPath(kind: "serial", example: "serial:/dev/ttyUSB0@9600") }
    return .serial(path: path, baud: baud)
  }

  /// A path that the kernel accepts: not empty, without NUL, within PATH_MAX.
  private static func isPath(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count < 4096 && !text.utf8.contains(0)
  }
}

/// Why a text is not a valid source.
package enum SourceSyntaxError: Error, Hashable, Sendable {
  case unknown(String)
  case missingPath(kind: String, example: String)
  case badSpeed(String)
  /// Not a valid address of a receiver in a network.
  case badNetwork(NetworkSourceError)
  /// The source of corrections, which gives no positions.
  case corrections
  /// Not a valid host and port.
  case badAddress(String)
  /// Specified, but not in this version, or disabled in this build.
  case notBuiltYet(kind: String)
}
