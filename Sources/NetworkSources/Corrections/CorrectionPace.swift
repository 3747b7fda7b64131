/// Decides when the frames of a recorded stream are played, by the times in them.
package struct CorrectionPace: Sendable {
  /// A longer gap in the recording is played as a pause of this length.
  package static let longestPause: Duration = .seconds(10)
  private static let millisecondsPerWeek: Int64 = 604_800_000

  private var last: Int64?

  package init() {}

  /// How long to wait after the previous frame before this one is played. A frame without a time follows at once.
  package mutating func pause(before frame: RTCMFrame) -> Duration {
    guard let time = Self.timeOfWeek(frame) else { return .zero }
    defer { last = time }
    guard let last else { return .zero }
    // The week may end between the two frames.
    let step = (time - last + Self.millisecondsPerWeek) % Self.millisecondsPerWeek
    // A step of more than half a week is a step back.
    guard step < Self.millisecondsPerWeek / 2 else { return .zero }
    return min(Self.longestPause, .milliseconds(step))
  }

  /// The time of week in GPS, Galileo, QZSS and SBAS observations (DF004, DF248, DF428), milliseconds. Those of GLONASS and BeiDou have
  /// other scales, and are sent together with these.
  private static func timeOfWeek(_ frame: RTCMFrame) -> Int64? {
    guard let number = frame.messageNumber else { return nil }
    switch number {
    case 1001...1004, 1071...1077, 1091...1097, 1101...1107, 1111...1117: break
    default: return nil
    }
    guard let time = frame.bits(at: 24, count: 30), time < UInt64(millisecondsPerWeek) else { return nil }
    return Int64(time)
  }
}
