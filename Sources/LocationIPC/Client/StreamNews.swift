package import Geodesy

/// What the followers of a shared stream are told.
package enum StreamNews: Hashable, Sendable {
  case fix(PositionFix, age: Duration)
  /// One from before, for those who have heard of none.
  case known(PositionFix)
  /// No valid fix any more.
  case lost
  case back
  /// It would serve nobody, and rests while the process is in the background.
  case paused
  case unpaused
  /// No source is there.
  case waiting
  /// The stream is over.
  case failed(LocationFailure)
  case serviceEnded

  /// The fix that it is about.
  package var position: PositionFix? {
    switch self {
    case .fix(let fix, _), .known(let fix): fix
    case .lost, .back, .paused, .unpaused, .waiting, .failed, .serviceEnded: nil
    }
  }

  /// The same to a manager that calls the stream `request`.
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
