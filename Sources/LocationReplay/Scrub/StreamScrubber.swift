import WireFormats

/// Scrubs the output of one receiver, split into chunks anywhere: outputs as many bytes as it receives, in the same
/// order, each as soon as it is known whether it belongs to a frame.
///
/// Finds frames by the rules of `WireDecoder`, so that both agree on what is a frame. Bytes outside of frames are
/// blanked, because they may be part of one; the number of false frame starts stays the same.
package struct StreamScrubber: Sendable {
  /// Bytes of an incomplete frame.
  private var pending: [UInt8] = []
  private var credit = WireDecoder.maximumChecksumCredit
  /// The offset in `pending` up to which the header of a damaged frame extends, and that up to which the damaged frame
  /// extends.
  private var headEnd = 0
  private var damageEnd = 0

  /// A scrubber without any input yet.
  package init() {}

  /// The number of bytes received but not yet output.
  package var pendingByteCount: Int { pending.count }

  /// Receives the next bytes; returns those that are scrubbed.
  package mutating func push(_ bytes: Span<UInt8>, _ anonymization: inout Anonymization) -> [UInt8] {
    pending.reserveCapacity(pending.count + bytes.count)
    for index in bytes.indices { pending.append(bytes[index]) }
    var output: [UInt8] = []
    output.reserveCapacity(pending.count)
    scan(&output, &anonymization)
    return output
  }

  /// Ends the input: the frame that the pending bytes begin will not be completed. Returns the rest.
  package mutating func finish(_ anonymization: inout Anonymization) -> [UInt8] {
    var output: [UInt8] = []
    while !pending.isEmpty {
      noise(at: 0, &output, &anonymization)
      consume(1)
      scan(&output, &anonymization)
    }
    return output
  }

  // MARK: -

  /// What was found at a position.
  private enum Found {
    /// A frame or a line, which has been output, ends here.
    case upTo(Int)
    case incomplete
    case nothing
  }

  private mutating func scan(_ output: inout [UInt8], _ anonymization: inout Anonymization) {
    var position = 0
    scanning: while position < pending.count {
      let found =
        switch pending[position] {
        case UInt8(ascii: "$"), UInt8(ascii: "!"): line(at: position, &output, &anonymization)
        case 0xB5: ubx(at: position, &output, &anonymization)
        case 0xD3: rtcm(at: position, &output, &anonymization)
        default: Found.nothing
        }
      var next = position + 1
      switch found {
      case .incomplete: break scanning
      case .nothing: noise(at: position, &output, &anonymization)
      case .upTo(let end): next = end
      }
      credit = min(WireDecoder.maximumChecksumCredit, credit + (next - position) * WireDecoder.creditPerByte)
      position = next
    }
    consume(position)
  }

  private mutating func consume(_ count: Int) {
    pending.removeSubrange(0..<count)
    headEnd = max(0, headEnd - count)
    damageEnd = max(0, damageEnd - count)
  }

  private mutating func line(at start: Int, _ output: inout [UInt8], _ anonymization: inout Anonymization) -> Found {
    let limit = min(pending.count, start + WireDecoder.maximumLine)
    var place = start + 1
    var sum: UInt8 = 0
    while place < limit {
      let byte = pending[place]
      if byte == UInt8(ascii: "*") { return sentence(from: start, star: place, sum, &output, &anonymization) }
      guard byte >= 0x20, byte < 0x7F, byte != UInt8(ascii: "$"), byte != UInt8(ascii: "!") else {
        return broken(from: start, upTo: place, &output, &anonymization)
      }
      sum ^= byte
      place += 1
    }
    return limit < pending.count || pending.count - start >= WireDecoder.maximumLine
      ? broken(from: start, upTo: place, &output, &anonymization) : .incomplete
  }

  private mutating func sentence(
    from start: Int, star: Int, _ sum: UInt8, _ output: inout [UInt8], _ anonymization: inout Anonymization
  ) -> Found {
    guard star + 2 < pending.count else {
      guard star + 1 < pending.count, Self.hexValue(pending[star + 1]) == nil else { return .incomplete }
      return broken(from: start, upTo: star + 1, &output, &anonymization)
    }
    guard let high = Self.hexValue(pending[star + 1]), let low = Self.hexValue(pending[star + 2]),
      high << 4 | low == sum
    else { return broken(from: start, upTo: star + 1, &output, &anonymization) }
    output += SentenceScrubber.scrub(Array(pending[start...(star + 2)]), &anonymization)
    return .upTo(star + 3)
  }

  /// A line that is not a valid sentence: keeps its address, which shows what was damaged.
  private mutating func broken(
    from start: Int, upTo end: Int, _ output: inout [UInt8], _ anonymization: inout Anonymization
  ) -> Found {
    let begin = output.count
    for place in start..<end { noise(at: place, &output, &anonymization) }
    let address = pending[(start + 1)..<end].prefix { (0x41...0x5A).contains($0) }
    if start >= damageEnd, (4...6).contains(address.count), address.endIndex < end,
      pending[address.endIndex] == UInt8(ascii: ",")
    {
      output.replaceSubrange((begin + 1)..<(begin + 1 + address.count), with: address)
    }
    // Two digits after a star become "00", which must not become the correct checksum.
    if output.last == UInt8(ascii: "*"), pending[end...].prefix(2).filter({ (0x30...0x39).contains($0) }).count == 2,
      output[(begin + 1)..<(output.count - 1)].reduce(0, ^) == 0
    {
      let place = output[(begin + 1)...].lastIndex { $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: "X") }
      if let place { output[place] ^= 1 } else { output[output.count - 1] = 0 }
    }
    return .upTo(end)
  }

  /// B5 62, class, identifier, length, payload, checksum.
  private mutating func ubx(at start: Int, _ output: inout [UInt8], _ anonymization: inout Anonymization) -> Found {
    let left = pending.count - start
    guard left > 1 else { return .incomplete }
    guard pending[start + 1] == 0x62 else { return .nothing }
    guard left >= 6 else { return .incomplete }
    let length = Int(pending[start + 4]) | Int(pending[start + 5]) << 8
    guard length + 8 <= WireDecoder.maximumFrame, length <= credit else { return .nothing }
    guard left >= length + 8 else { return .incomplete }
    let end = start + 6 + length
    var sum = FletcherChecksum()
    for place in (start + 2)..<end { sum.add(pending[place]) }
    guard pending[end] == sum.a, pending[end + 1] == sum.b else {
      credit -= length
      damaged(from: start, head: 6, upTo: end + 2)
      maskHead(at: start)
      return .nothing
    }
    output += FrameScrubber.scrub(Array(pending[start..<(end + 2)]), &anonymization)
    return .upTo(end + 2)
  }

  /// D3, six zero bits, ten bits of length, message, CRC.
  private mutating func rtcm(at start: Int, _ output: inout [UInt8], _ anonymization: inout Anonymization) -> Found {
    let left = pending.count - start
    guard left > 1 else { return .incomplete }
    guard pending[start + 1] & 0xFC == 0 else { return .nothing }
    guard left > 2 else { return .incomplete }
    let end = start + 3 + (Int(pending[start + 1]) << 8 | Int(pending[start + 2]))
    guard pending.count >= end + 3 else { return .incomplete }
    var crc = CRC24Q()
    for place in start..<end { crc.add(pending[place]) }
    guard crc.value == pending[end..<(end + 3)].reduce(0, { $0 << 8 | UInt32($1) }) else {
      damaged(from: start, head: 3, upTo: end + 3)
      return .nothing
    }
    output += CorrectionScrubber.scrub(Array(pending[start..<(end + 3)]), &anonymization)
    return .upTo(end + 3)
  }

  /// A frame with a wrong checksum: keeps its header, so that a decoder searches equally far for its end.
  private mutating func damaged(from start: Int, head: Int, upTo end: Int) {
    headEnd = max(headEnd, start + head)
    damageEnd = max(damageEnd, end)
  }

  /// Keeps the class and identifier of a damaged frame only if receivers send that message; otherwise they are
  /// replaced, because the bytes that look like a header could be any data.
  private mutating func maskHead(at start: Int) {
    let isKnown = pending[start + 2] == 0x01 && pending[start + 3] < 0x62
    if !isKnown { (pending[start + 2], pending[start + 3]) = (0x01, 0x00) }
    // The content of a damaged frame becomes zeros, and so does its checksum, which would be correct for a header whose
    // sum is zero.
    let sum = pending[(start + 2)..<(start + 6)].reduce(UInt8(0)) { $0 &+ $1 }
    if sum == 0 { pending[start + 3] ^= 1 }
  }

  private mutating func noise(at place: Int, _ output: inout [UInt8], _ anonymization: inout Anonymization) {
    let byte = pending[place]
    let kept =
      place < headEnd ? byte : place < damageEnd ? Blank.binary(byte) : Blank.noise(byte)
    if kept != byte { anonymization.tally.bytesBlanked += 1 }
    output.append(kept)
  }

  private static func hexValue(_ digit: UInt8) -> UInt8? {
    switch digit {
    case 0x30...0x39: digit - 0x30
    case 0x41...0x46: digit - 0x37
    case 0x61...0x66: digit - 0x57
    default: nil
    }
  }
}
