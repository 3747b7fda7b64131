package import LocationdService

/// Where fixes are to come from, in the syntax of `--source` and `LOCATIOND_SOURCE`.
package enum SourceSelection: Hashable, Sendable {
  /// Whatever receiver is there.
  case automatic
  /// The port at `path`, at `baud` or, where that is `nil`, at the speed that is found.
  case serial(path: String, baud: Int?)
  /// A capture, or an NMEA or UBX log, played as if it happened.
  case replay(path: String)
  /// The receivers of the gpsd at that address.
  case gpsd(GPSDAddress)
  /// The access points around, and no receiver.
  case wifi
  /// A simulated receiver behind the real serial driver.
  case simulator
  /// What the daemon that answers hears of its receivers; `device`: of the one at that path alone.
  case daemon(device: String?)

  /// Whether what it tells is worth something tomorrow: not of the past, nor of a simulator; a daemon remembers for itself.
  package var isRemembered: Bool {
    switch self {
    case .automatic, .serial, .gpsd, .wifi: true
    case .replay, .simulator, .daemon: false
    }
  }

  /// The speeds that a receiver may be asked to be read at, bits per second.
  package static let baudRange = 300...4_000_000

  /// Reads `auto`, `gpsd[:HOST[:PORT]]`, `serial:PATH[@BAUD]`, `replay:FILE`, `wifi` or `simulator`.
  package init(parsing text: String) throws(SourceSyntaxError) {
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
    // Only digits after the last `@` are a speed, so that a path may hold an `@` of its own.
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

  /// A path that the kernel can take: not empty, without NUL, within PATH_MAX.
  private static func isPath(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count < 4096 && !text.utf8.contains(0)
  }
}

/// Why a text is no source.
package enum SourceSyntaxError: Error, Hashable, Sendable {
  case unknown(String)
  case missingPath(kind: String, example: String)
  case badSpeed(String)
  /// No host and port.
  case badAddress(String)
  /// Part of the contract, and not in this version, or left out of it.
  case notBuiltYet(kind: String)
}
