package import Geodesy

/// An event for the followers of a shared stream.
package enum StreamNews: Hashable, Sendable {
  case fix(PositionFix, age: Duration)
  /// An earlier fix, for followers that have received none.
  case known(PositionFix)
  /// There is no valid fix any more.
  case lost
  case back
  /// The stream is paused while the process is in the background, because it would not benefit.
  case paused
  case unpaused
  /// There is no source.
  case waiting
  /// The stream has ended.
  case failed(LocationFailure)
  case serviceEnded

  /// The fix of the event.
  package var position: PositionFix? {
    switch self {
    case .fix(let fix, _), .known(let fix): fix
    case .lost, .back, .paused, .unpaused, .waiting, .failed, .serviceEnded: nil
    }
  }

  /// The same for a manager that calls the stream `request`.
  package func input(for request: RequestID) -> ManagerMachine.Input {
    switch self {
    case .fix(let fix, let age): .event(.update(request, fix, age: age))
    case .known(let fix): .known(fix)
    case .lost: .event(.streamChanged(request, .lost))
    case .back: .event(.streamChanged(request, .back))
    case .paused: .event(.streamChanged(request, .paused))
    case .unpaused: .event(.streamChanged(request, .unpaused))
    case .waiting: .event(.progress(request, .waitingForSource))
    case .failed(let failure): .event(.failed(request, failure))
    case .serviceEnded: .serviceEnded
    }
  }
}
