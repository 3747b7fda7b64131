import Geodesy
import LinuxIO
import LocationPolicy

/// Shows one notification on a user's desktop, by notify-send(1).
final class NotificationProcess {
  /// D-Bus waits 25 s for a notification service that it has to start; a region crossing is out of date by then.
  private static let patience: Duration = .seconds(10)

  private let loop: EventLoop
  private let process: ChildProcess
  private var watch: WatchID?
  private var timer: TimerID?
  private let onEnd: (NotificationProblem?) -> Void

  /// - Parameter onEnd: called once, with `nil` if the notification was shown.
  init(
    loop: EventLoop, _ notice: DesktopNotification, in surroundings: AgentEnvironment,
    onEnd: @escaping (NotificationProblem?) -> Void
  ) throws(NotificationProblem) {
    self.loop = loop
    self.onEnd = onEnd
    guard let bus = SessionBus.address(ofUser: surroundings.userID) else { throw .noDesktop }
    // After `--`, no text can be mistaken for an option.
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
