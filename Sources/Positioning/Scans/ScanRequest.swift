import WireFormats

/// A request to the scan helper: one passive scan. It has a fixed size and stays within one machine, so that the privileged process
/// parses as little as possible.
package struct ScanRequest: Hashable, Sendable {
  /// The interface's number and the number of frequencies, 32 bits each; then room for the greatest number of frequencies.
  package static let size = 8 + 4 * NetlinkRequest.maximumFrequencies
  /// Bytes of the answer: `errno`, 0 if the scan has begun.
  package static let answerSize = 4

  /// Frequencies that Wi-Fi has, MHz: from TV white space to 71 GHz.
  private static let possibleFrequencies: ClosedRange<UInt32> = 400...71_000

  package let interface: UInt32
  /// MHz; empty: all channels.
  package let frequencies: [UInt32]

  /// `nil` for a request that no helper accepts: an impossible interface, too many frequencies, or impossible ones.
  package init?(interface: UInt32, frequencies: [UInt32]) {
    guard (1...UInt32(Int32.max)).contains(interface), frequencies.count <= NetlinkRequest.maximumFrequencies,
      frequencies.allSatisfy(Self.possibleFrequencies.contains)
    else { return nil }
    self.interface = interface
    self.frequencies = frequencies
  }

  /// `nil` for another number of bytes, and for a request that no helper accepts.
  package init?(_ bytes: Span<UInt8>) {
    guard bytes.count == Self.size else { return nil }
    func number(_ place: Int) -> UInt32 { LittleEndian.number(bytes, at: 4 * place, size: 4) }
    let count = Int(number(1))
    guard count <= NetlinkRequest.maximumFrequencies else { return nil }
    for place in 2 + count..<2 + NetlinkRequest.maximumFrequencies where number(place) != 0 { return nil }
    var frequencies: [UInt32] = []
    for place in 0..<count { frequencies.append(number(2 + place)) }
    self.init(interface: number(0), frequencies: frequencies)
  }

  package var bytes: [UInt8] {
    let numbers = [interface, UInt32(frequencies.count)] + frequencies
    let bytes = numbers.flatMap { LittleEndian.bytes($0) }
    return bytes + [UInt8](repeating: 0, count: Self.size - bytes.count)
  }

  /// The answer's bytes.
  package static func answer(errno: Int32) -> [UInt8] { LittleEndian.bytes(errno) }

  /// `errno` of an answer; `nil` if the answer is invalid.
  package static func errno(_ answer: Span<UInt8>) -> Int32? {
    guard answer.count == answerSize else { return nil }
    let value = LittleEndian.number(answer, at: 0, size: answerSize)
    return value <= 4095 ? Int32(value) : nil
  }
}

/// How often a radio scans on its own at most, if no other program has it scan.
package struct ScanPolicy: Hashable, Sendable {
  /// The period in any case, because a client requires the position; `nil`: scans by other programs suffice.
  package var period: Duration?
  /// The period while the radio is on no network, so that the scan disturbs no connection; `nil` likewise.
  package var idlePeriod: Duration?

  package init(period: Duration? = nil, idlePeriod: Duration? = nil) {
    (self.period, self.idlePeriod) = (period, idlePeriod)
  }
}
