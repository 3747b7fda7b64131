import WireFormats

/// Finds the polls among the bytes that the driver writes. A poll has no payload, so each is one fixed string of eight
/// bytes: this looks for those and knows nothing of framing.
struct PollListener: Sendable {
  /// What can be asked.
  enum Poll: CaseIterable, Sendable {
    /// UBX-MON-VER (0x0A 0x04).
    case version
    /// UBX-SEC-UNIQID (0x27 0x03).
    case uniqueID
    /// UBX-NAV-PVT (0x01 0x07).
    case pvt

    fileprivate var frame: [UInt8] {
      switch self {
      case .version: UBXFrame.poll(.monVER)
      case .uniqueID: UBXFrame.poll(.secUNIQID)
      case .pvt: UBXFrame.poll(.navPVT)
      }
    }
  }

  private static let frames = Poll.allCases.map { (poll: $0, frame: $0.frame) }
  /// The last bytes heard, as many as a poll has.
  private var tail: [UInt8] = []

  /// The polls that end in `bytes`, in their order.
  mutating func hear(_ bytes: [UInt8]) -> [Poll] {
    var polls: [Poll] = []
    for byte in bytes {
      tail.append(byte)
      if tail.count > 8 { tail.removeFirst() }
      for (poll, frame) in Self.frames where tail == frame { polls.append(poll) }
    }
    return polls
  }
}
