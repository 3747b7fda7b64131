import Geodesy
import LinuxIO
import TrackFormats

/// Converts a camera's time to UTC.
struct CameraClock {
  /// The time zone of a camera's clock if the photograph does not name one.
  enum Zone: Hashable, Sendable {
    /// The time zone of this process.
    case local
    /// A fixed offset; positive is ahead of UTC.
    case fixed(Duration)
  }
  let zone: Zone
  /// The correction of the camera's clock, added to its time.
  let shift: Duration

  /// The time at which a photograph was taken; `nil` if the time zone's rules do not determine it.
  func utc(of time: PhotographTime) -> GNSSTime? {
    if let offset = time.offset { return time.clock + (.zero - offset) + shift }
    switch zone {
    case .fixed(let offset): return time.clock + (.zero - offset) + shift
    case .local: return LocalTime.utc(of: time.clock).map { $0 + shift }
    }
  }
}
