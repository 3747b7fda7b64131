package import LinuxIO
package import LocationIPC

/// Where the service is met.
package enum ServiceSocket {
  /// Whether a service answers where the environment says.
  package static var isServed: Bool {
    Directories.sockets(environment: ProcessEnvironment.value).contains { path in
      guard let address = try? UnixAddress(path: path) else { return false }
      return (try? UnixStream(connectingTo: address)) != nil
    }
  }

  /// A client of the first service that answers where the environment says; `nil`: none does.
  package static func client(on loop: EventLoop, _ hello: ClientHello) -> SocketClient? {
    for path in Directories.sockets(environment: ProcessEnvironment.value) {
      if let client = try? SocketClient(loop: loop, path: path, hello: hello) { return client }
    }
    return nil
  }
}
