import WireFormats

/// What was changed in a receiver and not put back, as its port was lost or the service was killed: asked again, the receiver
/// would tell what it was set to.
package struct InheritedSettings: Hashable, Sendable {
  /// One setting that was changed.
  struct Item: Hashable, Sendable {
    let setting: ReceiverSetting
    /// What the receiver told before.
    let original: [UInt8]
    /// What it was set to, or was about to be.
    let left: Int
  }

  /// A receiver in its own words.
  struct Owner: Hashable, Sendable {
    var model: String?
    var firmware: String?
    var uniqueID: String?
  }

  /// Whose it is: another receiver at the same place has settings of its own.
  let owner: Owner
  let language: SettingLanguage
  let items: [Item]

  /// How many there are.
  package var count: Int { items.count }

  /// Whether they are those of the receiver that says this of itself, at the same port of its own.
  func belong(to identity: ReceiverIdentity, _ language: SettingLanguage) -> Bool {
    owner == Owner(identity) && self.language == language
  }

  /// Whether all that `other` says is said here, too: what is put back by and by need not be written down each time.
  func covers(_ other: InheritedSettings) -> Bool {
    owner == other.owner && language == other.language && other.items.allSatisfy(items.contains)
  }
}

extension InheritedSettings.Owner {
  init(_ identity: ReceiverIdentity) {
    self.init(model: identity.model, firmware: identity.firmware, uniqueID: identity.uniqueID)
  }
}

/// The file form: a line a fact, `key value…`, so that a person can read it. What is not wholly understood is nothing: it is
/// written to a receiver.
extension InheritedSettings {
  /// The largest file that is read; there are ten settings at most.
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

  /// The settings that `text` tells; `nil` where any of it cannot be.
  package init?(text: String) {
    var owner = Owner()
    var language: SettingLanguage?
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
      case "port": language = SettingLanguage(text: rest)
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

extension InheritedSettings.Item {
  fileprivate init?(text: Substring, in language: SettingLanguage) {
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

extension SettingLanguage {
  fileprivate init?(text: Substring) {
    let fields = text.split(separator: " ", omittingEmptySubsequences: false)
    guard fields.count == 2, let port = UInt8(fields[0]).flatMap(ReceiverPort.init(rawValue:)),
      fields[1] == "keys" || fields[1] == "messages"
    else { return nil }
    self.init(usesKeys: fields[1] == "keys", port: port)
  }
}
