import Geodesy
import LocationIPC
import LocationdClient
import LocationdServer

extension EmbeddedHost {
  /// Sends a request and serves until `act`, which is called ten times per second with the received events (without progress),
  /// returns `false`. A host for which that never happens is stopped after `turns`: a guard against hanging, not a measurement.
  func serve(
    _ request: ClientRequest, atMost turns: Int,
    _ act: @escaping (_ received: [ServiceEvent], _ turn: Int) throws -> Bool,
    onUpdate: @escaping (PositionFix) -> Void = { _ in }
  ) throws -> [ServiceEvent] {
    var received: [ServiceEvent] = []
    var turn = 0
    var failure: (any Error)?
    onEvent = { event in
      if case .progress = event { return }
      received.append(event)
      if case .update(_, let fix, _) = event { onUpdate(fix) }
    }
    func step() {
      do {
        turn += 1
        guard try act(received, turn), turn < turns else { return stop() }
        setTimer(after: .milliseconds(100), step)
      } catch {
        failure = error
        stop()
      }
    }
    send(request)
    setTimer(after: .zero, step)
    try run()
    if let failure { throw failure }
    return received
  }
}

/// The fixes among the received events.
func updates(_ events: [ServiceEvent]) -> [PositionFix] {
  events.compactMap { if case .update(_, let fix, _) = $0 { fix } else { nil } }
}
