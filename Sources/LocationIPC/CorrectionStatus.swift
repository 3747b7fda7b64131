/// The state of the corrections for RTK. It contains no account and no position.
package struct CorrectionStatus: Hashable, Sendable {
  package enum State: UInt8, Hashable, Sendable, CaseIterable {
    /// No receiver that is open can use corrections.
    case idle = 0
    /// The caster needs the position of this machine, which is unknown.
    case waitingForPosition = 1
    case connecting = 2
    /// Connected; no corrections yet.
    case waiting = 3
    case streaming = 4
    /// Tried again later.
    case pausing = 5
    /// Not tried again with this configuration.
    case stopped = 6

    /// As in the JSON output.
    package var name: String { "\(self)" }
  }

  /// Why there are no corrections, as far as that matters for the advice.
  package enum Problem: UInt8, Hashable, Sendable, CaseIterable {
    /// The file is absent, open to others, or not valid.
    case badFile = 0
    case unreachable = 1
    /// The account is refused.
    case refused = 2
    case wrongMount = 3
    /// The caster accepts no more connections for now.
    case banned = 4
    case silent = 5
    /// What comes is no RTCM 3, or no answer of a caster.
    case noCorrections = 6
    /// The station is too far away.
    case tooFar = 7

    /// As in the JSON output.
    package var name: String { "\(self)" }
  }

  /// The name of the source in the configuration.
  package var name: String
  package var state: State
  package var problem: Problem?
  /// The problem as a sentence that begins with "The caster" or "The file".
  package var sentence: String?
  /// Time since the last observations.
  package var age: Duration?
  /// What was passed to receivers.
  package var bytes: UInt64 = 0
  package var frames: UInt64 = 0
  /// The number of the reference station.
  package var station: Int?
  /// The receivers that get the corrections.
  package var receivers = 0

  package init(name: String, state: State) {
    self.name = name
    self.state = state
  }

  /// Older corrections are of no use.
  package static let longestAge: Duration = .seconds(30)
}
