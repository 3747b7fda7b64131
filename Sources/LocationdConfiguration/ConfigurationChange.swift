import LocationdService

/// What a reload of the configuration changes.
package struct ConfigurationChange: Hashable, Sendable {
  /// What takes effect now, one clause for each setting and each receiver: `KEY is VALUE`, or `KEY has changed` if the
  /// value may contain a password or an access key.
  package private(set) var applied: [String] = []
  /// The names of the settings that take effect when the daemon starts again.
  package private(set) var pending: [String] = []

  /// - Parameter started: the configuration with which the daemon started. A setting that cannot be applied while the
  ///   daemon runs is compared with it, and not with `old`.
  package init(from old: ServiceConfiguration, to new: ServiceConfiguration, started: ServiceConfiguration) {
    for key in SettingKey.allCases {
      let value = new.entry(key.name)?.value
      if key.isAppliedAtRunTime {
        guard old.entry(key.name)?.value != value else { continue }
        applied.append(key.isPrivate ? "\(key.name) has changed" : "\(key.name) is \(Self.text(value))")
      } else if started.entry(key.name)?.value != value {
        pending.append(key.name)
      }
    }
    let names = { (configuration: ServiceConfiguration) in configuration.settings.receivers.receivers }
    let (before, after) = (names(old), names(new))
    for receiver in after where before.first(where: { $0.name == receiver.name }) != receiver {
      applied.append("receiver \(receiver.name) is \(Self.text(receiver.id ?? receiver.port))")
    }
    for receiver in before where !after.contains(where: { $0.name == receiver.name }) {
      applied.append("receiver \(receiver.name) is removed")
    }
  }

  private static func text(_ value: String?) -> String { value.map(ServiceConfiguration.shown) ?? "not set" }
}
