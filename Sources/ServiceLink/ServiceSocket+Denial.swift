import LinuxIO

extension ServiceSocket {
  /// The socket of a service that does not let this user speak to it, where none is there that does. Its word is no: nobody
  /// serves this user instead. In a folder that this user may not look into nothing is known to be there.
  package static var forbiddenPath: String? {
    var forbidden: String?
    for path in Directories.sockets(environment: ProcessEnvironment.value) {
      guard let address = try? UnixAddress(path: path) else { continue }
      do throws(SystemError) {
        _ = try UnixStream(connectingTo: address)
        return nil
      } catch {
        if error.isPermission, UnixAddress.isSocket(at: path) { forbidden = forbidden ?? path }
      }
    }
    return forbidden
  }
}
