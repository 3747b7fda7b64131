/// Learns which message a receiver sends last in an epoch, so that the epoch can be closed with it instead of with the
/// first message of the next one, a whole period later.
struct CycleEnd: Sendable {
  /// A message as far as it can be told apart from the others of its epoch.
  struct Signature: Hashable, Sendable {
    /// Message type: NMEA formatter or UBX class and identifier.
    var type: UInt32
    /// What tells several of one type apart: talker, system and signal identifier.
    var detail: UInt32
    /// How often this type and detail had come in this epoch.
    var occurrence: UInt16
  }

  private var learnt: Signature?
  private var candidate: Signature?
  private var timesSeen = 0

  /// Epochs in a row that must end alike.
  static let epochsToLearn = 2

  /// An epoch was closed by a silence or by the next one, and this was its last message.
  mutating func epochEnded(with last: Signature) {
    guard last != learnt else { return }
    if last == candidate {
      timesSeen += 1
    } else {
      candidate = last
      timesSeen = 1
    }
    learnt = timesSeen >= Self.epochsToLearn ? last : nil
  }

  /// Whether this message ends its epoch, by what has been learnt.
  func isEnd(_ message: Signature) -> Bool { message == learnt }

  /// A message came after the learnt end: the receiver's habits have changed.
  mutating func wasWrong() {
    learnt = nil
    candidate = nil
    timesSeen = 0
  }
}
