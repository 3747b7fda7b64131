package import LocationdService
package import NetworkSources
import PlacesCore
import Positioning
package import TimeService

/// The settings of a service. A setting that is not configured has its default. All values are valid, except those of
/// `wifiProvider` and `wifiTiles` (see `keepInvalid`).
package struct ServiceSettings: Hashable, Sendable {
  package var source = SourceSelection.automatic
  /// The named receivers and their order.
  package var receivers = ReceiverPreferences()
  /// The gpsd whose receivers are read through it and not opened; `nil`: gpsd is ignored.
  package var gpsd: GPSDAddress? = .local
  /// The control socket of gpsd; `nil`: one of the usual ones.
  package var gpsdSocket: String?
  /// `nil`: no corrections are used.
  package var corrections: CorrectionSelection?
  /// Receivers that get corrections although they have not identified themselves.
  package var correctedReceivers: [String] = []
  /// Where programs that speak gpsd's protocol, and those that read NMEA 0183, are served; empty: nowhere; `nil`: only at sockets that
  /// systemd has opened.
  package var (gpsdListen, nmeaListen): ([ListenAddress]?, [ListenAddress]?) = (nil, nil)
  /// The other machines that may connect to these; `nil`: none.
  package var (gpsdAllowed, nmeaAllowed): (AllowList?, AllowList?) = (nil, nil)
  /// Where NMEA 0183 is sent to.
  package var nmeaTargets: [DatagramTarget] = []
  package var usesWiFi = true
  /// An address, as configured; the Wi-Fi source reports an invalid one, too. `nil`: none.
  package var wifiProvider: String?
  /// A folder or an address, as configured; the Wi-Fi source reports an invalid one, too. `nil`: none.
  package var wifiTiles: String?
  /// The server of places and the contact for its owner.
  package var places = PlaceProviderSettings()
  /// Where an invalid value of `wifiProvider` or `wifiTiles` comes from, as in `SettingOrigin.naming(_:)`.
  package private(set) var invalidWiFi: [SettingKey: String] = [:]
  /// The time for the machine's clocks.
  package var time = TimeSettings()
  /// The largest number of monitored regions of one user.
  package var mostRegions = 1_000_000
  /// Whether positions are sent to destinations.
  package var hasFleet = true
  /// The folder of a light; `nil`: none.
  package var led: String?
  package var logLevel = LogLevel.info
  /// `nil`: the usual socket of this user.
  package var socket: String?
  /// `nil`: the usual state folder of this user.
  package var state: String?
  /// `nil`: the usual folder.
  package var agents: String?

  package init() {}

  /// Sets a value from its text.
  package mutating func set(_ key: SettingKey, to text: String) throws(InvalidSetting) {
    switch key {
    case .source:
      do throws(SourceSyntaxError) {
        source = try SourceSelection(parsing: text, receivers: receivers.receivers)
      } catch {
        if case .badNetwork(let error) = error { throw InvalidSetting("is not a source", error.remedy) }
        throw InvalidSetting("is not a source", "use \(SourceSelection.syntax)")
      }
    case .prefer: receivers.order = try names(text)
    case .failoverAfter:
      guard let time = DurationArgument(argument: text), key.form.range?.contains(time.seconds) == true else {
        throw InvalidSetting("is not a time between 1 s and 1 h", "use a value such as 10s or 2m")
      }
      receivers.failoverAfter = .seconds(time.seconds)
    case .gpsd:
      guard text != "off" else { return gpsd = nil }
      guard let address = GPSDAddress(parsing: text) else {
        throw InvalidSetting("is not an address", "set it to HOST:PORT, or to off to ignore gpsd")
      }
      gpsd = address
    case .gpsdSocket: gpsdSocket = try path(text)
    case .corrections:
      guard text != "off" else { return corrections = nil }
      guard let selection = CorrectionSelection(parsing: text) else {
        throw InvalidSetting(
          "is not a source of corrections", "use the name of a file in /etc/locationd/ntrip, rtcm:FILE or off")
      }
      corrections = selection
    case .correctedReceivers:
      let names = text.split(separator: ",").map { String($0.trimmed) }
      guard names.count <= 16, names.allSatisfy({ (1...1024).contains($0.utf8.count) }) else {
        throw InvalidSetting("is not a list of receivers", "use names, IDs or paths, separated by commas")
      }
      correctedReceivers = names
    case .gpsdListen: gpsdListen = try addresses(text, port: GPSDAddress.standardPort)
    case .nmeaListen: nmeaListen = try addresses(text, port: ListenAddress.standardNMEAPort)
    case .gpsdAllow: gpsdAllowed = try ranges(text)
    case .nmeaAllow: nmeaAllowed = try ranges(text)
    case .nmeaSend:
      guard text != "off" else { return nmeaTargets = [] }
      do throws(NetworkSourceError) {
        nmeaTargets = try DatagramTarget.list(parsing: text)
      } catch {
        throw InvalidSetting("is not a list of targets", error.remedy)
      }
    case .wifi:
      guard let isOn = Self.switched(text) else { throw InvalidSetting("is neither on nor off", "use on or off") }
      usesWiFi = isOn
    case .wifiProvider:
      guard WebAddress(text) != nil else {
        throw InvalidSetting("is not an http or https address, and no provider is used", "set it to such an address")
      }
      wifiProvider = text
    case .wifiTiles:
      guard TileSource(text) != nil else {
        throw InvalidSetting(
          "is not a source of tiles, and none are fetched", "set it to an absolute folder, or an http or https address")
      }
      wifiTiles = text
    case .placesProvider:
      guard text != "off" else { return places.provider = nil }
      guard let provider = PlaceProvider(text) else {
        throw InvalidSetting(
          "is not a server of places",
          "use nominatim:URL, photon:URL or pelias:URL with an http or https address, or off")
      }
      places.provider = provider
    case .placesContact:
      guard ProviderContact.isValid(text) else {
        throw InvalidSetting("is not a contact", "use an e-mail address or a web address of at most 128 characters")
      }
      places.contact = text
    case .time:
      guard let sinks = TimeSinks(text) else {
        throw InvalidSetting("names no clock daemon", "give chrony, shm:UNIT, both separated by a comma, or off")
      }
      time.sinks = sinks
    case .timeOffset:
      guard text != "auto" else { return time.delaySeconds = nil }
      guard text.utf8.count <= 12, let seconds = Double(text), abs(seconds) <= 2 else {
        throw InvalidSetting("is not a number of seconds between -2 and 2", "give for example 0.07, or auto")
      }
      time.delaySeconds = seconds
    case .timePulse:
      guard let pulse = PulseChoice(text) else {
        throw InvalidSetting("is not a PPS device", "give auto, off, or a device such as /dev/pps0")
      }
      time.pulse = pulse
    case .timeSocket: time.socket = try path(text)
    case .setClock:
      guard let isOn = Self.switched(text) else { throw InvalidSetting("is neither on nor off", "give on or off") }
      time.setsClock = isOn
    case .regions:
      guard text.utf8.count < 10, let number = Int(text), key.form.range?.contains(number) == true else {
        throw InvalidSetting("is not a number between 1 and 100000000", "use a value such as 1000000")
      }
      mostRegions = number
    case .fleet:
      guard let isOn = Self.switched(text) else { throw InvalidSetting("is neither on nor off", "use on or off") }
      hasFleet = isOn
    case .led: led = try path(text)
    case .logLevel:
      guard let level = LogLevel(name: text) else {
        throw InvalidSetting(
          "is not a level", "use \(LogLevel.allCases.dropLast().map(\.name).joined(separator: ", ")) or debug")
      }
      logLevel = level
    case .socket: socket = try path(text)
    case .state: state = try path(text)
    case .agents: agents = try path(text)
    }
  }

  private func names(_ text: String) throws(InvalidSetting) -> [String] {
    var names: [String] = []
    for part in text.split(separator: ",") {
      let name = part.trimmed
      guard receivers.receivers.contains(where: { $0.name == name }) else {
        let known = receivers.receivers.map(\.name)
        let near = Suggestion.nearest(to: name, in: known).map { "did you mean '\($0)'" }
        throw InvalidSetting(
          "names '\(ServiceConfiguration.shown(name))', which is not a configured receiver",
          near ?? "add a section [receiver \"NAME\"] with its id or port", isQuestion: near != nil)
      }
      if !names.contains(name) { names.append(name) }
    }
    return names
  }

  private func addresses(_ text: String, port: UInt16) throws(InvalidSetting) -> [ListenAddress] {
    do throws(ListenAddress.Problem) {
      return try ListenAddress.list(parsing: text, port: port)
    } catch {
      throw InvalidSetting("is not a list of addresses", "give on, off, or for example 127.0.0.1:\(port),[::1]:\(port)")
    }
  }

  private func ranges(_ text: String) throws(InvalidSetting) -> AllowList? {
    guard text != "off" else { return nil }
    guard let list = AllowList(parsing: text) else {
      throw InvalidSetting("is not a list of addresses or ranges", "give for example 192.168.1.0/24, or off")
    }
    return list
  }

  private func path(_ text: String) throws(InvalidSetting) -> String {
    guard text.hasPrefix("/"), text.utf8.count < 4096 else {
      throw InvalidSetting("is not an absolute path", "use one that begins with /")
    }
    return text
  }

  /// The words that systemd accepts (systemd.syntax(7)).
  private static func switched(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "on", "yes", "true", "1", "y", "t": true
    case "off", "no", "false", "0", "n", "f": false
    default: nil
    }
  }

  /// Records where an invalid value of a provider or of tiles comes from, and keeps the value if there is no other one,
  /// so that the Wi-Fi source reports it. Does nothing for other settings.
  mutating func keepInvalid(_ key: SettingKey, _ text: String, from origin: SettingOrigin) {
    switch key {
    case .wifiProvider: wifiProvider = wifiProvider ?? text
    case .wifiTiles: wifiTiles = wifiTiles ?? text
    default: return
    }
    invalidWiFi[key] = origin.naming(key)
  }
}

/// Why a text is not a valid value of a setting, as the parts of a sentence: "NAME reason: remedy."
package struct InvalidSetting: Error, Hashable, Sendable {
  package var reason: String
  package var remedy: String
  /// Whether the remedy is a question.
  var isQuestion = false

  init(_ reason: String, _ remedy: String, isQuestion: Bool = false) {
    (self.reason, self.remedy, self.isQuestion) = (reason, remedy, isQuestion)
  }

  /// The rest of a sentence that begins with the setting's name.
  package var predicate: String { "\(reason): \(remedy)\(isQuestion ? "?" : ".")" }
}

extension StringProtocol {
  /// The text without the spaces and tabs at both ends.
  var trimmed: String {
    let bytes = Array(utf8)
    let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
    guard let first = bytes.firstIndex(where: { !isBlank($0) }), let last = bytes.lastIndex(where: { !isBlank($0) })
    else { return "" }
    return String(decoding: bytes[first...last], as: UTF8.self)
  }
}
