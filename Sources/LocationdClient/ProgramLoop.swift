import Geodesy
package import LinuxIO

/// The event loop of a program; also reports signals, changes of the terminal, and the end of the reader of standard
/// output.
package final class ProgramLoop {
  package let loop: EventLoop
  private var outputWatch: WatchID?

  /// - Parameter ownsProcess: `true` if this program decides how signals are handled; `false` if a host program does.
  package init(ownsProcess: Bool = true) throws(HostError) {
    do throws(SystemError) {
      loop = try EventLoop(ownsProcess: ownsProcess)
    } catch {
      throw HostError(error)
    }
  }

  /// Calls `body` with SIGINT, SIGTERM and SIGHUP.
  package func onSignal(_ body: @escaping (Int32) -> Void) throws(HostError) {
    do throws(SystemError) {
      try loop.watchSignals([SignalNumber.interrupt, SignalNumber.terminate, SignalNumber.hangUp], body)
    } catch {
      throw HostError(error)
    }
  }

  var now: Instant { loop.now }

  func setTimer(after delay: Duration, _ body: @escaping () -> Void) {
    loop.schedule(at: MonotonicClock.now() + delay, body)
  }

  /// Calls `body` when the terminal may no longer show what was drawn there: its size has changed (`true`), or this
  /// process continues after it was stopped (`false`). If these signals cannot be watched, `body` is never called and
  /// nothing is redrawn.
  func onTerminalChange(_ body: @escaping (_ isResized: Bool) -> Void) {
    try? loop.watchSignals([SignalNumber.windowChanged, SignalNumber.continued]) {
      body($0 == SignalNumber.windowChanged)
    }
  }

  /// Calls `body` when the user stops this process from the terminal (Ctrl-Z), and then stops the process. `body`
  /// restores the terminal. If the signal cannot be watched, the process stops without a call of `body`.
  func onSuspend(_ body: @escaping () -> Void) {
    try? loop.watchSignals([SignalNumber.suspended]) { _ in
      body()
      ProcessStop.stop()
    }
  }

  /// Calls `body` once, when the reader of standard output has closed it, even while nothing is written. If standard
  /// output is a file, which has no reader, `body` is never called.
  func onOutputClosed(_ body: @escaping () -> Void) {
    guard outputWatch == nil else { return }
    outputWatch = try? loop.watch(1, for: []) { [unowned self] readiness in
      guard readiness.hangUp || readiness.error, let watch = outputWatch else { return }
      loop.unwatch(watch)
      body()
    }
  }
}
