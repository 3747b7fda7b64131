import Geodesy
import LinuxIO
import Photographs

/// How a camera's time becomes UTC.
struct CameraClock {
  /// The zone that a camera's clock is in where the photograph does not say.
  enum Zone: Hashable, Sendable {
    /// That of this process.
    case local
    /// So far ahead of UTC.
    case fixed(Duration)
  }
  let zone: Zone
  /// What is added to the camera's time, as it was wrong.
  let shift: Duration

  /// When a photograph was taken; `nil` where the zone's rules cannot tell.
  func utc(of time: PhotographTime) -> GNSSTime? {
    if let offset = time.offset { return time.clock + (.zero - offset) + shift }
    switch zone {
    case .fixed(let offset): return time.clock + (.zero - offset) + shift
    case .local: return LocalTime.utc(of: time.clock).map { $0 + shift }
    }
  }
}
