package import Geodesy
package import LocationIPC

/// A program's way to the service, whether that is hosted inside it or is another process: what it asks goes out, what it is
/// told comes in, all on the thread that calls `run`.
package protocol ServiceAccess: AnyObject {
  /// Hears what the service tells; set before `run`.
  var onEvent: ((ServiceEvent) -> Void)? { get set }
  /// Hears SIGINT and SIGTERM; set before `run`.
  var onSignal: ((Int32) -> Void)? { get set }
  /// Path of the one receiver that requests are about, as the service calls it; `nil`: any.
  var device: String? { get }
  /// What else goes on in the program.
  var surroundings: ProgramLoop { get }

  /// Sends a request; answers come as events, from within `run` or from within this call.
  func send(_ request: ClientRequest)
  /// Serves until `stop`; throws what ended it before.
  func run() throws(HostError)
  /// Ends `run` in good order; at once where it is called again.
  func stop()
}

extension ServiceAccess {
  /// The present of the program's clock.
  package var now: Instant { surroundings.now }

  /// Calls `body` once, after that long.
  package func setTimer(after delay: Duration, _ body: @escaping () -> Void) {
    surroundings.setTimer(after: delay, body)
  }

  /// Calls `body` when what is on the terminal is not what was drawn there any more.
  package func onTerminalChange(_ body: @escaping (_ isResized: Bool) -> Void) { surroundings.onTerminalChange(body) }

  /// Calls `body` when whoever reads standard output has gone, also while nothing is written. A file has no reader.
  package func onOutputClosed(_ body: @escaping () -> Void) { surroundings.onOutputClosed(body) }
}
