import Geodesy
import LocationPolicy

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
