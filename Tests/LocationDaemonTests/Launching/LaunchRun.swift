import Foundation
import Geodesy
import LinuxDevices
import LinuxIO
import LocationPolicy
import LocationStore
import LocationdRecords
import TestSupport

/// The service's side of launching commands, with a real agent that it starts, real shells, and a store in memory.
final class LaunchRun: LauncherObserver {
  let home: String
  let loop: EventLoop
  private(set) lazy var launcher = Launcher(loop: loop, at: place, pace: pace, observer: self)
  private let place: AgentEndpoint
  private let pace: LaunchRateLimit
  /// Called when there is room for more events.
  var onRoom: () -> Void = {}
  let book: CommandStore
  private(set) var outcomes: [UInt64: LaunchOutcome] = [:]
  private(set) var attempts: [UInt64: Int] = [:]
  private(set) var events: [LaunchEvent] = []
  private let userID = ProcessEnvironment.userID
  private var wanted = 0

  /// - Parameter pace: without a limit, unless the test is about the limit.
  init(pace: LaunchRateLimit = LaunchRateLimit(burst: 1000), place: AgentEndpoint? = nil) throws {
    home = "/tmp/launch-\(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    book = CommandStore(home: home)
    loop = try EventLoop()
    // Its home is that of the test, where it also writes its process ID.
    let script = "echo $$ >> '\(home)/agents'; HOME='\(home)' exec '\(HelperProcess.folder)/locationd' event-agent"
    let program = HelperProgram(path: "/bin/sh", name: "sh", arguments: ["-c", script])
    self.place = place ?? AgentEndpoint(folder: home + "/none", program: program, hasUnits: false)
    self.pace = pace
  }

  func keepAttempt(of event: UInt64, userID: UInt32) {
    attempts[event, default: 0] += 1
    launcher.attemptKept(event: event, userID: userID, attempt: attempts[event])
  }

  func ended(_ event: UInt64, _ outcome: LaunchOutcome) {
    outcomes[event] = outcome
    if outcomes.count >= wanted { loop.stop() }
  }

  func hasRoom(forUser userID: UInt32) { onRoom() }

  func receive(_ event: LaunchEvent) {
    events.append(event)
    if wanted == 0 { loop.stop() }
  }

  deinit {
    launcher.close()
    try? FileManager.default.removeItem(atPath: home)
  }

  func note(_ text: String, budget: Int = 60) throws -> CommandToken {
    guard let command = SavedCommand(text, budgetSeconds: budget) else {
      throw SystemError(operation: "note", errno: 0)
    }
    return try book.note(command)
  }

  @discardableResult
  func launch(_ event: UInt64, _ token: CommandToken) -> Bool {
    launcher.launch(event: event, userID: userID) { attempt in
      LaunchVariable("LOCATION_EVENT", "\(event)").flatMap { LaunchCommand(token, [$0], input: []) }.map {
        .command($0)
      }
    }
  }

  /// Runs until this many commands are done; with 0, until there is an event. The time limit is a guard against hanging, not a
  /// measurement.
  func run(until count: Int) throws {
    wanted = count
    guard count == 0 || outcomes.count < count else { return }
    let guardTimer = loop.schedule(at: MonotonicClock.now() + .seconds(60)) { [loop] in loop.stop() }
    try loop.run()
    loop.cancel(guardTimer)
  }

  func lines(_ name: String) -> [String] {
    let bytes = FileManager.default.contents(atPath: "\(home)/\(name)") ?? Data()
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
