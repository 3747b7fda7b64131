/// The description of an interface: the methods that are dispatched, the properties and the signals. The description in XML that programs
/// read is made from it.
package struct BusInterface: Hashable, Sendable {
  package struct Argument: Hashable, Sendable {
    package var name: String
    package var signature: String

    package init(_ name: String, _ signature: String) { (self.name, self.signature) = (name, signature) }
  }

  package struct Method: Hashable, Sendable {
    package var name: String
    package var takes: [Argument]
    package var returns: [Argument]

    package init(_ name: String, takes: [Argument] = [], returns: [Argument] = []) {
      (self.name, self.takes, self.returns) = (name, takes, returns)
    }
  }

  package struct Property: Hashable, Sendable {
    package var name: String
    package var signature: String
    package var isWritable: Bool
    /// Whether it never changes while the object exists.
    package var isConstant: Bool

    package init(_ name: String, _ signature: String, isWritable: Bool = false, isConstant: Bool = false) {
      (self.name, self.signature) = (name, signature)
      (self.isWritable, self.isConstant) = (isWritable, isConstant)
    }
  }

  package struct Signal: Hashable, Sendable {
    package var name: String
    package var carries: [Argument]

    package init(_ name: String, _ carries: [Argument]) { (self.name, self.carries) = (name, carries) }
  }

  package var name: String
  package var methods: [Method]
  package var properties: [Property]
  package var signals: [Signal]

  package init(_ name: String, methods: [Method] = [], properties: [Property] = [], signals: [Signal] = []) {
    (self.name, self.methods, self.properties, self.signals) = (name, methods, properties, signals)
  }

  package func method(_ name: String) -> Method? { methods.first { $0.name == name } }
  package func property(_ name: String) -> Property? { properties.first { $0.name == name } }

  /// The interfaces of every object with properties.
  package static let standard: [BusInterface] = [
    BusInterface(
      StandardInterface.properties,
      methods: [
        Method(
          "Get", takes: [Argument("interface_name", "s"), Argument("property_name", "s")],
          returns: [Argument("value", "v")]),
        Method("GetAll", takes: [Argument("interface_name", "s")], returns: [Argument("props", "a{sv}")]),
        Method(
          "Set", takes: [Argument("interface_name", "s"), Argument("property_name", "s"), Argument("value", "v")]),
      ],
      signals: [
        Signal(
          "PropertiesChanged",
          [
            Argument("interface_name", "s"), Argument("changed_properties", "a{sv}"),
            Argument("invalidated_properties", "as"),
          ])
      ]),
    BusInterface(
      StandardInterface.introspectable, methods: [Method("Introspect", returns: [Argument("xml_data", "s")])]),
  ]
}

/// The description of an object in XML (D-Bus Specification, "Introspection Data Format").
package enum Introspection {
  /// - Parameters:
  ///   - interfaces: those of the object; empty: the object only has children.
  ///   - children: the names of the next part of paths below it.
  package static func xml(_ interfaces: [BusInterface], children: [String] = []) -> String {
    var lines = [
      "<!DOCTYPE node PUBLIC \"-//freedesktop//DTD D-BUS Object Introspection 1.0//EN\"",
      " \"http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd\">", "<node>",
    ]
    for interface in interfaces { append(interface, to: &lines) }
    for child in children { lines.append(" <node name=\"\(child)\"/>") }
    return lines.joined(separator: "\n") + "\n</node>\n"
  }

  private static func append(_ interface: BusInterface, to lines: inout [String]) {
    lines.append(" <interface name=\"\(interface.name)\">")
    for method in interface.methods {
      lines.append("  <method name=\"\(method.name)\">")
      for argument in method.takes { lines.append(element(argument, " direction=\"in\"")) }
      for argument in method.returns { lines.append(element(argument, " direction=\"out\"")) }
      lines.append("  </method>")
    }
    for property in interface.properties {
      let access = property.isWritable ? "readwrite" : "read"
      let start = "  <property name=\"\(property.name)\" type=\"\(property.signature)\" access=\"\(access)\""
      guard property.isConstant else {
        lines.append(start + "/>")
        continue
      }
      lines += [
        start + ">",
        "   <annotation name=\"org.freedesktop.DBus.Property.EmitsChangedSignal\" value=\"const\"/>",
        "  </property>",
      ]
    }
    for signal in interface.signals {
      lines.append("  <signal name=\"\(signal.name)\">")
      for argument in signal.carries { lines.append(element(argument, "")) }
      lines.append("  </signal>")
    }
    lines.append(" </interface>")
  }

  private static func element(_ argument: BusInterface.Argument, _ direction: String) -> String {
    "   <arg name=\"\(argument.name)\" type=\"\(argument.signature)\"\(direction)/>"
  }
}
