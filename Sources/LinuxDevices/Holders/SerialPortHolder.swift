/// Who has a port, as far as this user may know.
package enum SerialPortHolder: Hashable, Sendable {
  /// A process that /proc names.
  case process(pid: Int32, name: String)
  /// Signs of a program that is known to take ports: `gpsd`, `ModemManager`.
  case likely(service: String)
  /// The kernel's console, or a login on the port; `tty` without `/dev/`.
  case console(tty: String)
  /// Nothing is known.
  case unknown
}
