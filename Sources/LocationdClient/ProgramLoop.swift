import Geodesy
package import LinuxIO

/// The loop of a program, and what it hears of its terminal, its reader and its signals beside the service.
package final class ProgramLoop {
  package let loop: EventLoop
  private var outputWatch: WatchID?

  /// - Parameter ownsProcess: whether what signals do is this program's to say, and not that of the program around it.
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

  /// Calls `body` when what is on the terminal is not what was drawn there any more: its size has changed (`true`), or this
  /// process was stopped meanwhile (`false`). A system that cannot tell leaves the picture as it is.
  func onTerminalChange(_ body: @escaping (_ isResized: Bool) -> Void) {
    try? loop.watchSignals([SignalNumber.windowChanged, SignalNumber.continued]) {
      body($0 == SignalNumber.windowChanged)
    }
  }

  /// Calls `body` when whoever reads standard output has gone, also while nothing is written. A file has no reader.
  func onOutputClosed(_ body: @escaping () -> Void) {
    guard outputWatch == nil else { return }
    outputWatch = try? loop.watch(1, for: []) { [unowned self] readiness in
      guard readiness.hangUp || readiness.error, let watch = outputWatch else { return }
      loop.unwatch(watch)
      body()
    }
  }
}
