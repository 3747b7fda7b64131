package import Foundation

/// The `locationd` that was built beside the tests, or the one that LOCATION_DAEMON names, in a separate process with a separate
/// folder.
package final class RunningDaemon {
  /// Where a daemon has its socket and its state; several daemons may use it one after the other.
  package final class Place {
    package let folder: URL
    /// If not empty, the daemon logs a line for each client that connects or disconnects.
    package var debugging = "1"
    /// The root of the daemon's configuration; without files unless a test writes some.
    package var configuration: URL { folder.appendingPathComponent("root") }
    package var socket: String { folder.appendingPathComponent("socket").path }

    package init() throws {
      // The path of a socket must be short.
      folder = URL(fileURLWithPath: "/tmp/locationd-\(UUID().uuidString.prefix(8))")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Writes a file of the configuration, `etc/locationd.conf` or a drop-in.
    package func configure(_ text: String, in file: String = "etc/locationd.conf") throws {
      let url = configuration.appendingPathComponent(file)
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
    }

    /// The environment of a daemon and of its clients.
    package var environment: [String: String] {
      [
        "LOCATIOND_SOCKET": socket, "LOCATIOND_STATE": folder.appendingPathComponent("state").path,
        "LOCATIOND_GPSD": "off", "LOCATIOND_SOURCE": "", "LOCATIOND_DEBUG": debugging,
        "LOCATIOND_CONFIG": configuration.path,
      ]
    }
  }

  package static let program =
    ProcessInfo.processInfo.environment["LOCATION_DAEMON"] ?? HelperProcess.folder + "/locationd"

  package let place: Place
  private let process = Process()
  private let log = PipeLines(patience: 60_000)

  /// - Parameter shell: a script that runs the daemon as `"$@"`, after its own preparations.
  package init(
    _ arguments: [String] = ["--source", "simulator"], at place: Place, shell: String? = nil,
    environment: [String: String] = [:], standardInput: Int32? = nil
  ) throws {
    self.place = place
    process.executableURL = URL(fileURLWithPath: shell == nil ? Self.program : "/bin/sh")
    process.arguments = (shell.map { ["-c", $0, "sh", Self.program] } ?? []) + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(place.environment) { $1 }
      .merging(environment) { $1 }
    process.standardError = log.pipe
    process.standardInput =
      standardInput.map { FileHandle(fileDescriptor: $0, closeOnDealloc: false) } ?? FileHandle.nullDevice
    try process.run()
    try log.processHasBegun()
  }

  /// A daemon that listens on its socket.
  package static func listening(
    _ arguments: [String] = ["--source", "simulator"], at place: Place, shell: String? = nil,
    environment: [String: String] = [:], standardInput: Int32? = nil
  ) throws -> RunningDaemon {
    let daemon = try RunningDaemon(
      arguments, at: place, shell: shell, environment: environment, standardInput: standardInput)
    try daemon.awaitLine("Listening")
    return daemon
  }

  deinit {
    if process.isRunning { Glibc.kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }

  package var processID: Int32 { process.processIdentifier }

  package func send(_ signal: Int32) { Glibc.kill(processID, signal) }

  /// Its exit status, or a negative number for the signal that ended it.
  package func end() -> Int32 {
    process.waitUntilExit()
    return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
  }

  package struct NoSuchLine: Error {
    package var wanted: String
    package var received: [String]
  }

  /// Reads its log up to a line that contains `text`.
  @discardableResult
  package func awaitLine(_ text: String) throws -> String {
    var received: [String] = []
    while let line = nextLine() {
      if line.contains(text) { return line }
      received.append(line)
    }
    throw NoSuchLine(wanted: text, received: received)
  }

  /// The log lines until its end.
  package func rest() -> [String] {
    var lines: [String] = []
    while let line = nextLine() { lines.append(line) }
    return lines
  }

  private func nextLine() -> String? { log.next().map { String(decoding: $0, as: UTF8.self) } }
}
