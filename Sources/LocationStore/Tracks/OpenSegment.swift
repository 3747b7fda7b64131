import LinuxIO

/// The segment that is being written.
struct OpenSegment: ~Copyable {
  /// Space is taken in these steps: four hours and a half at a fix a second, a sync each half minute.
  static let step = 256 * 1024
  /// As long as a segment gets: a day at ten fixes a second, or more.
  static let maximumSize = 16 * step

  private var file: SectorFile
  /// Where the next block goes.
  private var end = SegmentHeader.blocksOffset

  /// Makes the file, with its header and its first step of space on the disk, and its name too.
  init(folder: TrackFolder, sequence: Int, header: SegmentHeader) throws(SystemError) {
    let path = folder.path(of: sequence)
    var file = try SectorFile(making: path)
    do throws(SystemError) {
      try file.extend(to: Self.step)
      try file.write((header.bytes + header.bytes).span, at: 0)
      try file.synchronize()
      try PrivateFolder.synchronize(folder.path)
    } catch {
      try? FileChange.remove(path)
      throw error
    }
    self.file = file
  }

  /// Bytes that have to be taken for `count` more.
  func missing(for count: Int) -> Int { max(0, end + count - file.length) }

  /// Writes whole blocks, without waiting for the disk.
  mutating func write(_ blocks: [UInt8]) throws(SystemError) {
    if missing(for: blocks.count) > 0 {
      try file.extend(to: (end + blocks.count + Self.step - 1) / Self.step * Self.step)
    }
    try file.write(blocks.span, at: end)
    end += blocks.count
  }

  /// Waits until the disk has them, in a file that somebody can find.
  func synchronize() throws(SystemError) {
    try file.synchronize()
    guard file.isNamed else { throw SystemError(operation: "fdatasync", errno: SystemError.noSuchThing) }
  }

  /// Gives back the space that was not used.
  consuming func close() throws(SystemError) { try file.cut(to: end) }
}
