import Geodesy
import LocationPolicy
import Regions

/// A destination as text: one setting per line, `key value`; settings with their default value are left out. This is the form in which
/// the service stores it, and in which a client sends it.
extension FleetDestination {
  /// The longest text, bytes: it has to fit into a request to the service.
  package static let longestText = 60_000

  package var text: String { "name \(name)\naddress \(address.text)\n" + Self.lines(settings, of: nil) }

  /// These settings with the changes of a text: a line `key value` sets a value, a key alone sets the default, and what has no line stays as
  /// it is. Lines `hide` replace all hidden regions.
  package func changed(by change: String) throws(FleetSettingsError) -> FleetDestination {
    guard change.utf8.count <= Self.longestText else { throw .tooLong(limit: Self.longestText) }
    func key(_ line: Substring) -> Substring { Substring(line.utf8.prefix { $0 != 0x20 }) }
    let changes = change.utf8.split(separator: 0x0A).map { Substring($0) }
    let keys = Set(changes.map(key))
    if let other = keys.first(where: { $0 == "name" || !Self.keys.contains(String($0)) }) {
      throw .unknownSetting(String(other.prefix(64)))
    }
    let kept = text.utf8.split(separator: 0x0A).map { Substring($0) }.filter { !keys.contains(key($0)) }
    let added = changes.filter { $0.utf8.contains(0x20) }
    return try FleetDestination(text: (kept + added).joined(separator: "\n"))
  }

  /// The keys of all settings.
  package static let keys: [String] = [
    "address", "user", "device", "tid", "topic", "fixes", "events", "visits", "events-of", "health", "interval",
    "parked-interval",
    "distance-filter", "accuracy", "home-assistant", "template", "hide", "schedule", "reduced", "retention", "qos",
    "retain", "rate", "batch", "keep", "insecure", "unheard", "account", "ca", "cert", "key", "password", "encrypt",
    "commands",
  ]

  fileprivate static func lines(_ value: FleetSettings, of keys: Set<String>?) -> String {
    var lines = SettingLines(keys: keys)
    let usual = FleetSettings()
    lines.put("user", value.user, usual.user)
    lines.put("device", value.device, usual.device)
    lines.put("tid", value.trackerID)
    lines.put("topic", value.topic)
    lines.put("fixes", value.sendsFixes, usual.sendsFixes)
    lines.put("events", value.sendsEvents, usual.sendsEvents)
    lines.put("visits", value.sendsVisits, usual.sendsVisits)
    lines.put(
      "events-of", value.eventUsers.isEmpty ? nil : value.eventUsers.map { String($0) }.joined(separator: ","))
    lines.put("health", value.healthInterval.map { "\($0.wholeSeconds)" })
    lines.put("interval", value.interval.wholeSeconds, usual.interval.wholeSeconds)
    lines.put(
      "parked-interval", value.parkedInterval.map { "\($0.wholeSeconds)" } ?? "none",
      usual.parkedInterval.map { "\($0.wholeSeconds)" })
    lines.put("distance-filter", value.distanceFilter.map { "\($0.value)" })
    lines.put("accuracy", value.desiredRadius68.map { "\($0.value)" })
    lines.put("home-assistant", value.homeAssistant)
    lines.put("template", value.template.map(Self.escaped))
    for region in value.hidden { lines.put("hide", Self.text(of: region)) }
    if value.hidden.isEmpty { lines.put("hide", nil) }
    lines.put("schedule", value.schedule?.text)
    lines.put("reduced", value.isReduced, usual.isReduced)
    lines.put("retention", value.retention.map(Self.text))
    lines.put("qos", Int(value.qos.rawValue), Int(usual.qos.rawValue))
    lines.put("retain", value.retains, usual.retains)
    lines.put("rate", value.rate, usual.rate)
    lines.put("batch", value.batch.map { "\($0.wholeSeconds)" })
    lines.put("keep", value.keep, usual.keep)
    lines.put("insecure", value.allowsUnencrypted, usual.allowsUnencrypted)
    lines.put("unheard", value.acceptsUnheard, usual.acceptsUnheard)
    lines.put("account", value.account)
    lines.put("ca", value.credentials.authorities?.text)
    lines.put("cert", value.credentials.certificate?.text)
    lines.put("key", value.credentials.key?.text)
    lines.put("password", value.credentials.password?.text)
    lines.put("encrypt", value.credentials.encryptionSecret?.text)
    lines.put("commands", Int(value.commands.rawValue), 0)
    return lines.text
  }

