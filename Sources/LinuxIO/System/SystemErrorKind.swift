/// The kinds of system errors that end a program differently.
package enum SystemErrorKind: Hashable, Sendable {
  /// Another process uses it.
  case inUse
  /// Permission denied.
  case denied
  case other

  package init(_ errno: Int32) {
    self = errno == SystemError.addressInUse ? .inUse : SystemError.denials.contains(errno) ? .denied : .other
  }
}
