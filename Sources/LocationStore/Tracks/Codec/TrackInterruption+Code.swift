import Geodesy

/// The numbers that interruptions have in files; they never change.
extension TrackInterruption {
  var code: Int64 {
    switch self {
    case .started: 1
    case .resumed: 2
    case .gap: 3
    case .paused: 4
    }
  }

  init?(code: Int64) {
    guard let interruption = Self.allCases.first(where: { $0.code == code }) else { return nil }
    self = interruption
  }
}
