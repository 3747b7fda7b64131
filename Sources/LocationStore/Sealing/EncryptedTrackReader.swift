package import Geodesy
package import LinuxIO
package import LocationPolicy

/// Reads the pieces of an encrypted track, oldest first, for a client that can decrypt them.
package struct EncryptedTrackReader: ~Copyable {
  /// Maximum number of blocks of one piece.
  package static let maximumBlocks = 64

  private let folder: TrackFolder
  private let selection: TrackSelection
  private var rest: ArraySlice<SegmentFile>
  private var input: SegmentInput?
  private var index: UInt32 = 0

  /// Starts to read the parts that may contain fixes with times from `from` to `to`; only the owner can select fixes
  /// exactly.
  package init(folder: TrackFolder, from: GNSSTime? = nil, to: GNSSTime? = nil) throws(SystemError) {
    let segments = try folder.segments()
    self.init(folder, TrackSelection(from: from, to: to), segments[...])
  }

  private init(_ folder: TrackFolder, _ selection: TrackSelection, _ rest: ArraySlice<SegmentFile>) {
    self.folder = folder
    self.selection = selection
    self.rest = rest
  }

  /// The next piece; `nil` at the end.
  package mutating func next() -> EncryptedPiece? {
    while true {
      if let piece = nextBlocks() { return piece }
      guard let file = rest.popFirst() else { return nil }
      if let piece = open(file) { return piece }
    }
  }

  /// Opens a segment; `nil` if none of it has to be returned.
  private mutating func open(_ file: SegmentFile) -> EncryptedPiece? {
    guard var input = try? SegmentInput(path: folder.path(of: file.sequence)),
      let start = try? input.read(SegmentHeader.blocksOffset)
    else { return .unreadable }
    if let header = SegmentHeader.either(start.span), selection.excludes(header) { return nil }
    self.input = consume input
    index = UInt32(SegmentHeader.blocksOffset / TrackBlock.size)
    return .segment(start)
  }

  /// The next blocks of the segment, without blank preallocated ones.
  private mutating func nextBlocks() -> EncryptedPiece? {
    guard input != nil else { return nil }
    var (first, bytes) = (index, [UInt8]())
    while bytes.count < Self.maximumBlocks * TrackBlock.size {
      let read: [UInt8]
      do throws(SystemError) {
        read = try input?.read(TrackBlock.size) ?? []
      } catch {
        input = nil
        return .unreadable
      }
      guard !read.isEmpty else {
        input = nil
        break
      }
      index += 1
      if read.contains(where: { $0 != 0 }) {
        bytes += read + [UInt8](repeating: 0, count: TrackBlock.size - read.count)
      } else if bytes.isEmpty {
        first = index
      } else {
        break
      }
    }
    return bytes.isEmpty ? nil : .blocks(at: first, bytes)
  }
}

/// Decrypts an encrypted track piece by piece, in its owner's process: the counterpart of `TrackReader`.
package struct EncryptedTrackDecryptor {
  private let key: OwnerKey
  private var selection: TrackSelection
  private var segment: SegmentBlocks?

  /// The damage found so far.
  package private(set) var damage = TrackDamage()

  /// Starts to decrypt the fixes with times from `from` to `to`, and the interruptions between them; all if neither is given.
  package init(key: OwnerKey, from: GNSSTime? = nil, to: GNSSTime? = nil) {
    self.key = key
    selection = TrackSelection(from: from, to: to)
  }

  /// The entries of the next piece.
  package mutating func decrypt(_ piece: EncryptedPiece) throws(EncryptedTrackError) -> [TrackEntry] {
    switch piece {
    case .segment(let start):
      segment = nil
      guard let header = SegmentHeader.either(start.span) else {
        // All zeros: the segment was preallocated, and abandoned before anything was written.
        if start.contains(where: { $0 != 0 }) { leaveOut { $0.segments += 1 } }
        return []
      }
      if let owner = header.encryption?.owner, owner != key.publicKey { throw .otherKey(owner) }
      segment = SegmentBlocks(header, key: key)
      if segment == nil { leaveOut { $0.segments += 1 } }
      return []
    case .blocks(let first, let bytes):
      segment?.skip(to: first)
      return stride(from: 0, to: bytes.count, by: TrackBlock.size).flatMap { offset in
        let end = min(offset + TrackBlock.size, bytes.count)
        let entries = segment?.decode(bytes.span.extracting(offset..<end), &damage)
        if segment?.takeHole() ?? false { selection.noteHole() }
        return entries.map { selection.select($0) } ?? []
      }
    case .unreadable:
      leaveOut { $0.files += 1 }
      return []
    }
  }

  private mutating func leaveOut(_ count: (inout TrackDamage) -> Void) {
    count(&damage)
    selection.noteHole()
  }
}

/// Why an encrypted track cannot be decrypted.
package enum EncryptedTrackError: Error, Hashable, Sendable {
  /// The track is encrypted for another owner.
  case otherKey(LogPublicKey)
}
