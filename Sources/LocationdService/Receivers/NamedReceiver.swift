/// A receiver that the configuration names: `[receiver "roof"]`.
package struct NamedReceiver: Hashable, Sendable {
  package let name: String
  /// The stable ID that `locationctl devices` prints; `nil`: any.
  package var id: String?
  /// A path of its port; `nil`: any.
  package var port: String?

  package init(name: String, id: String? = nil, port: String? = nil) {
    self.name = name
    self.id = id
    self.port = port
  }

  /// The longest name, in bytes.
  package static let longestName = 32

  /// Whether a receiver may have this name: letters, digits, `.`, `_` and `-`, and no word that is a source by itself.
  package static func isName(_ text: String) -> Bool {
    guard (1...longestName).contains(text.utf8.count), !SourceSelection.words.contains(text) else { return false }
    return text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
        true
      default: false
      }
    }
  }

  /// Whether a device is this receiver: it must have the ID and the port, as far as they are configured.
  package func matches(_ device: DetectedDevice) -> Bool {
    matches(id: device.id, path: device.path, otherNames: device.otherNames)
  }

  /// The same for a device of which only the names are known.
  package func matches(id: String, path: String, otherNames: [String] = []) -> Bool {
    guard self.id != nil || port != nil else { return false }
    if let expected = self.id, expected != id { return false }
    if let port, port != path, port != id, !otherNames.contains(port) { return false }
    return true
  }
}

/// The named receivers, and which of them is used if several have a fix.
package struct ReceiverPreferences: Hashable, Sendable {
  package var receivers: [NamedReceiver]
  /// The names of the preferred receivers, best first. Receivers that are not listed come last, and no order is defined among them.
  package var order: [String]
  /// A receiver that comes later in the order is used after the current one has given no fix for this long.
  package var failoverAfter: Duration

  /// The default of `failoverAfter`.
  package static let usualFailover: Duration = .seconds(3)

  package init(
    receivers: [NamedReceiver] = [], order: [String] = [], failoverAfter: Duration = usualFailover
  ) {
    self.receivers = receivers
    self.order = order
    self.failoverAfter = failoverAfter
  }

  /// The configured name of a device; `nil`: none.
  package func name(of device: DetectedDevice) -> String? { receivers.first { $0.matches(device) }?.name }

  /// The place of a receiver in the order; 0 is the best.
  func rank(of name: String?) -> Int { name.flatMap { order.firstIndex(of: $0) } ?? order.count }
}
