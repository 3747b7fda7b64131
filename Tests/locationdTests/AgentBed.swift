import Foundation
import LocationIPC
import LocationPolicy
import LocationStore
import TestSupport

/// A real agent of a user, with the connection that the service has, in a temporary home folder.
final class AgentBed {
  let folder: String
  var home: String { folder + "/home" }
  let book: CommandStore
  private let process = Process()
  private let log = PipeLines(patience: 60_000)
  private var descriptor: Int32
  private var frames = FrameReader(limit: LaunchResponse.limit)
  private var nextRun: UInt64 = 1

  struct NoSocket: Error {}

  ///
  /// - Parameters:
  ///   - command: the program that starts the agent; if it is empty, the agent's socket is its standard input.
  ///   - environment: additional variables, beside those for the home folder.
  init(environment: [String: String] = [:], by command: [String] = []) throws {
    folder = "/tmp/agent-\(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(atPath: folder + "/home", withIntermediateDirectories: true)
    book = CommandStore(home: folder + "/home")
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw NoSocket() }
    descriptor = ends[0]
    let words = command + [RunningDaemon.program, "event-agent"]
    process.executableURL = URL(fileURLWithPath: words[0])
    process.arguments = Array(words.dropFirst())
    process.environment = ["PATH": "/usr/bin:/bin", "HOME": folder + "/home", "SECRET": "of the service"]
      .merging(environment) { $1 }
    process.standardInput = FileHandle(fileDescriptor: ends[1], closeOnDealloc: false)
    process.standardError = log.pipe
    try process.run()
    close(ends[1])
    try log.processHasBegun()
  }

  deinit {
    hangUp()
    if process.isRunning { process.terminate() }
    process.waitUntilExit()
    try? FileManager.default.removeItem(atPath: folder)
  }

  var processID: Int32 { process.processIdentifier }

  func note(_ text: String, budget: Int = 60) throws -> CommandToken {
    guard let command = SavedCommand(text, budgetSeconds: budget) else { throw NoSocket() }
    return try book.note(command)
  }

  /// Sends an order to run a command, and returns the order's number.
  @discardableResult
  func run(_ token: CommandToken, _ variables: [(String, String)] = [], input: [UInt8] = []) throws -> UInt64 {
    guard let command = LaunchCommand(token, variables.compactMap { LaunchVariable($0, $1) }, input: input) else {
      throw NoSocket()
    }
    return order(.command(command))
  }

  @discardableResult
  func order(_ content: LaunchRequest.Content) -> UInt64 {
    defer { nextRun += 1 }
    send(LaunchRequest(run: nextRun, content).frame)
    return nextRun
  }

  func send(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// The agent's next answer; `nil` at the end or if no answer comes (a guard against hanging, not a measurement).
  func next() throws -> LaunchResponse? {
    while true {
      if let payload = try frames.next() { return try LaunchResponse(Array(payload).span) }
      var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard unsafe poll(&wait, 1, 60_000) == 1 else { return nil }
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { return nil }
      frames.push(buffer[..<count])
    }
  }

  /// The content of the agent's next answer, for any order.
  func content() throws -> LaunchResponse.Content? { try next()?.content }

  /// Creates a named pipe `fifo` and returns its reading end; each process that has the pipe open for writing holds it.
  func heldPipe() throws -> Int32 {
    guard unsafe mkfifo(home + "/fifo", 0o600) == 0 else { throw NoSocket() }
    return unsafe open(home + "/fifo", O_RDONLY | O_NONBLOCK | O_CLOEXEC)
  }

  /// Waits until no process that held the pipe runs any more; the time limit is a guard against hanging, not a measurement.
  func isLetGo(_ pipe: Int32) -> Bool {
    var wait = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&wait, 1, 60_000) == 1 && wait.revents == Int16(POLLHUP)
  }

  /// Closes the connection like a service that ends.
  func hangUp() {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
  }

  func signal(_ number: Int32) { kill(processID, number) }

  func end() -> Int32 {
    process.waitUntilExit()
    return process.terminationStatus
  }

  func awaitLine(_ text: String) -> String? {
    while let line = log.next() {
      let line = String(decoding: line, as: UTF8.self)
      if line.contains(text) { return line }
    }
    return nil
  }

  func file(_ name: String) -> [UInt8]? { FileManager.default.contents(atPath: "\(home)/\(name)").map { Array($0) } }
}
