import Geodesy
import LinuxIO
import LocationPolicy

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

/// A segment as its folder lists it.
package struct SegmentFile: Hashable, Comparable, Sendable {
  /// Counts up from 1 in the order of recording, whatever the clocks said.
  package let sequence: Int
  /// Length in bytes.
  package let size: Int
  /// Bytes that it takes from the file system.
  package let sizeOnDisk: Int

  /// Eight digits, so that names sort as they were made.
  package static func name(_ sequence: Int) -> String {
    let digits = String(sequence)
    return String(repeating: "0", count: max(0, 8 - digits.count)) + digits + ".track"
  }

  /// The sequence number that a file's name tells; `nil` for other files.
  static func sequence(of name: String) -> Int? {
    guard name.hasSuffix(".track"), let sequence = Int(name.dropLast(6)), sequence > 0, self.name(sequence) == name
    else { return nil }
    return sequence
  }

  package static func < (a: SegmentFile, b: SegmentFile) -> Bool { a.sequence < b.sequence }
}

/// What a segment is to be, before its file is made: its header, and where its next block goes.
struct SegmentPlan {
  private(set) var header: SegmentHeader
  /// The index in the file of the next block.
  private(set) var nextIndex = UInt32(SegmentHeader.blocksOffset / TrackBlock.size)
  /// The day of its fixes, once a time was confirmed.
  private var day: CalendarDate?
  private var sealer: SegmentSealer?

  /// One that begins with `fix` and knows the sources of the one before as far as there is room.
  init(for fix: PositionFix, knowing sources: [TrackSource], _ settings: TrackWriter.Settings)
    throws(TrackError)
  {
    header = SegmentHeader(
      number: .random(in: .min ... .max), log: settings.log, bootID: settings.bootID, time: fix.time,
      timeValidity: fix.timeValidity, arrival: fix.receivedAt)
    header.isOneDay = fix.timeValidity == .confirmed
    let source = TrackSource(of: fix)
    let room = settings.seal == nil ? SegmentHeader.checksumOffset : SegmentSeal.contentSize
    if !source.isUnknown { _ = header.add(source, room: room) }
    for other in sources where other != source { _ = header.add(other, room: room) }
    sealer = try settings.seal.map { owner throws(TrackError) in
      guard let sealer = SegmentSealer(header, to: owner) else { throw .noKey }
      return sealer
    }
  }

  /// What the file begins with.
  var written: SegmentHeader { sealer?.header ?? header }

  /// Whether a fix belongs in this segment: it is not full, the source is listed, and the date is no other.
  func takes(_ fix: PositionFix) -> Bool {
    guard Int(nextIndex) * TrackBlock.size < OpenSegment.maximumSize, header.index(of: TrackSource(of: fix)) != nil
    else { return false }
    return day.map { fix.time.date == $0 } ?? true
  }

  /// Notes a fix that was added.
  mutating func note(_ fix: PositionFix) {
    if day == nil, fix.timeValidity == .confirmed { day = fix.time.date }
  }

  /// The block of what was gathered, for the next place.
  mutating func finish(_ block: inout TrackBlockEncoder) -> [UInt8] {
    defer { nextIndex += 1 }
    var bytes = block.finish(segment: header.number, index: nextIndex)
    return sealer?.close(&bytes, index: nextIndex) ?? bytes
  }
}
