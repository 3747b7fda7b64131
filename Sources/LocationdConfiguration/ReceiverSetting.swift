import LocationdService

/// A key of a named receiver, as `locationctl config` names it: `receiver.roof.port`.
package struct ReceiverSetting: Hashable, Sendable {
  package enum Field: String, CaseIterable, Hashable, Sendable {
    case id
    case port
  }

  package var receiver: String
  package var field: Field

  package init(receiver: String, field: Field) { (self.receiver, self.field) = (receiver, field) }

  /// `nil` if the text is not such a key, or the name cannot be a receiver's.
  package init?(_ text: String) {
    let prefix = "receiver."
    guard text.hasPrefix(prefix), let dot = text.lastIndex(of: "."),
      let field = Field(rawValue: String(text[text.index(after: dot)...]))
    else { return nil }
    let name = text[..<dot].dropFirst(prefix.count)
    guard NamedReceiver.isName(String(name)) else { return nil }
    self.init(receiver: String(name), field: field)
  }

  package var text: String { "receiver.\(receiver).\(field.rawValue)" }

  /// The longest value, in bytes.
  static let longestValue = 1024

  /// Why a text is not a valid value; `nil` if it is valid.
  static func invalid(_ field: Field, _ value: String) -> InvalidSetting? {
    switch field {
    case .id:
      guard (1...longestValue).contains(value.utf8.count), value.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
        return InvalidSetting("is not an ID", "use one that 'locationctl devices' prints")
      }
    case .port:
      guard value.hasPrefix("/"), value.utf8.count <= longestValue else {
        return InvalidSetting("is not an absolute path", "use a path such as /dev/ttyUSB0")
      }
    }
    return nil
  }
}