  /// Reads such a text.
  package init(text: String) throws(FleetSettingsError) {
    guard text.utf8.count <= Self.longestText else { throw .tooLong(limit: Self.longestText) }
    var name: String?
    var address: FleetAddress?
    var settings = FleetSettings()
    var seen: Set<Substring> = []
    // By bytes: a value may begin with a combining character, which would belong to the space.
    for bytes in text.utf8.split(separator: 0x0A) {
      let line = Substring(bytes)
      guard let space = bytes.firstIndex(of: 0x20) else { throw .unknownSetting(String(line.prefix(64))) }
      let (key, value) = (line[..<space], String(line[bytes.index(after: space)...]))
      guard key == "hide" || seen.insert(key).inserted else { throw .badValue(setting: String(key.prefix(64))) }
      switch key {
      case "name": name = value
      case "address": address = try FleetAddress(parsing: value)
      default: try settings.set(key, to: value)
      }
    }
    guard let name else { throw .missing(setting: "name") }
    guard let address else { throw .missing(setting: "address") }
    try self.init(name: name, address: address, settings: settings)
  }

  private static func text(_ retention: LogRetention) -> String {
    switch retention {
    case .days(let count): "\(count)d"
    case .megabytes(let count): "\(count)MB"
    }
  }

  private static func text(of region: HiddenRegion) -> String {
    func place(_ coordinate: Coordinate) -> String {
      "\(coordinate.latitude.degrees),\(coordinate.longitude.degrees)"
    }
    let shape =
      switch region.shape {
      case .circle(let circle): "\(place(circle.center)),\(circle.radius.value)"
      case .polygon(let polygon): polygon.corners.map(place).joined(separator: ";")
      }
    return shape + " " + region.name
  }

  /// A template on one line.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  static func unescaped(_ text: String) -> String? {
    var result = ""
    var isEscaped = false
    for scalar in text.unicodeScalars {
      switch (isEscaped, scalar) {
      case (false, "\\"): isEscaped = true
      case (false, _): result.unicodeScalars.append(scalar)
      case (true, "n"): (result, isEscaped) = (result + "\n", false)
      case (true, "r"): (result, isEscaped) = (result + "\r", false)
      case (true, "\\"): (result, isEscaped) = (result + "\\", false)
      case (true, _): return nil
      }
    }
    return isEscaped ? nil : result
  }
}

extension FleetSettings {
  /// The lines of these keys only, also those with their default value, and a key alone for a value that is not set: a text for
  /// `FleetDestination.changed(by:)`.
  package func text(of keys: Set<String>) -> String { FleetDestination.lines(self, of: keys) }

