/// What the bytes at one speed look like: counts of all of them, and the first few thousand.
struct ByteSample: Sendable {
  /// Kept for a closer look.
  static let maximumKept = 4096
  /// Fewer bytes than this say nothing.
  static let fewest = 32

  private var kept: [UInt8] = []
  private(set) var count = 0
  private var zeros = 0
  private var printable = 0
  private var lines = 0

  mutating func take(_ bytes: Span<UInt8>) {
    count += bytes.count
    for index in bytes.indices {
      let byte = bytes[index]
      switch byte {
      case 0: zeros += 1
      case 0x0A:
        printable += 1
        lines += 1
      case 0x20...0x7E, 0x09, 0x0D: printable += 1
      default: break
      }
      if kept.count < Self.maximumKept { kept.append(byte) }
    }
  }

  /// How much it says: of several speeds the most telling counts.
  var look: BytesLook {
    guard count > 0 else { return .nothing }
    if let other = ForeignProtocol.recognize(kept) { return .other(other) }
    if zeros * 10 >= count * 9 { return .zeros }
    if count >= Self.fewest, printable * 100 >= count * 97, lines > 0 { return .text }
    return .noise
  }
}

extension BytesLook {
  /// Of what was heard at several speeds, what says more.
  func orMoreTelling(_ other: BytesLook) -> BytesLook { other.weight > weight ? other : self }

  private var weight: Int {
    switch self {
    case .nothing: 0
    case .zeros: 1
    case .noise: 2
    case .text: 3
    case .other: 4
    }
  }
}
