package import Geodesy
package import LinuxIO
package import LocationPolicy

/// Reads the pieces of a sealed track from the oldest to the newest, for who can open them.
package struct SealedTrackReader: ~Copyable {
  /// Blocks of one piece.
  package static let maximumBlocks = 64

  private let folder: TrackFolder
  private let selection: TrackSelection
  private var rest: ArraySlice<SegmentFile>
  private var input: SegmentInput?
  private var index: UInt32 = 0

  /// Begins to read what may hold fixes with times from `from` to `to`: which they are, only its owner can tell.
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
  package mutating func next() -> SealedPiece? {
    while true {
      if let piece = nextBlocks() { return piece }
      guard let file = rest.popFirst() else { return nil }
      if let piece = open(file) { return piece }
    }
  }

  /// Begins a segment; `nil` where nothing of it is to be told.
  private mutating func open(_ file: SegmentFile) -> SealedPiece? {
    guard var input = try? SegmentInput(path: folder.path(of: file.sequence)),
      let start = try? input.read(SegmentHeader.blocksOffset)
    else { return .unreadable }
    if let header = SegmentHeader.either(start.span), selection.excludes(header) { return nil }
    self.input = consume input
    index = UInt32(SegmentHeader.blocksOffset / TrackBlock.size)
    return .segment(start)
  }

  /// The next blocks of the segment, without those that were only taken beforehand.
  private mutating func nextBlocks() -> SealedPiece? {
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

/// Opens a sealed track piece by piece, in its owner's process: what `TrackReader` is for an open one.
package struct SealedTrackOpener {
  private let key: OwnerKey
  private var selection: TrackSelection
  private var segment: SegmentBlocks?

  /// What had to be left out so far.
  package private(set) var damage = TrackDamage()

  /// Begins to open the fixes with times from `from` to `to`, and the interruptions between those; all where neither is given.
  package init(key: OwnerKey, from: GNSSTime? = nil, to: GNSSTime? = nil) {
    self.key = key
    selection = TrackSelection(from: from, to: to)
  }

  /// What the next piece tells.
  package mutating func take(_ piece: SealedPiece) throws(SealedTrackError) -> [TrackEntry] {
    switch piece {
    case .segment(let start):
      segment = nil
      guard let header = SegmentHeader.either(start.span) else {
        // Taken, and lost before anything was written.
        if start.contains(where: { $0 != 0 }) { leaveOut { $0.segments += 1 } }
        return []
      }
      if let owner = header.seal?.owner, owner != key.publicKey { throw .otherKey(owner) }
      segment = SegmentBlocks(header, key: key)
      if segment == nil { leaveOut { $0.segments += 1 } }
      return []
    case .blocks(let first, let bytes):
      segment?.skip(to: first)
      return stride(from: 0, to: bytes.count, by: TrackBlock.size).flatMap { offset in
        let end = min(offset + TrackBlock.size, bytes.count)
        let entries = segment?.take(bytes.span.extracting(offset..<end), &damage)
        if segment?.takeHole() ?? false { selection.noteHole() }
        return entries.map { selection.take($0) } ?? []
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

/// Why a sealed track is not opened.
package enum SealedTrackError: Error, Hashable, Sendable {
  /// It is sealed to another owner.
  case otherKey(SealKey)
}
