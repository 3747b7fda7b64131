import Geodesy
import LinuxIO
import LocationPolicy
import LocationStore

/// One run of a user's command, from its start to its end, which comes in time by itself or by force.
final class CommandRun {
  /// What is stopped may tidy up for so long.
  private static let grace: Duration = .seconds(2)
  private static let shell = "/bin/sh"

  let token: CommandToken
  var processID: Int32 { process.processID }

  private let loop: EventLoop
  private let process: SessionProcess
  private var watch: WatchID?
  private var timer: TimerID?
  private var isOutOfTime = false
  private var isInterrupted = false
  private let onEnd: (LaunchEnding?) -> Void

  /// - Parameter onEnd: called once, with how it ended; `nil`: it was interrupted, and has not done what it was to do.
  init(
    loop: EventLoop, _ order: LaunchCommand, _ command: NotedCommand, in surroundings: AgentSurroundings,
    onEnd: @escaping (LaunchEnding?) -> Void
  ) throws(SystemError) {
    self.loop = loop
    self.onEnd = onEnd
    token = order.token
    // The event is never in the text, which the shell reads.
    process = try SessionProcess(
      Self.shell, ["-c", command.text],
      environment: surroundings.variables + order.variables.map { "\($0.name)=\($0.value)" },
      folder: surroundings.home, input: order.input)
    watch = try loop.watch(process.descriptor) { [unowned self] _ in end() }
    let budget: Duration = .seconds(command.budgetSeconds)
    // The loop's clock stands while orders are taken.
    timer = loop.schedule(at: MonotonicClock.now() + budget) { [unowned self] in
      isOutOfTime = true
      stop()
    }
  }

  deinit { forget() }

  /// Ends it before its time.
  func interrupt() {
    isInterrupted = true
    stop()
  }

  private func stop() {
    process.send(SignalNumber.terminate)
    if let timer { loop.cancel(timer) }
    timer = loop.schedule(at: MonotonicClock.now() + Self.grace) { [unowned self] in process.send(SignalNumber.kill) }
  }

  private func end() {
    forget()
    let ending: LaunchEnding? =
      switch process.finish() {
      case _ where isOutOfTime: .outOfTime
      case .exited(let status): .exited(status)
      case .killed(let signal): isInterrupted ? nil : .killed(signal: signal)
      }
    onEnd(ending)
  }

  private func forget() {
    if let watch { loop.unwatch(watch) }
    watch = nil
    if let timer { loop.cancel(timer) }
    timer = nil
  }
}
