import Geodesy
import LocationPolicy

extension FleetDestination {
  /// The most hidden regions of one destination.
  package static let mostHidden = 64
  package static let mostEventUsers = 64
  /// The longest template, bytes: with its values, it is within the longest body of a message.
  package static let longestTemplate = 16 * 1024

  /// Checks that the settings are in range and fit together and the address.
  func check() throws(FleetSettingsError) {
    let kind = address.kind
    guard Self.isName(settings.user) else { throw .badValue(setting: "user") }
    guard Self.isName(settings.device) else { throw .badValue(setting: "device") }
    if let id = settings.trackerID, id.count != 2 || !Self.isLine(id, limit: 16) { throw .badValue(setting: "tid") }
    if let topic = settings.topic { guard Self.isTopic(topic) else { throw .badValue(setting: "topic") } }
    if let prefix = settings.homeAssistant {
      guard kind == .mqtt else { throw .notForKind(setting: "home-assistant", kind) }
      guard Self.isTopic(prefix) else { throw .badValue(setting: "home-assistant") }
      // Home Assistant's discovery reads plain JSON only.
      guard settings.credentials.encryptionSecret == nil else { throw .excluded("home-assistant", "encrypt") }
    }
    for (name, value, range) in [
      ("interval", settings.interval, 0...86_400), ("parked-interval", settings.parkedInterval, 60...604_800),
      ("health", settings.healthInterval, 10...604_800), ("batch", settings.batch, 10...604_800),
    ] as [(String, Duration?, ClosedRange<Double>)] {
      if let value, !range.contains(value.inSeconds) { throw .badValue(setting: name) }
    }
    for (name, value) in [("distance-filter", settings.distanceFilter), ("accuracy", settings.desiredRadius68)] {
      if let value, !(0...20_000_000).contains(value.value) { throw .badValue(setting: name) }
    }
    guard (1...1000).contains(settings.rate) else { throw .badValue(setting: "rate") }
    guard (1...1_000_000).contains(settings.keep) else { throw .badValue(setting: "keep") }
    if let retention = settings.retention {
      // Megabytes are limited by `keep`.
      guard case .days = retention, retention.isAllowed else { throw .badValue(setting: "retention") }
    }
    guard settings.hidden.count <= Self.mostHidden, settings.hidden.allSatisfy({ Self.isLine($0.name, limit: 1024) })
    else { throw .badValue(setting: "hide") }
    if let account = settings.account, !Self.isLine(account, limit: 256) { throw .badValue(setting: "account") }
    if settings.sendsEvents || settings.sendsVisits {
      guard (1...Self.mostEventUsers).contains(settings.eventUsers.count) else { throw .missing(setting: "events-of") }
    }
    guard settings.commands.isSubset(of: .known) else { throw .badValue(setting: "commands") }
    try checkTransport()
  }

  private func checkTransport() throws(FleetSettingsError) {
    let kind = address.kind
    guard address.isEncrypted || address.isLoopback || settings.allowsUnencrypted else { throw .unencrypted }
    // A message that is sent at most once can be lost.
    guard settings.qos != .atMostOnce else { throw .badValue(setting: "qos") }
    if kind != .mqtt {
      if settings.retains { throw .notForKind(setting: "retain", kind) }
      if settings.acceptsUnheard { throw .notForKind(setting: "unheard", kind) }
      if settings.healthInterval != nil { throw .notForKind(setting: "health", kind) }
      if settings.sendsVisits { throw .notForKind(setting: "visits", kind) }
    }
    if kind != .mqtt && kind != .ownTracksHTTP {
      if settings.sendsEvents { throw .notForKind(setting: "events", kind) }
      if settings.credentials.encryptionSecret != nil { throw .notForKind(setting: "encrypt", kind) }
      if !settings.commands.isEmpty { throw .notForKind(setting: "commands", kind) }
    }
    switch (settings.template, kind) {
    case (let template?, .http):
      guard template.utf8.count <= Self.longestTemplate else { throw .badValue(setting: "template") }
    case (.some, _): throw .notForKind(setting: "template", kind)
    case (nil, _): break
    }
    guard (settings.credentials.certificate == nil) == (settings.credentials.key == nil) else {
      throw .missing(setting: settings.credentials.key == nil ? "key" : "cert")
    }
  }

  /// One line of text.
  static func isLine(_ text: String, limit: Int) -> Bool {
    (1...limit).contains(text.utf8.count) && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
  }

  /// A topic to publish to: levels without wildcards (MQTT 5.0, 4.7), 1…256 bytes.
  static func isTopic(_ text: String) -> Bool {
    isLine(text, limit: 256) && !text.contains { "+#".contains($0) } && !text.hasPrefix("/") && !text.hasPrefix("$")
  }
}
