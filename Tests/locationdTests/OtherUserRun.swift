import Foundation
import TestSupport

/// `locationctl` as another user runs it: on its own terminal, so that it is in use, or without a terminal, so that it is not.
final class OtherUserRun {
  /// A user ID for which no machine has an account.
  static let user = 4_200_001

  /// Whether this process can become another user, and whether that user can run the built programs.
  static let isPossible =
    geteuid() == 0
    && ((try? run(["--version"], environment: [:]))?.status == 0)

  static let identity = ["/usr/bin/setpriv", "--reuid=\(user)", "--regid=\(user)", "--clear-groups", "--"]

  private let process = Process()
  private let lines = PipeLines(patience: 30_000)
  private let errors = Pipe()
  private let terminal: Int32

  struct NoTerminal: Error {}

  /// Starts the command on a terminal.
  init(_ arguments: [String], at place: RunningDaemon.Place, environment: [String: String] = [:]) throws {
    var (master, slave) = (Int32(-1), Int32(-1))
    guard unsafe openpty(&master, &slave, nil, nil, nil) == 0 else { throw NoTerminal() }
    _ = fcntl(master, F_SETFD, FD_CLOEXEC)
    terminal = master
    let input = FileHandle(fileDescriptor: slave, closeOnDealloc: true)
    process.executableURL = URL(fileURLWithPath: "/usr/bin/setsid")
    process.arguments = ["--ctty", "--wait"] + Self.identity + [HelperProcess.folder + "/locationctl"] + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(place.environment) { $1 }
      .merging(environment) { $1 }
    process.standardInput = input
    process.standardOutput = lines.pipe
    process.standardError = errors
    try process.run()
    try lines.processHasBegun()
    try errors.fileHandleForWriting.close()
    try input.close()
  }

  deinit {
    // Without its terminal, the command ends, too.
    close(terminal)
    if process.isRunning { process.terminate() }
    process.waitUntilExit()
  }

  /// The next line of its results; `nil` at the end.
  func next() -> [String: Any]? {
    lines.next().flatMap { try? JSONSerialization.jsonObject(with: Data($0)) as? [String: Any] }
  }

  /// The remaining results, the text on stderr, and the exit status.
  func finish() -> (objects: [[String: Any]], errors: String, status: Int32) {
    var objects: [[String: Any]] = []
    while let object = next() { objects.append(object) }
    let words = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (objects, words, process.terminationStatus)
  }

  /// One run without a terminal, to its end.
  static func run(
    _ arguments: [String], environment: [String: String], isConfined: Bool = false
  ) throws -> (output: String, errors: String, status: Int32) {
    let process = Process()
    let (output, errors) = (Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: identity[0])
    let confinement = isConfined ? ["/usr/bin/unshare", "--user", "--map-current-user"] : []
    process.arguments = identity.dropFirst() + confinement + [HelperProcess.folder + "/locationctl"] + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let words = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (text, words, process.terminationStatus)
  }
}
