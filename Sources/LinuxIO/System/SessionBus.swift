/// The bus of a person's desktop session.
package enum SessionBus {
  /// Whether there is one to be found (D-Bus specification, "Well-known Message Bus Instances"; systemd's user bus).
  package static var isNamed: Bool {
    if let address = ProcessEnvironment.value("DBUS_SESSION_BUS_ADDRESS"), !address.isEmpty { return true }
    guard let folder = ProcessEnvironment.value("XDG_RUNTIME_DIR"), !folder.isEmpty else { return false }
    return (try? FileStatus.of("\(folder)/bus")) != nil
  }
}
