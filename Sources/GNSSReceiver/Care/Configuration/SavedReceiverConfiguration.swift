import WireFormats

/// Settings of a receiver that were changed and not restored because its port was lost or the service was killed. The receiver
/// cannot provide them: if polled, it would return the changed values.
package struct SavedReceiverConfiguration: Hashable, Sendable {
  /// One setting that was changed.
  struct Item: Hashable, Sendable {
    let setting: ReceiverSetting
    /// The receiver's answer before the change.
    let original: [UInt8]
    /// The value that was written, or was about to be written.
    let left: Int
  }

  /// A receiver as it identifies itself.
  struct Owner: Hashable, Sendable {
    var model: String?
    var firmware: String?
    var uniqueID: String?
  }

  /// The receiver that the settings belong to: another receiver at the same port has settings of its own.
  let owner: Owner
  let language: SettingProtocol
  let items: [Item]

  /// The number of settings.
  package var count: Int { items.count }

  /// Whether the settings belong to the receiver with this identity, and to the same port of it.
  func belong(to identity: ReceiverIdentity, _ language: SettingProtocol) -> Bool {
    owner == Owner(identity) && self.language == language
  }

  /// Whether these settings include all those of `other`: then gradual restoration need not be stored at each step.
  func covers(_ other: SavedReceiverConfiguration) -> Bool {
    owner == other.owner && language == other.language && other.items.allSatisfy(items.contains)
  }
}

extension SavedReceiverConfiguration.Owner {
  init(_ identity: ReceiverIdentity) {
    self.init(model: identity.model, firmware: identity.firmware, uniqueID: identity.uniqueID)
  }
}

/// The file format: one fact per line, `key value…`, so that a person can read it. A file that is not completely valid is
/// rejected because its values are written to a receiver.
extension SavedReceiverConfiguration {
  /// The largest file that is read, in bytes; there are nine settings at most.
  package static let maximumFileSize = 4096
  private static let maximumItems = 16

  /// The settings as text.
  package var text: String {
    var lines = ["# The receiver's old settings, stored until they are restored. Safe to delete."]
    lines += [("model", owner.model), ("firmware", owner.firmware), ("number", owner.uniqueID)].compactMap {
      key, value in value.map { "\(key) \($0)" }
    }
    lines.append("port \(language.port.rawValue) \(language.usesKeys ? "keys" : "messages")")
    for item in items { lines.append("was \(item.setting.name) \(item.left) \(Self.hexadecimal(item.original))") }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The settings in `text`; `nil` if any part of it is invalid.
  package init?(text: String) {
    var owner = Owner()
    var language: SettingProtocol?
    var items: [Item] = []
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      guard let space = line.firstIndex(of: " "), line.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
        return nil
      }
      let rest = line[line.index(after: space)...]
      switch line[..<space] {
      case "model": owner.model = String(rest)
      case "firmware": owner.firmware = String(rest)
      case "number": owner.uniqueID = String(rest)
      case "port": language = SettingProtocol(text: rest)
      case "was":
        guard let language, let item = Item(text: rest, in: language), items.count < Self.maximumItems,
          !items.contains(where: { $0.setting == item.setting })
        else { return nil }
        items.append(item)
      default: return nil
      }
    }
    guard let language, !items.isEmpty else { return nil }
    self.init(owner: owner, language: language, items: items)
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    String(decoding: bytes.flatMap { [digit($0 >> 4), digit($0 & 15)] }, as: UTF8.self)
  }

  private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x37 + value }
}

extension SavedReceiverConfiguration.Item {
  fileprivate init?(text: Substring, in language: SettingProtocol) {
    let fields = text.split(separator: " ", omittingEmptySubsequences: false)
    guard fields.count == 3, let setting = ReceiverSetting(name: fields[0]), let left = UInt32(fields[1]),
      fields[2].utf8.count.isMultiple(of: 2)
    else { return nil }
    var original: [UInt8] = []
    var digits = fields[2].utf8.makeIterator()
    while let high = digits.next(), let low = digits.next() {
      guard let high = Self.value(of: high), let low = Self.value(of: low) else { return nil }
      original.append(high << 4 | low)
    }
    guard language.isValue(original, of: setting) else { return nil }
    self.init(setting: setting, original: original, left: Int(left))
  }

  private static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case 0x30...0x39: digit - 0x30
    case 0x41...0x46: digit - 0x37
    default: nil
    }
  }
}

extension SettingProtocol {
  fileprivate init?(text: Substring) {
    let fields = text.split(separator: " ", omittingEmptySubsequences: false)
    guard fields.count == 2, let port = UInt8(fields[0]).flatMap(ReceiverPort.init(rawValue:)),
      fields[1] == "keys" || fields[1] == "messages"
    else { return nil }
    self.init(usesKeys: fields[1] == "keys", port: port)
  }
}
