import Foundation
import TestSupport

/// A daemon that serves gpsd's protocol and NMEA 0183 at free ports, and what real clients need to reach it.
struct GPSDServing {
  let place: RunningDaemon.Place
  let gpsd: Int
  let nmea: Int
  let daemon: RunningDaemon

  init(_ arguments: [String] = ["--source", "simulator"], environment: [String: String] = [:]) throws {
    place = try RunningDaemon.Place()
    gpsd = try Self.freePorts()
    nmea = gpsd + 1
    daemon = try RunningDaemon(
      arguments, at: place,
      environment: [
        "LOCATIOND_GPSD_LISTEN": "127.0.0.1:\(gpsd),[::1]:\(gpsd)", "LOCATIOND_NMEA_LISTEN": "127.0.0.1:\(nmea)",
      ].merging(environment) { $1 })
    try daemon.awaitLine("Serving NMEA 0183")
    try daemon.awaitLine("Listening")
  }

  /// The first of two ports that nobody has, below those of which the kernel gives some to clients (net.ipv4.ip_local_port_range): the
  /// thousands of connections of a test must not get the port of the next one.
  private static func freePorts() throws -> Int {
    let range = try? String(contentsOfFile: "/proc/sys/net/ipv4/ip_local_port_range", encoding: .utf8)
    let first = range?.split(whereSeparator: \.isWhitespace).first.flatMap { Int($0) } ?? 32_768
    let ports = first > 12_000 ? 10_000..<first - 1 : 61_000..<65_534
    for _ in 0..<1000 {
      let port = Int.random(in: ports)
      if isFree(port), isFree(port + 1) { return port }
    }
    throw NoFreePort()
  }

  private struct NoFreePort: Error {}

  /// Whether a server can have the port, for both families of addresses.
  private static func isFree(_ port: Int) -> Bool {
    let descriptor = socket(AF_INET6, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var (on, off) = (Int32(1), Int32(0))
    _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, 4)
    _ = unsafe setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &off, 4)
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_port = UInt16(port).bigEndian
    return unsafe withUnsafePointer(to: address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in6>.size)) == 0
      }
    }
  }

  /// Runs a program of a package to its end, for at most that many seconds.
  static func run(_ words: [String], seconds: Int = 30) throws -> (output: String, status: Int32) {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/timeout")
    process.arguments = ["\(seconds)"] + words
    process.standardOutput = output
    process.standardError = output
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (String(decoding: data, as: UTF8.self), process.terminationStatus)
  }

  static func isInstalled(_ program: String) -> Bool { FileManager.default.isExecutableFile(atPath: program) }

  /// The JSON objects of a class among lines.
  static func objects(_ name: String, in text: String) -> [[String: Any]] {
    text.split(whereSeparator: \.isNewline).compactMap { line in
      (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [String: Any]
    }.filter { $0["class"] as? String == name }
  }

  /// An attack of another user; returns its counts while its connections are kept.
  func attack(_ kind: String, _ count: Int, user: Int = 4_200_150, ipv6: Bool = false) throws -> NetworkAttackRun {
    try NetworkAttackRun(kind, count, user: user, at: ipv6 ? "[::1]:\(gpsd)" : "127.0.0.1:\(gpsd)")
  }
}

/// `hostile-clients` at a TCP port.
final class NetworkAttackRun {
  private let process: HelperProcess
  /// The counts once all connections were made.
  let begin: [String: Int]

  init(_ kind: String, _ count: Int, user: Int, at address: String) throws {
    process = try HelperProcess(
      "hostile-clients", [address, "\(user)", kind, "\(count)"], environment: [:], patienceMilliseconds: 120_000)
    begin = Self.numbers(process.next())
  }

  /// Ends the attack and returns the counts of all that was received.
  func end() -> [String: Int] {
    process.endInput()
    return Self.numbers(process.next())
  }

  private static func numbers(_ line: [UInt8]?) -> [String: Int] {
    let words = String(decoding: line ?? [], as: UTF8.self).split(separator: " ").dropFirst()
    return Dictionary(
      words.compactMap { word in
        let parts = word.split(separator: "=")
        return parts.count == 2 ? Int(parts[1]).map { (String(parts[0]), $0) } : nil
      }, uniquingKeysWith: { $1 })
  }
}

/// A connection of the test itself.
final class PortConnection {
  private let descriptor: Int32
  private var pending = ""

  struct NotConnected: Error {}

  init(port: Int) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var patience = timeval(tv_sec: 30, tv_usec: 0)
    _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    let result = unsafe withUnsafePointer(to: address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw NotConnected() }
  }

  deinit { close(descriptor) }

  func send(_ text: String) { _ = unsafe text.withCString { unsafe write(descriptor, $0, strlen($0)) } }

  /// The next line without its end; `nil` at the end of the connection.
  func line() -> String? {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      if let end = pending.firstIndex(where: \.isNewline) {
        let line = String(pending[..<end])
        pending.removeSubrange(...end)
        return line
      }
      let count = unsafe read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return nil }
      pending += String(decoding: buffer[..<count], as: UTF8.self)
    }
  }

  /// The next line that contains a text.
  func line(with text: String) -> String? {
    while let line = line() { if line.contains(text) { return line } }
    return nil
  }
}
