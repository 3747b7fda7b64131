/// A value in a message of D-Bus (D-Bus Specification, "Type System").
package indirect enum BusValue: Hashable, Sendable {
  case boolean(Bool)
  case byte(UInt8)
  case int32(Int32)
  case uint32(UInt32)
  case int64(Int64)
  case uint64(UInt64)
  case double(Double)
  case string(String)
  case objectPath(String)
  /// The signature of its elements, which an empty array has too.
  case array(of: String, [BusValue])
  case structure([BusValue])
  /// An element of a dictionary.
  case entry(BusValue, BusValue)
  case variant(BusValue)

  /// The type as a signature, such as `a{sv}`.
  package var signature: String {
    switch self {
    case .boolean: "b"
    case .byte: "y"
    case .int32: "i"
    case .uint32: "u"
    case .int64: "x"
    case .uint64: "t"
    case .double: "d"
    case .string: "s"
    case .objectPath: "o"
    case .array(let element, _): "a" + element
    case .structure(let fields): "(" + Self.signature(of: fields) + ")"
    case .entry(let key, let value): "{" + key.signature + value.signature + "}"
    case .variant: "v"
    }
  }

  /// The signature of several values, one after the other.
  package static func signature(of values: [BusValue]) -> String { values.reduce("") { $0 + $1.signature } }

  /// A dictionary from names to values of any type, in the given order.
  package static func properties(_ values: [(name: String, value: BusValue)]) -> BusValue {
    .array(of: "{sv}", values.map { .entry(.string($0.name), .variant($0.value)) })
  }

  /// The value of a text or of an object's path; `nil`: it is of another type.
  package var text: String? {
    switch self {
    case .string(let text), .objectPath(let text): text
    default: nil
    }
  }

  /// The value within a variant, or the value itself.
  package var content: BusValue { if case .variant(let value) = self { value } else { self } }

  /// The entries of a dictionary whose keys are texts; `nil`: it is of another type.
  package var entries: [String: BusValue]? {
    guard case .array(let element, let items) = self, element.hasPrefix("{s") else { return nil }
    var found: [String: BusValue] = [:]
    for case .entry(let key, let value) in items { if let name = key.text { found[name] = value.content } }
    return found
  }
}

/// A call of a method, as it arrives at a service of the bus.
package struct BusCall: Hashable, Sendable {
  package var path: String
  package var interface: String
  package var member: String
  package var arguments: [BusValue]

  package init(path: String, interface: String, member: String, _ arguments: [BusValue] = []) {
    (self.path, self.interface, self.member, self.arguments) = (path, interface, member, arguments)
  }

  /// The types of the arguments.
  package var signature: String { BusValue.signature(of: arguments) }
}

/// A signal.
package struct BusSignal: Hashable, Sendable {
  package var path: String
  package var interface: String
  package var member: String
  package var arguments: [BusValue]

  package init(path: String, interface: String, member: String, _ arguments: [BusValue]) {
    (self.path, self.interface, self.member, self.arguments) = (path, interface, member, arguments)
  }

  /// The standard signal that properties have changed.
  package static func changed(
    _ interface: String, of path: String, _ values: [(name: String, value: BusValue)]
  ) -> BusSignal {
    BusSignal(
      path: path, interface: StandardInterface.properties, member: "PropertiesChanged",
      [.string(interface), .properties(values), .array(of: "s", [])])
  }
}

/// The error that answers a call: its name, and a sentence for people.
package struct BusError: Error, Hashable, Sendable {
  package var name: String
  package var sentence: String

  package init(name: String, _ sentence: String) { (self.name, self.sentence) = (name, sentence) }

  package static func accessDenied(_ sentence: String) -> BusError { named("AccessDenied", sentence) }
  package static func invalidArguments(_ sentence: String) -> BusError { named("InvalidArgs", sentence) }
  package static func limitsExceeded(_ sentence: String) -> BusError { named("LimitsExceeded", sentence) }
  package static func failed(_ sentence: String) -> BusError { named("Failed", sentence) }
  package static func unknownObject(_ path: String) -> BusError {
    named("UnknownObject", "There is no object at \(path)")
  }
  package static func unknownMethod(_ name: String) -> BusError { named("UnknownMethod", "There is no method \(name)") }
  package static func unknownInterface(_ name: String) -> BusError {
    named("UnknownInterface", "There is no interface \(name)")
  }
  package static func unknownProperty(_ name: String) -> BusError {
    named("UnknownProperty", "There is no property \(name)")
  }
  package static func readOnly(_ name: String) -> BusError {
    named("PropertyReadOnly", "The property \(name) cannot be set")
  }

  private static func named(_ name: String, _ sentence: String) -> BusError {
    BusError(name: "org.freedesktop.DBus.Error." + name, sentence)
  }
}

/// The interfaces that every object has (D-Bus Specification, "Standard Interfaces").
package enum StandardInterface {
  package static let properties = "org.freedesktop.DBus.Properties"
  package static let introspectable = "org.freedesktop.DBus.Introspectable"
}
