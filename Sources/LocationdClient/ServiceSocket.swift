package import LinuxIO
package import LocationIPC

/// Where the service is met.
package enum ServiceSocket {
  /// Whether a service answers where the environment says.
  package static func isServed() throws(BarredService) -> Bool {
    for path in Directories.sockets(environment: ProcessEnvironment.value) where try isServed(path) { return true }
    return false
  }

  /// A client of the first service that answers where the environment says; `nil`: nobody serves.
  ///
  /// Nobody does where there is no socket, or nobody listens at it. Whatever else keeps this process out, first of all that it may
  /// not connect, is no leave to find receivers by itself: it is thrown.
  package static func meet(on loop: EventLoop, _ hello: ClientHello) throws(BarredService) -> SocketClient? {
    for path in Directories.sockets(environment: ProcessEnvironment.value) {
      do throws(SystemError) {
        return try SocketClient(loop: loop, path: path, hello: hello)
      } catch {
        try check(error, at: path)
      }
    }
    return nil
  }

  private static func isServed(_ path: String) throws(BarredService) -> Bool {
    do throws(SystemError) {
      _ = try UnixStream(connectingTo: UnixAddress(path: path))
      return true
    } catch {
      // One that has no time for another now is there.
      if error.isBusy { return true }
      try check(error, at: path)
      return false
    }
  }

  /// Returns where nobody serves at `path`.
  private static func check(_ error: SystemError, at path: String) throws(BarredService) {
    guard !error.isNobodyServing, !error.isNameTooLong else { return }
    // The folder of another user's session, whose variables are still set after su(1): there is nothing in it for this one.
    let others = Directories.sockets(environment: ProcessEnvironment.value).dropFirst()
    if error.isPermission, others.contains(path), (try? UnixAddress(path: path).isHidden) == true { return }
    throw BarredService(path: path, operation: error.operation, errno: error.errno)
  }
}
