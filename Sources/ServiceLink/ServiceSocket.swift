package import LinuxIO
package import LocationIPC

/// Where the service is met.
package enum ServiceSocket {
  /// A client of the first service that answers where the environment says; `nil`: none does.
  package static func client(on loop: EventLoop, _ hello: ClientHello) -> SocketClient? {
    for path in Directories.sockets(environment: ProcessEnvironment.value) {
      if let client = try? SocketClient(loop: loop, path: path, hello: hello) { return client }
    }
    return nil
  }
}
