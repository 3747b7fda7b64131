import Geodesy
import LinuxIO
import LocationPolicy

/// One notification on its way to a person's desktop, by notify-send(1).
final class NoticeRun {
  /// A bus that starts whoever shows notifications waits 25 s for that; a border that was crossed is old news by then.
  private static let patience: Duration = .seconds(10)

  private let loop: EventLoop
  private let process: ChildProcess
  private var watch: WatchID?
  private var timer: TimerID?
  private let onEnd: (NoticeProblem?) -> Void

  /// - Parameter onEnd: called once; `nil`: it is shown.
  init(
    loop: EventLoop, _ notice: LaunchNotice, in surroundings: AgentSurroundings,
    onEnd: @escaping (NoticeProblem?) -> Void
  ) throws(NoticeProblem) {
    self.loop = loop
    self.onEnd = onEnd
    guard let bus = SessionBus.address(ofUser: surroundings.userID) else { throw .noDesktop }
    // Nothing of the texts is ever an option.
    let arguments = [
      "--app-name=locationd", "--icon=find-location-symbolic", "--", notice.title,
      NotificationMarkup.escaped(notice.body),
    ]
    do throws(SystemError) {
      process = try ChildProcess(
        "notify-send", arguments, environment: surroundings.variables + ["DBUS_SESSION_BUS_ADDRESS=\(bus)"])
      watch = try loop.watch(process.descriptor) { [unowned self] _ in end() }
    } catch {
      throw error.isAbsence ? .noProgram : .failed
    }
    timer = loop.schedule(at: MonotonicClock.now() + Self.patience) { [unowned self] in
      process.send(SignalNumber.kill)
    }
  }

  deinit { forget() }

  private func end() {
    forget()
    onEnd(process.finish().ending == .exited(0) ? nil : .failed)
  }

  private func forget() {
    if let watch { loop.unwatch(watch) }
    watch = nil
    if let timer { loop.cancel(timer) }
    timer = nil
  }
}
