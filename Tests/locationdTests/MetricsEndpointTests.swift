import Foundation
import LinuxIO
import TestSupport
import Testing

/// `status --prometheus` and its endpoint, with a real daemon, a real socket as systemd passes it, and curl.
@Suite(.serialized) struct MetricsEndpointTests {
  private static let activate = "/usr/bin/systemd-socket-activate"
  private static let curl = "/usr/bin/curl"
  private static let canServe = [activate, curl].allSatisfy { FileManager.default.fileExists(atPath: $0) }
  private static let locationctl = HelperProcess.folder + "/locationctl"

  private let place: RunningDaemon.Place
  private let daemon: RunningDaemon

  init() throws {
    place = try RunningDaemon.Place()
    daemon = try RunningDaemon.listening(at: place)
  }

  private func run(_ program: String, _ arguments: [String], input: String = "") throws -> (
    status: Int32, output: String
  ) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.environment = ProcessInfo.processInfo.environment.merging(place.environment) { $1 }
    // Through cat: a program that ends before it has read all would end this process with SIGPIPE.
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("input-\(UUID().uuidString)")
    try Data(input.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    process.arguments = ["-c", #"cat "$0" | "$@""#, file.path, program] + arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
  }

  private func metrics(_ arguments: String...) throws -> String {
    let run = try run(Self.locationctl, ["status", "--prometheus"] + arguments)
    #expect(run.status == 0)
    return run.output
  }

  @Test func theTextIsWhatPrometheusReads() throws {
    // The receiver is open while somebody uses it.
    let watch = try HelperProcess("locationctl", ["watch", "--json"], environment: place.environment)
    defer { watch.kill() }
    _ = try #require(watch.next())
    let text = try metrics()
    #expect(text.contains("\nlocationd_requests{kind=\"updates\"} 1\n"))
    #expect(text.contains("\nlocationd_up 1\n"))
    #expect(text.contains("\nlocationd_fix_radius_meters "))
    #expect(text.contains("\nlocationd_satellites_in_view "))
    #expect(!text.contains("latitude"))
    #expect(try metrics("--with-position").contains("\nlocationd_fix_latitude_degrees 47.28"))
    let promtool = "/usr/bin/promtool"
    if FileManager.default.fileExists(atPath: promtool) {
      #expect(try run(promtool, ["check", "metrics"], input: text).status == 0)
    }
    let parser = """
      import sys
      from prometheus_client.parser import text_string_to_metric_families
      print(len([sample for family in text_string_to_metric_families(sys.stdin.read()) for sample in family.samples]))
      """
    let parsed = try run("/usr/bin/python3", ["-c", parser], input: text)
    guard
      parsed.status == 0 || !FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/prometheus_client")
    else { return #expect(parsed.status == 0) }
    if parsed.status == 0 {
      let samples = text.split(separator: "\n").count { !$0.hasPrefix("#") }
      #expect(parsed.output == "\(samples)\n")
    }
  }

  @Test func withoutADaemonItIsDown() throws {
    daemon.send(SIGTERM)
    _ = daemon.end()
    let text = try metrics()
    #expect(text.hasSuffix("\nlocationd_up 0\n"))
  }

  @Test(arguments: [
    ["--with-position"], ["--http"], ["--prometheus", "--json"], ["--prometheus", "--http", "--with-position"],
  ])
  func combinationsWithoutMeaningAreRefused(arguments: [String]) throws {
    #expect(try run(Self.locationctl, ["status"] + arguments).status == 64)
  }

  /// A port of this machine that is free now.
  private func freePort() throws -> Int {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
        unsafe bind(descriptor, raw, size) == 0 && getsockname(descriptor, raw, &size) == 0
      }
    }
    try #require(isBound)
    return Int(UInt16(bigEndian: address.sin_port))
  }

  /// The command as the unit starts it, and a program that connects.
  private func serve(_ body: (_ port: Int) throws -> Void) throws {
    let port = try freePort()
    let server = Process()
    // A shell stays between, until its input ends: the program closes what it inherits, which Foundation takes for its end, and waits
    // for it; and a thread of the tests may block SIGTERM, which children inherit.
    server.executableURL = URL(fileURLWithPath: "/bin/sh")
    server.arguments = [
      "-c", #""$@" </dev/null & child=$!; read -r line; kill -KILL $child"#, "sh", Self.activate,
      "--listen=127.0.0.1:\(port)",
      "--accept", "--inetd", "--setenv=LOCATIOND_SOCKET", "--setenv=LOCATIOND_STATE",
      Self.locationctl, "status", "--prometheus", "--http",
    ]
    server.environment = ProcessInfo.processInfo.environment.merging(place.environment) { $1 }
    server.standardError = FileHandle.nullDevice
    let input = Pipe()
    server.standardInput = input
    try server.run()
    defer {
      try? input.fileHandleForWriting.close()
      server.waitUntilExit()
    }
    try body(port)
  }

  private func get(_ port: Int, _ path: String = "/metrics", _ more: String...) throws -> (
    status: Int32, output: String
  ) {
    // The server may not listen yet.
    try run(
      Self.curl,
      ["--silent", "--include", "--max-time", "20", "--retry", "30", "--retry-delay", "1", "--retry-connrefused"] + more
        + ["http://127.0.0.1:\(port)\(path)"])
  }

  @Test(.enabled(if: canServe, "needs systemd-socket-activate and curl"))
  func curlGetsTheMetrics() throws {
    try serve { port in
      let answer = try get(port)
      #expect(answer.output.hasPrefix("HTTP/1.1 200 OK\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\n"))
      #expect(answer.output.contains("\nlocationd_up 1\n"))
      #expect(!answer.output.contains("latitude"))
      // A page of another site in a browser, whose name leads here.
      let rebound = try get(port, "/metrics", "--header", "Host: evil.example")
      #expect(rebound.output.hasPrefix("HTTP/1.1 403 "))
      #expect(!rebound.output.contains("locationd_up"))
      #expect(try get(port, "/other").output.hasPrefix("HTTP/1.1 404 "))
      #expect(try get(port, "/metrics", "--data", "x=1").output.hasPrefix("HTTP/1.1 405 "))
      #expect(
        try get(port, "/metrics", "--header", "X: " + String(repeating: "y", count: 9000)).output.hasPrefix(
          "HTTP/1.1 431 "))
    }
  }

  /// Input that no HTTP client sends. Each run ends by itself, within the bound of the unit.
  @Test(arguments: [
    "", "\u{0}\u{1}\u{2}\r\n\r\n", "GET /metrics HTTP/1.1\r\n", String(repeating: "A", count: 100_000),
    "GET /metrics HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n",
  ]) func hostileInputEndsWithAnError(input: String) throws {
    let answer = try run(Self.locationctl, ["status", "--prometheus", "--http"], input: input)
    #expect(answer.status == 0)
    #expect(answer.output.hasPrefix("HTTP/1.1 4"))
    #expect(!answer.output.contains("locationd_up"))
  }

  /// A client that sends nothing is answered after five seconds.
  @Test func aSilentClientIsNotWaitedForLong() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Self.locationctl)
    process.arguments = ["status", "--prometheus", "--http"]
    process.environment = ProcessInfo.processInfo.environment.merging(place.environment) { $1 }
    let (output, input) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardInput = input
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data("GET /metrics HTTP/1.1\r\nHost: loc".utf8))
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(text.hasPrefix("HTTP/1.1 408 "))
    withExtendedLifetime(input) {}
  }
}
