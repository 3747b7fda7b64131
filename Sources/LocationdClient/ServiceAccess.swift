package import Geodesy
package import LocationIPC

/// A program's access to the service, hosted inside the program or in another process: requests go out and events come in, all on
/// the thread that calls `run`.
package protocol ServiceAccess: AnyObject {
  /// Called with each event of the service; set before `run`.
  var onEvent: ((ServiceEvent) -> Void)? { get set }
  /// Called with SIGINT, SIGTERM and SIGHUP; set before `run`.
  var onSignal: ((Int32) -> Void)? { get set }
  /// Path of the one receiver that requests concern, as the service names it; `nil`: any receiver.
  var device: String? { get }
  /// The program's event loop, terminal and signals.
  var surroundings: ProgramLoop { get }

  /// Sends a request; answers arrive as events, from within `run` or from within this call.
  func send(_ request: ClientRequest)
  /// Runs until `stop`; throws the error that ended it earlier.
  func run() throws(HostError)
  /// Ends `run` in an orderly way; a second call ends it at once.
  func stop()
}

extension ServiceAccess {
  /// The monotonic time of the event loop's current turn.
  package var now: Instant { surroundings.now }

  /// Calls `body` once, after `delay`.
  package func setTimer(after delay: Duration, _ body: @escaping () -> Void) {
    surroundings.setTimer(after: delay, body)
  }

  /// Calls `body` when the terminal may no longer show what was drawn there: its size has changed (`true`), or this
  /// process continues after it was stopped (`false`).
  package func onTerminalChange(_ body: @escaping (_ isResized: Bool) -> Void) { surroundings.onTerminalChange(body) }

  /// Calls `body` before this process is stopped from the terminal (Ctrl-Z).
  package func onSuspend(_ body: @escaping () -> Void) { surroundings.onSuspend(body) }

  /// Calls `body` once, when the reader of standard output has closed it, even while nothing is written. If standard
  /// output is a file, which has no reader, `body` is never called.
  package func onOutputClosed(_ body: @escaping () -> Void) { surroundings.onOutputClosed(body) }
}
