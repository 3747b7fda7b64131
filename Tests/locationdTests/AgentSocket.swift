import Foundation
import LinuxIO
import TestSupport

/// A user's agent that was started by its socket, for connections of any user.
final class AgentSocket {
  private let folder: String
  private let listener: UnixListener
  private let process = Process()
  private let log = PipeLines(patience: 60_000)
  private var path: String { folder + "/0" }

  init() throws {
    folder = "/tmp/agents-\(UUID().uuidString.prefix(8))"
    listener = try UnixListener(at: folder + "/0", UnixListener.Access(mode: 0o666))
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = [
      "-c", "LISTEN_FDS=1 LISTEN_PID=$$ exec \"$@\" 3<&0 0</dev/null", "sh", RunningDaemon.program, "event-agent",
    ]
    process.environment = ["HOME": folder]
    process.standardInput = FileHandle(fileDescriptor: listener.descriptor, closeOnDealloc: false)
    process.standardError = log.pipe
    try process.run()
    try log.processHasBegun()
  }

  deinit {
    process.terminate()
    process.waitUntilExit()
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// The text that a client of that user receives before the agent closes the connection.
  func connect(as user: Int) throws -> String {
    let client = Process()
    let output = Pipe()
    client.executableURL = URL(fileURLWithPath: OtherUserRun.identity[0])
    let script =
      "import socket, sys; s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); print(s.recv(100).decode(), end='')"
    client.arguments = OtherUserRun.identity.dropFirst() + ["/usr/bin/python3", "-c", script, path]
    client.standardOutput = output
    try client.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    client.waitUntilExit()
    return text
  }

  func awaitLine(_ text: String) -> String? {
    while let line = log.next() {
      let line = String(decoding: line, as: UTF8.self)
      if line.contains(text) { return line }
    }
    return nil
  }
}
