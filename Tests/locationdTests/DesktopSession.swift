import Foundation
import TestSupport

/// A private session bus and, if the test needs one, a notification service on it.
final class DesktopSession {
  static let isInstalled =
    ["/usr/bin/dbus-daemon", "/usr/bin/notify-send", "/usr/bin/python3"].allSatisfy {
      FileManager.default.isExecutableFile(atPath: $0)
    } && canImport()

  private let bus = Process()
  private let service = Process()
  private let addresses = PipeLines(patience: 30_000)
  private let lines = PipeLines(patience: 30_000)
  private let input = Pipe()
  private let address: String

  struct NotThere: Error {}

  init(hasService: Bool = true) throws {
    bus.executableURL = URL(fileURLWithPath: "/usr/bin/dbus-daemon")
    bus.arguments = ["--session", "--nofork", "--nopidfile", "--print-address=1"]
    bus.standardOutput = addresses.pipe
    bus.standardError = FileHandle.nullDevice
    try bus.run()
    try addresses.processHasBegun()
    guard let line = addresses.next() else { throw NotThere() }
    address = String(decoding: line, as: UTF8.self)
    guard hasService else { return }
    service.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    service.arguments = [Self.script]
    service.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    service.standardInput = input
    service.standardOutput = lines.pipe
    service.standardError = FileHandle.nullDevice
    try service.run()
    try lines.processHasBegun()
    guard next()?["ready"] != nil else { throw NotThere() }
  }

  deinit {
    try? input.fileHandleForWriting.close()
    for process in [service, bus] where process.isRunning {
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
  }

  /// The environment of a program in this session.
  var environment: [String: String] { ["DBUS_SESSION_BUS_ADDRESS": address] }

  /// The next line that the notification service prints.
  func next() -> [String: Any]? {
    lines.next().flatMap { try? JSONSerialization.jsonObject(with: Data($0)) as? [String: Any] }
  }

  /// What a person does: "press ID KEY" or "dismiss ID".
  func act(_ line: String) throws { try input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8)) }

  private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("NotificationService/notification-service.py").path

  private static func canImport() -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = ["-c", "import dbus, gi"]
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}
