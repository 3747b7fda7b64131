/// The bus of a person's desktop session.
package enum SessionBus {
  /// Whether there is one to be found (D-Bus specification, "Well-known Message Bus Instances"; systemd's user bus).
  package static var isNamed: Bool {
    if let address = ProcessEnvironment.value("DBUS_SESSION_BUS_ADDRESS"), !address.isEmpty { return true }
    guard let folder = ProcessEnvironment.value("XDG_RUNTIME_DIR"), !folder.isEmpty else { return false }
    return (try? FileStatus.of("\(folder)/bus")) != nil
  }

  /// Where a user's bus is, for `DBUS_SESSION_BUS_ADDRESS`, also where this process was started by no session: as the environment says,
  /// else as systemd lays it (systemd.exec(5), XDG_RUNTIME_DIR). `nil`: there is none.
  package static func address(ofUser userID: UInt32) -> String? {
    if let address = ProcessEnvironment.value("DBUS_SESSION_BUS_ADDRESS"), !address.isEmpty { return address }
    let path = "/run/user/\(userID)/bus"
    return (try? FileStatus.of(path)) == nil ? nil : "unix:path=\(path)"
  }
}
