import Foundation

/// Debian's gpsd on a separate port.
package final class RunningGPSD {
  /// The program, either installed or unpacked by `make test`.
  private static let program = ["/usr/sbin/gpsd", "/usr/local/sbin/gpsd", ".build/gpsd/usr/sbin/gpsd"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }
  package static let isInstalled = program != nil

  package let port: UInt16
  /// The path of its control socket, if it has one.
  package let controlSocket: String
  private let arguments: [String]
  private var process = Process()

  ///
  /// - Parameters:
  ///   - options: `-n`: it opens its receivers without waiting for a client.
  ///   - hasControl: whether it has a control socket, through which receivers are added and removed.
  package init(_ devices: [String], options: [String] = ["-n"], hasControl: Bool = false) throws {
    port = try Self.freePort()
    // The path of a socket must be short.
    controlSocket = "/tmp/gpsd-\(port).sock"
    // gpsd opens the devices after it has dropped its privileges.
    for device in devices { _ = unsafe chmod(device, 0o666) }
    arguments = ["-N", "-D", "0", "-S", "\(port)"] + (hasControl ? ["-F", controlSocket] : []) + options + devices
    try start()
  }

  deinit {
    kill()
    _ = unsafe unlink(controlSocket)
  }

  package var isRunning: Bool { process.isRunning }

  package func start() throws {
    _ = unsafe unlink(controlSocket)
    process = Process()
    process.executableURL = Self.program.map { URL(fileURLWithPath: $0) }
    process.arguments = arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    while process.isRunning, !answers() { usleep(5000) }
  }

  package func kill() {
    guard process.isRunning else { return }
    // A service that runs at the same time has blocked the other signals, and this process has inherited that.
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// The paths of the devices in its list.
  package func devices() throws -> [String] {
    struct PromptAnswer: Decodable {
      struct Device: Decodable { var path: String }
      var devices: [Device]
    }
    let connection = try Connection(port: port)
    connection.send("?DEVICES;\n")
    let line = connection.line { $0.contains("\"DEVICES\"") } ?? ""
    return try JSONDecoder().decode(PromptAnswer.self, from: Data(line.utf8)).devices.map(\.path)
  }

  /// The first report that `isWanted` accepts, as text; `nil`: gpsd has closed the connection.
  package func report(_ isWanted: (String) -> Bool) throws -> String? {
    let connection = try Connection(port: port)
    connection.send("?WATCH={\"enable\":true,\"json\":true}\n")
    return connection.line(isWanted)
  }

  /// Adds a device like its hot-plugging script (gpsdctl(8)); returns its answer.
  package func hotplug(_ path: String) throws -> String {
    let connection = try Connection(socket: controlSocket)
    connection.send("+\(path)\n")
    return connection.line { _ in true } ?? ""
  }

  /// Whether it answers at both addresses, on which it starts to listen one after the other.
  private func answers() -> Bool {
    (try? Connection(port: port)) != nil && (!Self.hasIPv6 || (try? Connection(portOfIPv6: port)) != nil)
  }

  private static let hasIPv6: Bool = {
    let socket = socket(AF_INET6, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_addr = in6addr_loopback
    return unsafe withUnsafePointer(to: address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(socket, $0, socklen_t(MemoryLayout<sockaddr_in6>.size)) == 0
      }
    }
  }()

  private static func freePort() throws -> UInt16 {
    let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let found = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(socket, $0, length) == 0 && getsockname(socket, $0, &length) == 0
      }
    }
    guard found else { throw CocoaError(.fileWriteUnknown) }
    return UInt16(bigEndian: address.sin_port)
  }

  /// A plain connection that the test itself opens.
  private final class Connection {
    private let descriptor: Int32
    private var pending = ""

    init(port: UInt16) throws {
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
      let result = unsafe withUnsafePointer(to: address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      guard result == 0 else { throw CocoaError(.fileReadUnknown) }
    }

    init(portOfIPv6 port: UInt16) throws {
      descriptor = socket(AF_INET6, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_port = port.bigEndian
      address.sin6_addr = in6addr_loopback
      let result = unsafe withUnsafePointer(to: address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in6>.size))
        }
      }
      guard result == 0 else { throw CocoaError(.fileReadUnknown) }
    }

    init(socket path: String) throws {
      descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
      let result = unsafe withUnsafePointer(to: address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
      guard result == 0 else { throw CocoaError(.fileReadUnknown) }
    }

    deinit { close(descriptor) }

    func send(_ text: String) { _ = unsafe text.withCString { unsafe write(descriptor, $0, strlen($0)) } }

    func line(_ matches: (String) -> Bool) -> String? {
      var buffer = [UInt8](repeating: 0, count: 4096)
      while true {
        while let end = pending.firstIndex(where: \.isNewline) {
          let line = String(pending[..<end])
          pending.removeSubrange(...end)
          if matches(line) { return line }
        }
        let count = unsafe read(descriptor, &buffer, buffer.count)
        guard count > 0 else { return nil }
        pending += String(decoding: buffer[..<count], as: UTF8.self)
      }
    }
  }
}
