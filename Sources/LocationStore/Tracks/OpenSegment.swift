import Geodesy
import LinuxIO
import LocationPolicy

/// The segment that is being written.
package struct OpenSegment: ~Copyable {
  /// Bytes; space is preallocated in steps of this size, each sufficient for four hours at one fix per second and a
  /// sync, which ends a block, each half minute.
  static let step = 256 * 1024
  /// Maximum size of a segment in bytes: a day at 2.8 fixes per second if a block has 30 fixes.
  package static let maximumSize = 16 * step

  private var file: SectorFile
  /// Offset of the next block.
  private var end = SegmentHeader.blocksOffset

  /// Creates the file; its header, its first step of space and its name are on disk when this returns.
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

  /// The number of bytes to allocate before `count` more bytes can be written.
  func missing(for count: Int) -> Int { max(0, end + count - file.length) }

  /// The number of bytes that are allocated and not used yet.
  var unused: Int { max(0, file.length - end) }

  /// Writes whole blocks, without waiting for the disk.
  mutating func write(_ blocks: [UInt8]) throws(SystemError) {
    if missing(for: blocks.count) > 0 {
      try file.extend(to: (end + blocks.count + Self.step - 1) / Self.step * Self.step)
    }
    try file.write(blocks.span, at: end)
    end += blocks.count
  }

  /// Waits until the written blocks are on disk; throws if the file was deleted.
  func synchronize() throws(SystemError) {
    try file.synchronize()
    guard file.isNamed else { throw SystemError(operation: "fdatasync", errno: SystemError.noSuchThing) }
  }

  /// Releases the unused space.
  consuming func close() throws(SystemError) { try file.cut(to: end) }
}

/// A segment as listed in its folder.
package struct SegmentFile: Hashable, Comparable, Sendable {
  /// Counts from 1 in the order of recording, independent of any clock.
  package let sequence: Int
  /// Length in bytes.
  package let size: Int
  /// Bytes that the segment occupies in the file system.
  package let sizeOnDisk: Int

  /// The name begins with eight digits, so that names sort in the order of creation.
  package static func name(_ sequence: Int) -> String {
    let digits = String(sequence)
    return String(repeating: "0", count: max(0, 8 - digits.count)) + digits + ".track"
  }

  /// The sequence number in a file's name; `nil` for other files.
  static func sequence(of name: String) -> Int? {
    guard name.hasSuffix(".track"), let sequence = Int(name.dropLast(6)), sequence > 0, self.name(sequence) == name
    else { return nil }
    return sequence
  }

  package static func < (a: SegmentFile, b: SegmentFile) -> Bool { a.sequence < b.sequence }
}

/// A segment before its file is created: its header, and the place of its next block.
struct SegmentPlan {
  private(set) var header: SegmentHeader
  /// The index in the file of the next block.
  private(set) var nextIndex = UInt32(SegmentHeader.blocksOffset / TrackBlock.size)
  /// The date of the segment's fixes, once a time was confirmed.
  private var day: CalendarDate?
  private var sealer: SegmentEncryptor?

  /// Plans a segment that begins with `fix`, and lists the sources of the previous segment as far as there is room.
  init(for fix: PositionFix, knowing sources: [TrackSource], _ settings: TrackWriter.Settings)
    throws(TrackError)
  {
    header = SegmentHeader(
      number: .random(in: .min ... .max), log: settings.log, bootID: settings.bootID, time: fix.time,
      timeValidity: fix.timeValidity, arrival: fix.receivedAt)
    header.isOneDay = fix.timeValidity == .confirmed
    let source = TrackSource(of: fix)
    let room = settings.publicKey == nil ? SegmentHeader.checksumOffset : SegmentEncryption.contentSize
    if !source.isUnknown { _ = header.add(source, room: room) }
    for other in sources where other != source { _ = header.add(other, room: room) }
    sealer = try settings.publicKey.map { owner throws(TrackError) in
      guard let sealer = SegmentEncryptor(header, to: owner) else { throw .noKey }
      return sealer
    }
  }

  /// The header to be written, encrypted if necessary.
  var written: SegmentHeader { sealer?.header ?? header }

  /// Whether a fix fits into this segment: the segment is not full, the source is listed, and the date is the
  /// segment's.
  func accepts(_ fix: PositionFix, upTo maximumSize: Int = OpenSegment.maximumSize) -> Bool {
    guard Int(nextIndex) * TrackBlock.size < maximumSize, header.index(of: TrackSource(of: fix)) != nil
    else { return false }
    return day.map { fix.time.date == $0 } ?? true
  }

  /// Records that a fix was added.
  mutating func note(_ fix: PositionFix) {
    if day == nil, fix.timeValidity == .confirmed { day = fix.time.date }
  }

  /// Encodes the collected entries as the next block.
  mutating func finish(_ block: inout TrackBlockEncoder) -> [UInt8] {
    defer { nextIndex += 1 }
    var bytes = block.finish(segment: header.number, index: nextIndex)
    return sealer?.close(&bytes, index: nextIndex) ?? bytes
  }
}
