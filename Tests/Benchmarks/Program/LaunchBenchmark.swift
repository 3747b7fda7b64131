import Geodesy
import Glibc
import LinuxDevices
import LinuxIO
import LocationPolicy
import LocationStore
import LocationdRecords

/// The delay from an event to the start of a user's command: through the service's own queue and connection, to a real agent,
/// which starts a real shell. The command's first action is to write a byte to a named pipe.
final class LaunchBenchmark: LauncherObserver {
  /// How many commands follow the first.
  private let tries: Int
  private let loop: EventLoop
  private lazy var launcher = Launcher(
    loop: loop, at: place, pace: LaunchRateLimit(burst: 2 * tries + 1), observer: self)
  private let place: AgentEndpoint
  private let token: CommandToken
  private let pipe: Int32
  private let userID = ProcessEnvironment.userID
  private var begun = Instant(nanoseconds: 0)
  private var times: [Duration] = []
  private var hasStarted = false
  private var hasEnded = false

  ///
  /// - Parameters:
  ///   - agent: the path of the program.
  ///   - home: a folder that this initializer creates.
  init(agent: String, home: String, tries: Int) throws {
    self.tries = tries
    guard unsafe mkdir(home, 0o700) == 0 else { throw SystemError(operation: "mkdir", errno: errno) }
    loop = try EventLoop()
    guard let command = SavedCommand("echo >fifo") else { throw SystemError(operation: "note", errno: 0) }
    token = try CommandStore(home: home).note(command)
    guard unsafe mkfifo(home + "/fifo", 0o600) == 0 else { throw SystemError(operation: "mkfifo", errno: errno) }
    // Opened for reading and writing, so that it never reaches its end.
    pipe = unsafe open(home + "/fifo", O_RDWR | O_NONBLOCK | O_CLOEXEC)
    _ = unsafe setenv("HOME", home, 1)
    let program = HelperProgram(path: agent, name: "locationd", arguments: [AgentLink.argument])
    place = AgentEndpoint(folder: home, program: program)
  }

  deinit {
    launcher.close()
    close(pipe)
  }

  func keepAttempt(of event: UInt64, userID: UInt32) {
    launcher.attemptKept(event: event, userID: userID, attempt: 1)
  }

  func ended(_ event: UInt64, _ outcome: LaunchOutcome) {
    precondition(outcome == .ended(.exited(0)), "\(outcome)")
    hasEnded = true
    next()
  }

  func hasRoom(forUser userID: UInt32) {}
  func receive(_ event: LaunchEvent) {}

  /// The delay from the start of the agent, and then those with the agent already running, in milliseconds, in the order of
  /// measurement.
  func measure() throws -> [Double] {
    let watch = try loop.watch(pipe) { [unowned self] _ in
      var bytes = [UInt8](repeating: 0, count: 16)
      guard unsafe read(pipe, &bytes, bytes.count) > 0 else { return }
      times.append(MonotonicClock.now() - begun)
      hasStarted = true
      next()
    }
    defer { loop.unwatch(watch) }
    launch()
    try loop.run()
    return times.map { $0.inSeconds * 1000 }
  }

  private func next() {
    guard hasStarted, hasEnded else { return }
    guard times.count <= tries else { return loop.stop() }
    launch()
  }

  private func launch() {
    (hasStarted, hasEnded) = (false, false)
    begun = MonotonicClock.now()
    let command = LaunchCommand(token, [], input: Array("{\"event\":\"enter\"}\n".utf8))
    _ = launcher.launch(event: UInt64(times.count + 1), userID: userID) { _ in command.map { .command($0) } }
  }
}

/// Prints the delays; returns 73 if they cannot be measured.
func launchBenchmark(agent: String, home: String) -> Int32 {
  do {
    let sorted = try LaunchBenchmark(agent: agent, home: home + "/warm", tries: 200).measure().dropFirst().sorted()
    // Each with its own agent.
    let starts = try (0..<20).map { try LaunchBenchmark(agent: agent, home: "\(home)/\($0)", tries: 0).measure()[0] }
      .sorted()
    let name = "event → its command runs, the agent there"
    Figure(name: "\(name), median", value: sorted[sorted.count / 2], unit: "ms", reach: 20).write()
    Figure(name: "\(name), 95 % of \(sorted.count)", value: sorted[sorted.count * 95 / 100], unit: "ms", reach: 20)
      .write()
    let cold = "event → its command runs, from the agent's start"
    Figure(name: "\(cold), median", value: starts[starts.count / 2], unit: "ms", reach: 20).write()
    Figure(name: "\(cold), slowest of \(starts.count)", value: starts[starts.count - 1], unit: "ms", reach: 20).write()
    return 0
  } catch {
    print("\(error)")
    return 73
  }
}
