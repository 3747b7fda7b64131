import Geodesy
import LinuxIO
import LocationPolicy
import LocationStore

/// One run of a user's command, from start to end. A time limit guarantees that it ends.
final class CommandRun {
  /// A command that is stopped has this long to clean up.
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

  /// - Parameter onEnd: called once with how the command ended, or with `nil` if it was interrupted and did not
  ///   complete.
  init(
    loop: EventLoop, _ order: LaunchCommand, _ command: SavedCommand, in surroundings: AgentEnvironment,
    onEnd: @escaping (LaunchEnding?) -> Void
  ) throws(SystemError) {
    self.loop = loop
    self.onEnd = onEnd
    token = order.token
    // The event is passed in variables, never in the text, because the shell interprets the text.
    process = try SessionProcess(
      Self.shell, ["-c", command.text],
      environment: surroundings.variables + order.variables.map { "\($0.name)=\($0.value)" },
      folder: surroundings.home, input: order.input)
    watch = try loop.watch(process.descriptor) { [unowned self] _ in end() }
    let budget: Duration = .seconds(command.budgetSeconds)
    // The clock is read directly, because the loop's `now` does not advance while requests are read.
    timer = loop.schedule(at: MonotonicClock.now() + budget) { [unowned self] in
      isOutOfTime = true
      stop()
    }
  }

  deinit { forget() }

  /// Stops the command before it has completed.
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