  fileprivate mutating func set(_ key: Substring, to text: String) throws(FleetSettingsError) {
    let bad = FleetSettingsError.badValue(setting: String(key.prefix(64)))
    func flag() throws(FleetSettingsError) -> Bool {
      guard text == "yes" || text == "no" else { throw bad }
      return text == "yes"
    }
    func number() throws(FleetSettingsError) -> Int {
      guard let value = Int(text), (0...1_000_000_000).contains(value) else { throw bad }
      return value
    }
    func meters() throws(FleetSettingsError) -> Meters {
      guard let value = Double(text), value.isFinite else { throw bad }
      return Meters(value)
    }
    func line() throws(FleetSettingsError) -> String {
      guard FleetDestination.isLine(text, limit: 1024) else { throw bad }
      return text
    }
    func found<Value>(_ value: Value?) throws(FleetSettingsError) -> Value {
      guard let value else { throw bad }
      return value
    }
    switch key {
    case "user": user = try line()
    case "device": device = try line()
    case "tid": trackerID = try line()
    case "topic": topic = try line()
    case "fixes": sendsFixes = try flag()
    case "events": sendsEvents = try flag()
    case "visits": sendsVisits = try flag()
    case "events-of":
      let users = text.split(separator: ",", omittingEmptySubsequences: false).map { UInt32($0) }
      guard (1...FleetDestination.mostEventUsers).contains(users.count), !users.contains(nil) else { throw bad }
      eventUsers = users.compactMap(\.self)
    case "health": healthInterval = .seconds(try number())
    case "interval": interval = .seconds(try number())
    case "parked-interval": parkedInterval = text == "none" ? nil : .seconds(try number())
    case "distance-filter": distanceFilter = try meters()
    case "accuracy": desiredRadius68 = try meters()
    case "home-assistant": homeAssistant = try line()
    case "template": template = try found(FleetDestination.unescaped(text))
    case "hide": hidden.append(try found(HiddenRegion(text)))
    case "schedule": schedule = try found(FleetSchedule(text))
    case "reduced": isReduced = try flag()
    case "retention": retention = try found(LogRetention(text))
    case "qos": qos = try found(FleetQoS(rawValue: UInt8(clamping: try number())))
    case "retain": retains = try flag()
    case "rate": rate = try number()
    case "batch": batch = .seconds(try number())
    case "keep": keep = try number()
    case "insecure": allowsUnencrypted = try flag()
    case "unheard": acceptsUnheard = try flag()
    case "account": account = try line()
    case "ca": credentials.authorities = try found(FleetCredential(text))
    case "cert": credentials.certificate = try found(FleetCredential(text))
    case "key": credentials.key = try found(FleetCredential(text))
    case "password": credentials.password = try found(FleetCredential(text))
    case "encrypt": credentials.encryptionSecret = try found(FleetCredential(text))
    case "commands": commands = FleetCommands(rawValue: UInt8(clamping: try number()))
    default: throw .unknownSetting(String(key.prefix(64)))
    }
  }
}

extension HiddenRegion {
  /// Reads `LAT,LON,RADIUS NAME` or `LAT,LON;LAT,LON;… NAME`.
  fileprivate init?(_ text: String) {
    guard let space = text.utf8.firstIndex(of: 0x20) else { return nil }
    let points = text[..<space].split(separator: ";", omittingEmptySubsequences: false)
    var numbers: [[Double]] = []
    for point in points.prefix(PolygonShape.possibleCorners.upperBound + 1) {
      let parts = point.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
      guard parts.allSatisfy({ $0?.isFinite ?? false }) else { return nil }
      numbers.append(parts.compactMap(\.self))
    }
    name = String(text[text.utf8.index(after: space)...])
    if numbers.count == 1, numbers[0].count == 3,
      let center = Coordinate(checkingLatitude: numbers[0][0], longitude: numbers[0][1]),
      let circle = try? CircleShape(center: center, radius: Meters(numbers[0][2]))
    {
      shape = .circle(circle)
      return
    }
    let corners = numbers.compactMap { $0.count == 2 ? Coordinate(checkingLatitude: $0[0], longitude: $0[1]) : nil }
    guard corners.count == points.count, let polygon = try? PolygonShape(corners: corners) else { return nil }
    shape = .polygon(polygon)
  }
}

/// Lines `key value`, without the values that are the usual ones.
private struct SettingLines {
  /// Only these, with all values; `nil`: all, without the usual values.
  let keys: Set<String>?
  private(set) var text = ""

  mutating func put(_ key: String, _ value: String?, _ usual: String? = nil) {
    if let keys {
      guard keys.contains(key) else { return }
      text += value.map { "\(key) \($0)\n" } ?? "\(key)\n"
    } else if let value, value != usual {
      text += "\(key) \(value)\n"
    }
  }

  mutating func put(_ key: String, _ value: Bool, _ usual: Bool) {
    put(key, value ? "yes" : "no", usual ? "yes" : "no")
  }

  mutating func put(_ key: String, _ value: Int, _ usual: Int) { put(key, "\(value)", "\(usual)") }
}

extension Duration {
  /// Whole seconds, rounded down.
  var wholeSeconds: Int { Int(components.seconds) }
}
