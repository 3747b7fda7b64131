/// What was to give a position.
package enum Subject: Hashable, Sendable {
  /// Whatever receiver is there.
  case automatic
  /// The port at this path.
  case port(String)
  /// The gpsd that was named.
  case gpsd
  /// A recording: nothing of this machine matters.
  case recording
  /// A simulated receiver: nothing of this machine's ports matters.
  case simulator
}
