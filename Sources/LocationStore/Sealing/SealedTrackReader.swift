package import Geodesy
package import LinuxIO

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
