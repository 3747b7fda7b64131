import Geodesy

/// Notices that a receiver has stopped talking though its port shows no error, and when to open the port anew: flaky USB
/// adapters fall silent without one.
struct SilenceWatch: Sendable {
  /// Silence after which fixes are called lost: three periods, at least this.
  static let shortestSilence: Duration = .seconds(3)
  /// Further silence after which the port is opened anew.
  static let timeToReopen: Duration = .seconds(7)

  private(set) var isSilent = false
  private(set) var deadline: Instant

  /// A watch that has just heard a valid frame.
  init(at now: Instant) { deadline = now + Self.shortestSilence }

  /// What is to be done.
  enum Verdict { case nothing, fellSilent, reopen }

  /// A valid frame came; `period`: how far apart epochs are. `true`: after a silence.
  mutating func heard(period: Duration, at now: Instant) -> Bool {
    deadline = now + max(Self.shortestSilence, period * 3)
    defer { isSilent = false }
    return isSilent
  }

  /// The deadline may have passed.
  mutating func verdict(at now: Instant) -> Verdict {
    guard now >= deadline else { return .nothing }
    deadline = now + Self.timeToReopen
    guard !isSilent else { return .reopen }
    isSilent = true
    return .fellSilent
  }
}
