import Geodesy
import LocationdService
import TimeService

/// The settings in effect, where each comes from, and what is wrong with the configuration.
///
/// Precedence, highest first: options, environment variables, the environment file of 0.1.0, drop-ins (a later name
/// before an earlier one), `locationd.conf`, defaults. A value that is not valid is reported and ignored, so that the
/// value with the next lower precedence applies.
package struct ServiceConfiguration: Sendable {
  /// All the places that can set a value.
  package struct Layers: Sendable {
    /// Options with their texts: `--log-level`.
    package var options: [(key: SettingKey, option: String, text: String)] = []
    /// The service's environment variables that are set and not empty.
    package var variables: [String: String] = [:]
    /// The names of other environment variables, which may be misspelled variables of the service.
    package var otherVariables: [String] = []
    /// The environment file of the systemd unit; `nil`: there is none, or the configuration is that of this process.
    package var environmentFile: EnvironmentFileText?
    /// The files, the one with the lowest precedence first.
    package var files: [ConfigurationText] = []

    package init() {}
  }

  package private(set) var settings = ServiceSettings()
  /// All settings, in the order of `SettingKey`, then those of the named receivers.
  package private(set) var entries: [ConfiguredSetting] = []
  package private(set) var problems: [ConfigurationProblem] = []
  /// The paths of the files that were read, the one with the lowest precedence first.
  package private(set) var paths: [String] = []
  private var origins: [SettingKey: (text: String, origin: SettingOrigin)] = [:]

  /// More problems than anyone corrects at once; further ones are dropped.
  package static let mostProblems = 50
  /// More receivers than a machine has; further ones are ignored.
  package static let mostReceivers = 64

  package init(_ layers: Layers) {
    paths = layers.files.map(\.path)
    for file in layers.files { note(file.faults, of: file.path) }
    readReceivers(layers.files)
    let receiverEntries = entries
    entries = []
    for file in layers.files { readService(file) }
    if let file = layers.environmentFile { read(file) }
    read(layers.variables, layers.otherVariables)
    for (key, option, text) in layers.options { set(key, to: text, .option(option), named: option) }
    entries = SettingKey.allCases.map { key in
      ConfiguredSetting(
        key: key.name, value: origins[key]?.text ?? key.usualText, origin: origins[key]?.origin ?? .builtIn)
    }
    entries += receiverEntries
    sortProblems()
  }

  /// Puts the problems of the files in the order of the files and their lines, as a reader corrects them; the others follow.
  private mutating func sortProblems() {
    let places = problems.map { problem in
      if case .file(let path, let line) = problem.origin {
        (paths.firstIndex(of: path) ?? paths.count, line)
      } else {
        (paths.count + 1, 0)
      }
    }
    problems = problems.indices.sorted { a, b in
      (places[a].0, places[a].1, a) < (places[b].0, places[b].1, b)
    }.map { problems[$0] }
  }

  /// Whether a file, a folder of drop-ins or a line cannot be read, so that settings may be missing.
  package var isIncomplete: Bool { problems.contains { $0.kind == .unreadable } }

  /// The setting with that key; `nil`: there is no such key, or no such receiver is configured.
  package func entry(_ key: String) -> ConfiguredSetting? { entries.first { $0.key == key } }

  // MARK: - Values

  private mutating func set(_ key: SettingKey, to text: String, _ origin: SettingOrigin, named name: String) {
    do throws(InvalidSetting) {
      try settings.set(key, to: text)
      origins[key] = (text, origin)
    } catch {
      settings.keepInvalid(key, text, from: origin)
      let reason = error.reason.holds(", and ") ? error.reason : "\(error.reason), and is ignored"
      add(.invalid, origin, "\(name) \(reason): \(error.remedy)\(error.isQuestion ? "?" : ".")")
    }
  }

  private mutating func reset(_ key: SettingKey) {
    origins[key] = nil
    let usual = ServiceSettings()
    switch key {
    case .source: settings.source = usual.source
    case .prefer: settings.receivers.order = []
    case .failoverAfter: settings.receivers.failoverAfter = usual.receivers.failoverAfter
    case .gpsd: settings.gpsd = usual.gpsd
    case .gpsdSocket: settings.gpsdSocket = nil
    case .corrections: settings.corrections = nil
    case .correctedReceivers: settings.correctedReceivers = []
    case .gpsdListen: settings.gpsdListen = nil
    case .nmeaListen: settings.nmeaListen = nil
    case .gpsdAllow: settings.gpsdAllowed = nil
    case .nmeaAllow: settings.nmeaAllowed = nil
    case .nmeaSend: settings.nmeaTargets = []
    case .wifi: settings.usesWiFi = usual.usesWiFi
    case .wifiProvider: settings.wifiProvider = nil
    case .wifiTiles: settings.wifiTiles = nil
    case .placesProvider: settings.places.provider = nil
    case .placesContact: settings.places.contact = nil
    case .time: settings.time.sinks = usual.time.sinks
    case .timeOffset: settings.time.delaySeconds = nil
    case .timePulse: settings.time.pulse = usual.time.pulse
    case .timeSocket: settings.time.socket = usual.time.socket
    case .setClock: settings.time.setsClock = usual.time.setsClock
    case .regions: settings.mostRegions = usual.mostRegions
    case .fleet: settings.hasFleet = usual.hasFleet
    case .led: settings.led = nil
    case .logLevel: settings.logLevel = usual.logLevel
    case .socket: settings.socket = nil
    case .state: settings.state = nil
    case .agents: settings.agents = nil
    }
  }

  // MARK: - Files

  /// The receivers of all files come first, because other settings name them.
  private mutating func readReceivers(_ files: [ConfigurationText]) {
    var values: [String: [ReceiverSetting.Field: ConfiguredSetting]] = [:]
    var names: [String] = []
    for file in files {
      for assignment in file.assignments {
        guard case .receiver(let name) = ConfigurationSection(assignment.section) else { continue }
        let origin = SettingOrigin.file(path: file.path, line: assignment.line)
        guard let field = ReceiverSetting.Field(rawValue: assignment.key) else {
          unknown(receiverKey: assignment.key, of: name, origin)
          continue
        }
        if !names.contains(name) {
          guard names.count < Self.mostReceivers else { continue }
          names.append(name)
        }
        let key = ReceiverSetting(receiver: name, field: field).text
        if assignment.value.isEmpty {
          values[name]?[field] = nil
        } else if let invalid = ReceiverSetting.invalid(field, assignment.value) {
          add(.invalid, origin, "\(Self.place(origin)): \(key) \(invalid.reason), and is ignored: \(invalid.remedy).")
        } else {
          values[name, default: [:]][field] = ConfiguredSetting(key: key, value: assignment.value, origin: origin)
        }
      }
    }
    for name in names {
      guard let fields = values[name], !fields.isEmpty else { continue }
      settings.receivers.receivers.append(
        NamedReceiver(name: name, id: fields[.id]?.value, port: fields[.port]?.value))
      entries += ReceiverSetting.Field.allCases.compactMap { fields[$0] }
    }
  }

  private mutating func readService(_ file: ConfigurationText) {
    var reported: Set<String> = []
    for assignment in file.assignments {
      let origin = SettingOrigin.file(path: file.path, line: assignment.line)
      switch ConfigurationSection(assignment.section) {
      case .receiver: break
      case .service:
        guard let key = SettingKey(rawValue: assignment.key) else {
          unknown(key: assignment.key, origin)
          continue
        }
        guard !assignment.value.isEmpty else {
          reset(key)
          continue
        }
        set(key, to: assignment.value, origin, named: "\(Self.place(origin)): \(key.name)")
      case .badReceiver(let name):
        guard reported.insert(assignment.section).inserted else { continue }
        add(
          .invalid, origin,
          "\(Self.place(origin)): '\(Self.shown(name))' cannot be the name of a receiver, and the section is ignored: use up to "
            + "\(NamedReceiver.longestName) letters, digits, '.', '_' and '-', and no word that is a source.")
      case .unknown:
        guard reported.insert(assignment.section).inserted else { continue }
        unknown(section: assignment.section, origin)
      }
    }
  }

  private mutating func read(_ file: EnvironmentFileText) {
    for (name, value, line) in file.assignments {
      let origin = SettingOrigin.environmentFile(path: file.path, line: line, variable: name)
      if let key = SettingKey.allCases.first(where: { $0.variable == name }) {
        if !value.isEmpty { set(key, to: value, origin, named: name) }
      } else if name == SettingKey.debugVariable {
        if !value.isEmpty { set(.logLevel, to: LogLevel.debug.name, origin, named: name) }
      } else if Self.mayBeMeant(name), name != SettingKey.rootVariable {
        unknown(variable: name, origin)
      }
    }
  }

  private mutating func read(_ variables: [String: String], _ others: [String]) {
    if variables[SettingKey.debugVariable] != nil {
      set(.logLevel, to: LogLevel.debug.name, .variable(SettingKey.debugVariable), named: SettingKey.debugVariable)
    }
    for key in SettingKey.allCases {
      guard let text = variables[key.variable] else { continue }
      set(key, to: text, .variable(key.variable), named: key.variable)
    }
    for name in others where Self.mayBeMeant(name) && !SettingKey.variables.contains(name) {
      unknown(variable: name, .variable(name))
    }
  }

  /// Whether a variable is probably meant for this service: its name begins with `LOCATIOND_`, or with `LOCAT` and
  /// differs little from the name of one of the service's variables.
  package static func mayBeMeant(_ name: String) -> Bool {
    guard !name.hasPrefix("LOCATIOND_") else { return true }
    guard name.hasPrefix("LOCAT"), !name.hasPrefix("LOCATION_"), !name.hasPrefix("LOCATIONCTL_") else { return false }
    return Suggestion.nearest(to: name, in: SettingKey.variables) != nil
  }

  // MARK: - Problems

  private mutating func add(
    _ kind: ConfigurationProblem.Kind, _ origin: SettingOrigin, _ sentence: String, suggestion: String? = nil
  ) {
    guard problems.count < Self.mostProblems else { return }
    problems.append(ConfigurationProblem(kind: kind, origin: origin, sentence: sentence, suggestion: suggestion))
  }

  private mutating func unknown(key: String, _ origin: SettingOrigin) {
    let near = Suggestion.nearest(to: key, in: SettingKey.allCases.map(\.name))
    let isOfReceiver = ReceiverSetting.Field(rawValue: key) != nil
    let remedy =
      near.map { "did you mean '\($0)'?" }
      ?? (isOfReceiver ? "write it below [receiver \"NAME\"]." : "see locationd.conf(5) for all settings.")
    add(
      .unknown, origin, "\(Self.place(origin)): there is no setting '\(Self.shown(key))': \(remedy)", suggestion: near)
  }

  private mutating func unknown(receiverKey key: String, of name: String, _ origin: SettingOrigin) {
    let fields = ReceiverSetting.Field.allCases.map(\.rawValue)
    let near = Suggestion.nearest(to: key, in: fields)
    let remedy =
      if SettingKey(rawValue: key) != nil {
        "write it above the first section, or below [locationd]."
      } else if let near {
        "did you mean '\(near)'?"
      } else {
        "use \(fields.joined(separator: " or "))."
      }
    add(
      .unknown, origin, "\(Self.place(origin)): a receiver has no setting '\(Self.shown(key))': \(remedy)",
      suggestion: near)
  }

  private mutating func unknown(section: String, _ origin: SettingOrigin) {
    let word = String(section.prefix { $0 != " " && $0 != "\t" })
    let near = Suggestion.nearest(to: word, in: ["receiver", "locationd"])
    let remedy = near.map { "did you mean [\($0)\(Self.shown(String(section.dropFirst(word.count))))]?" }
    add(
      .unknown, origin,
      "\(Self.place(origin)): there is no section [\(Self.shown(section))]: \(remedy ?? "use [receiver \"NAME\"] or [locationd].")",
      suggestion: near)
  }

  private mutating func unknown(variable name: String, _ origin: SettingOrigin) {
    let near = Suggestion.nearest(to: name, in: SettingKey.variables)
    let remedy = near.map { "did you mean \($0)?" } ?? "see locationd.conf(5) for all variables."
    let place = if case .environmentFile = origin { "\(Self.place(origin)): there" } else { "There" }
    add(.unknown, origin, "\(place) is no variable \(Self.shown(name)): \(remedy)", suggestion: near)
  }

  /// What locationd does until a fault is corrected.
  private static func untilThen(_ part: String) -> String {
    "At start, locationd ignores \(part); a reload leaves all settings unchanged."
  }

  private mutating func note(_ faults: [(line: Int, fault: ConfigurationText.Fault)], of path: String) {
    for (line, fault) in faults {
      let origin = SettingOrigin.file(path: path, line: line)
      switch fault {
      case .noAssignment:
        add(
          .unreadable, origin,
          "\(Self.place(origin)): this is not 'key = value': correct the line. \(Self.untilThen("the line"))"
        )
      case .lineTooLong(let limit):
        add(
          .unreadable, origin,
          "\(Self.place(origin)): the line has more than \(limit) bytes: shorten it, or use the environment variable. \(Self.untilThen("the line"))"
        )
      case .notText:
        add(
          .unreadable, origin,
          "\(Self.place(origin)): the line has characters that are not text: correct the line. \(Self.untilThen("the line"))"
        )
      case .tooManyLines:
        add(
          .unreadable, origin,
          "\(Self.shown(path)) is too large: remove lines. \(Self.untilThen("its end"))"
        )
      case .unreadable(let reason):
        add(
          .unreadable, origin,
          "\(Self.shown(path)) cannot be read (\(reason)): make it readable for locationd. \(Self.untilThen("it"))"
        )
      }
    }
  }

  private static func place(_ origin: SettingOrigin) -> String {
    switch origin {
    case .file(let path, let line), .environmentFile(let path, let line, _): "\(shown(path)), line \(line)"
    case .option(let name), .variable(let name): name
    case .builtIn: "default"
    }
  }

  /// Text from a file for a sentence: at most 100 bytes; bytes that are not printable ASCII become question marks.
  static func shown(_ text: String) -> String {
    let bytes = text.utf8.prefix(100).map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }
    return String(decoding: bytes, as: UTF8.self)
  }
}
