import Fleet
import FleetDestinations
import Geodesy
import LinuxIO

/// Reads the secrets of a destination when a connection is made.
enum FleetCredentialReader {
  /// What the helper needs to connect. Files in `stateFolder` are not read: they are the service's own.
  static func connection(
    _ destination: FleetDestination, stateFolder: String, _ memory: FleetMemory, at time: GNSSTime?
  ) throws(FleetProblem) -> FleetConnection {
    let (address, settings) = (destination.address, destination.settings)
    func content(_ credential: FleetCredential?, isSecret: Bool) throws(FleetProblem) -> [UInt8]? {
      try Self.content(credential, isSecret: isSecret, outside: stateFolder)
    }
    var connection = FleetConnection(kind: address.kind, server: address.server, isEncrypted: address.isEncrypted)
    connection.clientID = "locationd-\(settings.device)-" + String(memory.box, radix: 16)
    connection.expectsVersion5 = memory.hasVersion5
    connection.account = settings.account
    connection.password = try content(settings.credentials.password, isSecret: true)
    connection.authorities = try content(settings.credentials.authorities, isSecret: false)
    connection.certificate = try content(settings.credentials.certificate, isSecret: false)
    connection.key = try content(settings.credentials.key, isSecret: true)
    connection.encryptionSecret = try content(settings.credentials.encryptionSecret, isSecret: true)
    switch address.kind {
    case .mqtt:
      connection.will = will(settings, at: time)
      if !settings.commands.isEmpty { connection.commandTopic = settings.baseTopic + "/cmd" }
    case .ownTracksHTTP:
      connection.headers = ["X-Limit-U: \(settings.user)", "X-Limit-D: \(settings.device)"]
      if !settings.commands.isEmpty { connection.commandTopic = settings.baseTopic + "/cmd" }
    case .osmAnd, .overland, .http: break
    }
    return connection
  }

  /// A connection has one will: Home Assistant's availability where it is announced there, otherwise OwnTracks' `lwt`.
  private static func will(_ settings: FleetSettings, at time: GNSSTime?) -> FleetMessage {
    guard settings.homeAssistant == nil else {
      var will = FleetMessage(
        id: FleetMessage.stateBit, kind: .lastWill, method: .publish,
        target: HomeAssistantPayload.availabilityTopic(settings), body: HomeAssistantPayload.availability(false))
      will.isRetained = true
      return will
    }
    return FleetMessage(
      id: FleetMessage.stateBit, kind: .lastWill, method: .publish, target: settings.baseTopic,
      body: OwnTracksPayload.lastWill(connectedAt: time ?? GNSSTime(nanosecondsSince1970: 0)),
      contentType: "application/json")
  }

  private static func content(
    _ credential: FleetCredential?, isSecret: Bool, outside folder: String
  ) throws(FleetProblem) -> [UInt8]? {
    let path: String
    var isPrivate = isSecret
    switch credential {
    case nil: return nil
    case .file(let file): path = file
    case .systemd(let name):
      guard let folder = ProcessEnvironment.value("CREDENTIALS_DIRECTORY") else { throw .credentialUnreadable }
      path = "\(folder)/\(name)"
      // systemd sets its owner and its mode.
      isPrivate = false
    }
    let read = try? CredentialFile.read(
      path, outside: folder, isSecret: isPrivate, maximumSize: FleetCredential.longestContent)
    guard var bytes = read, !bytes.isEmpty else { throw .credentialUnreadable }
    // A text editor ends the line.
    if isSecret, bytes.starts(with: "-----BEGIN".utf8) == false {
      while let last = bytes.last, last == 0x0A || last == 0x0D { bytes.removeLast() }
    }
    return bytes
  }
}

/// The machine, as far as servers show it.
enum FleetMachine {
  private static let supplies = "/sys/class/power_supply"

  /// As in /proc/device-tree/model.
  static let model: String? = text("/proc/device-tree/model")

  /// The first battery (Documentation/ABI/testing/sysfs-class-power: `capacity`, `status`).
  static var battery: (percent: Int, state: FleetContext.Battery)? {
    for name in ["BAT0", "BAT1", "battery", "axp20x-battery"] {
      guard let percent = text("\(supplies)/\(name)/capacity").flatMap({ Int($0) }), (0...100).contains(percent) else {
        continue
      }
      let state: FleetContext.Battery =
        switch text("\(supplies)/\(name)/status") {
        case "Charging": .charging
        case "Discharging", "Not charging": .unplugged
        case "Full": .full
        default: .unknown
        }
      return (percent, state)
    }
    return nil
  }

  /// A short text without its end of line or its zero byte.
  private static func text(_ path: String) -> String? {
    guard let bytes = try? InputFile.content(of: path, maximumSize: 256) else { return nil }
    return String(validating: bytes.filter { $0 >= 0x20 && $0 != 0x7F }, as: UTF8.self).flatMap {
      $0.isEmpty ? nil : $0
    }
  }
}
