import Foundation
import Glibc
import TestSupport

/// A program of another user, without administrator rights, on its own terminal, so that it is in use. It is in a folder with or
/// without an Info.plist. It ends when this object is released.
final class ForeignProgram {
  /// A user ID for which there is no account.
  static let user: UInt32 = 47_110

  /// Whether this user may become that user, and whether the kernel's control groups let the program count as one on a terminal.
  static let isPossible: Bool = {
    let tools = ["/usr/bin/setsid", "/usr/bin/setpriv"]
    let groups = (try? String(contentsOfFile: "/proc/self/cgroup", encoding: .utf8)) ?? ""
    let isOfNobody = groups.split(separator: "\n").allSatisfy {
      !$0.contains(".service") && !$0.contains(".scope") && !$0.contains("docker")
    }
    return geteuid() == 0 && isOfNobody && tools.allSatisfy(FileManager.default.isExecutableFile)
  }()

  private let process = Process()
  private let output: LinesOfPipe
  private let folder: TemporaryFolder
  private var primary: Int32 = -1

  struct NoTerminal: Error {}

  /// The program did not print the awaited line.
  struct Silent: Error {
    var wanted: String
    var received: [String]
  }

  /// - Parameters:
  ///   - german: the texts of its `de.lproj`; the program then runs in German.
  ///   - hasTerminal: without a terminal the program always runs in the background.
  init(
    _ properties: [String: any Sendable]?, german: [String: String] = [:], at place: RunningDaemon.Place,
    hasTerminal: Bool = true
  ) throws {
    folder = try TemporaryFolder()
    // Other users may read it.
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.url.path)
    let program = folder.url.appendingPathComponent("location-client")
    try FileManager.default.copyItem(
      at: URL(fileURLWithPath: HelperProcess.folder + "/location-client"), to: program)
    if let properties {
      let list = try PropertyListSerialization.data(
        fromPropertyList: properties.mapValues { $0 as Any }, format: .xml, options: 0)
      try list.write(to: folder.url.appendingPathComponent("Info.plist"))
    }
    if !german.isEmpty {
      let language = folder.url.appendingPathComponent("de.lproj")
      try FileManager.default.createDirectory(at: language, withIntermediateDirectories: false)
      let texts = german.map { "\"\($0)\" = \"\($1)\";\n" }.joined()
      try Data(texts.utf8).write(to: language.appendingPathComponent("InfoPlist.strings"))
    }
    var secondary: Int32 = -1
    guard unsafe openpty(&primary, &secondary, nil, nil, nil) == 0 else { throw NoTerminal() }
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/setsid")
    process.arguments =
      ["--wait"] + (hasTerminal ? ["--ctty"] : []) + ["setpriv", "--reuid=\(Self.user)", "--regid=\(Self.user)"]
      + ["--clear-groups", program.path, "commands"]
    process.environment = ProcessInfo.processInfo.environment.merging(place.environment) { $1 }
      .merging(["LOCATIOND_STATE": "/nonexistent", "LC_ALL": german.isEmpty ? "C" : "de_CH.UTF-8"]) { $1 }
    process.standardInput = FileHandle(fileDescriptor: secondary, closeOnDealloc: true)
    process.standardOutput = pipe
    process.standardError = pipe
    output = LinesOfPipe(pipe)
    try process.run()
    try pipe.fileHandleForWriting.close()
  }

  deinit {
    // When the terminal is closed, the program ends.
    close(primary)
    process.waitUntilExit()
  }

  /// Sends the program a command.
  func send(_ command: String) {
    let bytes = Array((command + "\n").utf8)
    _ = unsafe write(primary, bytes, bytes.count)
  }

  /// The next line of the program.
  func next() throws -> String {
    guard let line = output.next() else { throw Silent(wanted: "anything", received: []) }
    return line
  }

  /// The lines before `wanted`, without that line.
  @discardableResult
  func await(_ wanted: String) throws -> [String] {
    var received: [String] = []
    while let line = output.next() {
      if line == wanted { return received }
      received.append(line)
    }
    throw Silent(wanted: wanted, received: received)
  }

  /// All lines until the program's end, after `quit` or by itself.
  func rest() -> [String] {
    var received: [String] = []
    while let line = output.next() { received.append(line) }
    return received
  }

  /// Whether it has ended normally.
  var hasExited: Bool {
    process.waitUntilExit()
    return process.terminationReason == .exit && process.terminationStatus == 0
  }
}
