package import LinuxIO
package import LocationIPC

/// Finds the service's socket and connects to it.
package enum ServiceSocket {
  /// Whether a service answers at one of the sockets that the environment names.
  package static func isServed() throws(UnreachableService) -> Bool {
    for path in Directories.sockets(environment: ProcessEnvironment.value) where try isServed(path) { return true }
    return false
  }

  /// Connects to the first service that answers at one of the sockets that the environment names; `nil` if there is no
  /// service.
  ///
  /// There is no service if no socket exists, if no process listens on it, or if its path is too long for a socket. A
  /// service that is too busy for another connection counts as a service. Any other obstacle, above all missing
  /// permission to connect, is thrown: it does not entitle this process to open receivers itself.
  package static func connect(on loop: EventLoop, _ hello: ClientHello) throws(UnreachableService) -> SocketClient? {
    for path in Directories.sockets(environment: ProcessEnvironment.value) {
      do throws(SystemError) {
        return try SocketClient(loop: loop, path: path, hello: hello)
      } catch {
        try check(error, at: path)
      }
    }
    return nil
  }

  private static func isServed(_ path: String) throws(UnreachableService) -> Bool {
    do throws(SystemError) {
      _ = try UnixStream(connectingTo: UnixAddress(path: path))
      return true
    } catch {
      // A service exists, but is too busy for another connection.
      if error.isBusy { return true }
      try check(error, at: path)
      return false
    }
  }

  /// Returns if the error means that no service listens at `path` for this user; throws otherwise.
  private static func check(_ error: SystemError, at path: String) throws(UnreachableService) {
    guard !error.isNoServerListening, !error.isNameTooLong else { return }
    // The session folder of another user, whose environment variables are still set after su(1), contains no service
    // for this user.
    let others = Directories.sockets(environment: ProcessEnvironment.value).dropFirst()
    if error.isPermission, others.contains(path), (try? UnixAddress(path: path).isHidden) == true { return }
    throw UnreachableService(path: path, operation: error.operation, errno: error.errno)
  }
}
