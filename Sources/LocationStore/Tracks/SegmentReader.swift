import Geodesy
import LinuxIO

/// Reads one segment, block by block.
struct SegmentReader: ~Copyable {
  private var input: SegmentInput
  private var blocks: SegmentBlocks
  /// The index of the first block that is not to be read.
  private let until: UInt32

  /// Opens a segment. If it cannot be read, or is encrypted and `key` does not decrypt it, the result is `nil`, and the
  /// segment is counted as damaged.
  init?(path: String, key: OwnerKey?, until: UInt32 = .max, damage: inout TrackDamage) {
    guard var input = try? SegmentInput(path: path), let start = try? input.read(SegmentHeader.blocksOffset) else {
      damage.files += 1
      return nil
    }
    guard let blocks = SegmentHeader.either(start.span).flatMap({ SegmentBlocks($0, key: key) }) else {
      // All zeros: the segment was preallocated, and abandoned before anything was written.
      if start.contains(where: { $0 != 0 }) { damage.segments += 1 }
      return nil
    }
    self.input = input
    self.blocks = blocks
    self.until = until
  }

  /// The entries of the next readable block; `nil` at the end.
  mutating func next(_ damage: inout TrackDamage) -> [TrackEntry]? {
    while blocks.index < until {
      guard let block = try? input.read(TrackBlock.size) else {
        damage.files += 1
        return nil
      }
      guard !block.isEmpty else { return nil }
      if let entries = blocks.decode(block.span, &damage) { return entries }
    }
    return nil
  }

  /// Whether there was a hole since the last call.
  mutating func takeHole() -> Bool { blocks.takeHole() }
}

/// Reads a segment sequentially, in pieces of any size.
struct SegmentInput: ~Copyable {
  private let file: InputFile
  private var buffer = [UInt8](repeating: 0, count: 64 * 1024)
  private var unread = 0..<0

  init(path: String) throws(InputFileError) { self.init(try InputFile(path: path)) }

  private init(_ file: consuming InputFile) { self.file = file }

  /// The next `count` bytes; fewer at the end of the file.
  mutating func read(_ count: Int) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    while bytes.count < count {
      if unread.isEmpty {
        unread = 0..<(try file.read(into: &buffer))
        if unread.isEmpty { break }
      }
      let step = unread.prefix(count - bytes.count)
      bytes += buffer[step]
      unread = step.upperBound..<unread.upperBound
    }
    return bytes
  }
}

/// Decodes one segment's blocks, in order, and counts damaged ones.
struct SegmentBlocks {
  private let decoder: Decoder
  /// The index of the next block.
  private(set) var index = UInt32(SegmentHeader.blocksOffset / TrackBlock.size)
  /// Blank blocks since the last block that was not blank: the end of the segment, or a hole.
  private var blanks = 0
  /// Whether blocks were skipped since the last call of `takeHole`.
  private var hasHole = false

  private enum Decoder {
    case open(TrackBlockDecoder)
    case sealed(SegmentDecryptor)
  }

  /// A decoder for a segment's blocks; `nil` if the segment is encrypted and `key` does not decrypt it.
  init?(_ header: SegmentHeader, key: OwnerKey?) {
    guard header.encryption != nil else {
      decoder = .open(TrackBlockDecoder(segment: header.number, sources: header.sources))
      return
    }
    guard let opener = key.flatMap({ SegmentDecryptor(header, $0) }) else { return nil }
    decoder = .sealed(opener)
  }

  /// The entries of the next block; `nil` if it cannot be read.
  mutating func decode(_ block: Span<UInt8>, _ damage: inout TrackDamage) -> [TrackEntry]? {
    defer { index += 1 }
    do throws(TrackBlockError) {
      let entries =
        switch decoder {
        case .open(let decoder): try decoder.entries(block, index: index)
        case .sealed(let opener): try opener.entries(block, index: index)
        }
      damage.blocks += blanks
      hasHole = hasHole || blanks > 0
      blanks = 0
      return entries
    } catch {
      if case .blank = error {
        blanks += 1
      } else if block.count < TrackBlock.size, block.indices.allSatisfy({ block[$0] == 0 }) {
        blanks += 1
      } else {
        damage.blocks += blanks + 1
        blanks = 0
        hasHole = true
      }
      return nil
    }
  }

  /// Skips blocks up to the one at `index`, and counts them as blank; does nothing if that block was already passed.
  mutating func skip(to index: UInt32) {
    guard index > self.index else { return }
    blanks += Int(index - self.index)
    self.index = index
  }

  /// Whether there was a hole since the last call.
  mutating func takeHole() -> Bool {
    defer { hasHole = false }
    return hasHole
  }
}
