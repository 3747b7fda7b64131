/// Extracts the data from a chunked body (RFC 9112, 7.1), which may be divided into any pieces. Keeps no data, and
/// trusts no length: a chunk may be endless.
package struct ChunkReader: Sendable {
  /// Why a body is not validly chunked.
  package enum Failure: Error, Hashable, Sendable {
    /// A length that is missing, not hexadecimal, or 2³¹ or more.
    case badLength
    /// The data is longer than the stated length.
    case missingEnd
    /// An extension or the trailer is longer than `longestExtension`.
    case tooLong
  }

  /// The greatest length of a chunk, bytes.
  package static let longestChunk = 0x7FFF_FFFF
  /// The longest extension of one chunk, and the longest trailer, bytes.
  package static let longestExtension = 1024

  private enum State: Hashable {
    case length(Int, digits: Int)
    /// After the digits, to the end of the line.
    case skipping(length: Int, skipped: Int)
    case data(left: Int)
    case endOfData(hasReturn: Bool)
    case trailer(length: Int, isLineEmpty: Bool)
    case ended
  }

  private var state = State.length(0, digits: 0)

  package init() {}

  /// Whether the last chunk, which is empty, and the trailer have arrived. Further bytes are ignored.
  package var isEnded: Bool { state == .ended }

  /// Reads the next bytes, and calls `body` with the ranges of them that are data.
  package mutating func push(_ bytes: Span<UInt8>, _ body: (Range<Int>) -> Void) throws(Failure) {
    var position = 0
    while position < bytes.count {
      if case .data(let left) = state {
        let count = min(left, bytes.count - position)
        body(position..<position + count)
        position += count
        state = count == left ? .endOfData(hasReturn: false) : .data(left: left - count)
        continue
      }
      if state == .ended { return }
      try step(bytes[position])
      position += 1
    }
  }

  /// Handles a byte that is not data.
  private mutating func step(_ byte: UInt8) throws(Failure) {
    switch state {
    case .length(let length, let digits):
      if let value = ASCII.hexValue(byte) {
        // Leading zeros are allowed, up to 16 digits in total.
        let next = length << 4 | Int(value)
        guard next <= Self.longestChunk, digits < 16 else { throw .badLength }
        state = .length(next, digits: digits + 1)
      } else {
        guard digits > 0 else { throw .badLength }
        state = try Self.afterLength(length, byte)
      }
    case .skipping(let length, let skipped):
      if byte == UInt8(ascii: "\n") {
        state = Self.begin(length)
      } else {
        guard skipped < Self.longestExtension else { throw .tooLong }
        state = .skipping(length: length, skipped: skipped + 1)
      }
    case .endOfData(let hasReturn):
      switch byte {
      case UInt8(ascii: "\r") where !hasReturn: state = .endOfData(hasReturn: true)
      case UInt8(ascii: "\n"): state = .length(0, digits: 0)
      default: throw .missingEnd
      }
    case .trailer(let length, let isLineEmpty):
      guard length < Self.longestExtension else { throw .tooLong }
      switch byte {
      case UInt8(ascii: "\n") where isLineEmpty: state = .ended
      case UInt8(ascii: "\n"): state = .trailer(length: length + 1, isLineEmpty: true)
      case UInt8(ascii: "\r"): state = .trailer(length: length + 1, isLineEmpty: isLineEmpty)
      default: state = .trailer(length: length + 1, isLineEmpty: false)
      }
    case .data, .ended: break
    }
  }

  /// The end of the line, blanks, or the `;` of an extension may follow the digits.
  private static func afterLength(_ length: Int, _ byte: UInt8) throws(Failure) -> State {
    switch byte {
    case UInt8(ascii: "\n"): begin(length)
    case UInt8(ascii: "\r"), UInt8(ascii: ";"), 0x20, 0x09: .skipping(length: length, skipped: 0)
    default: throw .badLength
    }
  }

  private static func begin(_ length: Int) -> State {
    length == 0 ? .trailer(length: 0, isLineEmpty: true) : .data(left: length)
  }
}
