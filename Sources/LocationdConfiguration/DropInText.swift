package import LocationdService

/// The drop-in that `locationctl config set` writes: its assignments, in the form of a file.
package struct DropInText: Hashable, Sendable {
  /// The name of the file in the folder of drop-ins. Files with a later name take precedence.
  package static let name = "90-locationctl.conf"

  private var values: [(key: String, value: String)] = []

  /// What the file has now; lines that are no valid settings are left out.
  package init(_ file: ConfigurationText?) {
    for assignment in file?.assignments ?? [] {
      switch ConfigurationSection(assignment.section) {
      case .service:
        if SettingKey(rawValue: assignment.key) != nil { put(assignment.key, assignment.value) }
      case .receiver(let name):
        guard let field = ReceiverSetting.Field(rawValue: assignment.key) else { continue }
        put(ReceiverSetting(receiver: name, field: field).text, assignment.value)
      case .badReceiver, .unknown: break
      }
    }
  }

  package var isEmpty: Bool { values.isEmpty }

  /// Sets a key of `SettingKey` or `ReceiverSetting`.
  package mutating func set(_ key: String, to value: String) { put(key, value) }

  /// Returns whether the file had the key.
  package mutating func unset(_ key: String) -> Bool {
    let count = values.count
    values.removeAll { $0.key == key }
    return values.count != count
  }

  private mutating func put(_ key: String, _ value: String) {
    if let index = values.firstIndex(where: { $0.key == key }) {
      values[index].value = value
    } else {
      values.append((key, value))
    }
  }

  /// The file's text: the service's settings first, because they are above the first section.
  package var text: String {
    var lines = ["# Written by 'locationctl config set'. Files with a later name take precedence."]
    for key in SettingKey.allCases {
      if let value = values.first(where: { $0.key == key.name })?.value { lines.append("\(key.name) = \(value)") }
    }
    let settings = values.compactMap { entry in ReceiverSetting(entry.key).map { (setting: $0, value: entry.value) } }
    for receiver in Set(settings.map(\.setting.receiver)).sorted() {
      lines.append("\n[receiver \"\(receiver)\"]")
      for field in ReceiverSetting.Field.allCases {
        let value = settings.first { $0.setting == ReceiverSetting(receiver: receiver, field: field) }?.value
        if let value { lines.append("\(field.rawValue) = \(value)") }
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The longest line of a file that every build of libinih reads, without its end.
  package static let longestLine = 197

  /// Checks a key and a value before they are written.
  ///
  /// - Parameter receivers: the receivers that the value may name.
  package static func check(_ key: String, _ value: String, receivers: [NamedReceiver]) throws(SettingRefusal) {
    guard value.utf8.allSatisfy({ (0x20...0x7E).contains($0) }), !value.contains(" ;"), !value.isEmpty,
      value.trimmed == value, !value.hasPrefix(";"), !value.hasPrefix("#")
    else {
      throw .invalid(
        "\(ServiceConfiguration.shown(key)) cannot have that value in a file: give one line of ASCII text without ' ;', or remove the setting with 'config unset'."
      )
    }
    guard key.utf8.count + value.utf8.count + 3 <= longestLine else {
      throw .invalid(
        "The value of \(ServiceConfiguration.shown(key)) is too long for a file: use its environment variable.")
    }
    if let setting = ReceiverSetting(key) {
      guard let invalid = ReceiverSetting.invalid(setting.field, value) else { return }
      throw .invalid("\(key) \(invalid.predicate)")
    }
    guard let known = SettingKey(rawValue: key) else { throw unknown(key) }
    do throws(InvalidSetting) {
      var settings = ServiceSettings()
      settings.receivers.receivers = receivers
      try settings.set(known, to: value)
    } catch {
      throw .invalid("\(key) \(error.predicate)")
    }
  }

  /// Checks that a key exists.
  package static func check(_ key: String) throws(SettingRefusal) {
    guard SettingKey(rawValue: key) == nil, ReceiverSetting(key) == nil else { return }
    throw unknown(key)
  }

  private static func unknown(_ key: String) -> SettingRefusal {
    let names = SettingKey.allCases.map(\.name)
    if let near = Suggestion.nearest(to: key, in: names) {
      return .unknown("There is no setting '\(ServiceConfiguration.shown(key))': did you mean '\(near)'?")
    }
    return .unknown(
      "There is no setting '\(ServiceConfiguration.shown(key))': give one of \(names.joined(separator: ", ")), receiver.NAME.id or "
        + "receiver.NAME.port.")
  }

  package static func == (a: DropInText, b: DropInText) -> Bool { a.text == b.text }
  package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

/// Why `config set` writes nothing, as one sentence.
package enum SettingRefusal: Error, Hashable, Sendable {
  case unknown(String)
  case invalid(String)

  package var sentence: String {
    switch self {
    case .unknown(let sentence), .invalid(let sentence): sentence
    }
  }
}
