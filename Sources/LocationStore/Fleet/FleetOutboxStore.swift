package import Fleet
package import FleetDestinations
package import Geodesy
package import LinuxIO
import LocationPolicy

/// One outbox on the disk: the positions in the segments of a track, the events beside them, the cursor, and what else is remembered.
///
/// Positions are on the disk after `sync`; until then they are in memory too, so that they can be sent at once. An event is on the disk
/// when `append` returns, and everything before it.
package struct FleetOutboxStore: ~Copyable {
  /// Positions that are not synced are kept in memory; this many force a sync.
  package static let mostUnsynced = 512
  /// The most records after the cursor that may have been sent before a restart: those that were acknowledged since the cursor was stored,
  /// a window of messages, and a batch of Overland's.
  private static let mostSent = 256
  /// When the outbox is this full, it is thinned, as a share of what it may keep.
  private static let thinningShare = 0.75
  /// The smallest and the largest segment, bytes: thinning and deletion work by segments.
  private static let segmentSizes = 64 * 1024...1024 * 1024

  package let path: String
  package private(set) var memory: FleetMemory
  private let keep: Int
  private let folder: TrackFolder
  private var writer: TrackWriter
  private var cursorFile: FleetCursorFile
  private var events: FleetEventFile
  private var tail: [FleetRecord] = []
  /// The number of events at the current end.
  private var eventsHere = 0
  private var lastEventEnd: (sequence: Int, block: UInt32) = (0, 0)
  /// The segments that have been thinned.
  private var thinned: Set<Int> = []

  package var cursor: FleetPlace { cursorFile.place }
  /// When the server last acknowledged something, as far as it is on the disk.
  package var acknowledgedAt: GNSSTime? { cursorFile.acknowledgedAt }
  /// Bytes that were written for the cursor since the outbox was opened.
  package var cursorBytes: Int { cursorFile.bytesWritten }
  package var hasUnsynced: Bool { !tail.isEmpty }
  /// The number of the last event, whether it was acknowledged or not; 0: none.
  package var lastEvent: UInt64 { events.lastNumber }

  /// Opens the outbox in a folder, which is created if necessary.
  ///
  /// - Parameters:
  ///   - machine: the machine's identifier. A folder from another machine gets another `box`, so that two machines never send different
  ///     events under one identifier.
  ///   - keep: megabytes on the disk at most.
  package init(
    _ path: String, name: String, machine: String, keep: Int, bootID: String?, freeShare: Double = 0.05
  ) throws(TrackError) {
    let most = keep * 1_000_000
    let folder = TrackFolder(path + "/track")
    var settings = TrackWriter.Settings(log: name, bootID: bootID, retention: .megabytes(1_000_000))
    settings.freeShare = freeShare
    settings.maximumSegmentSize = min(Self.segmentSizes.upperBound, max(Self.segmentSizes.lowerBound, most / 16))
    var memory: FleetMemory
    do throws(SystemError) {
      try PrivateFolder.make(path)
      memory = FleetMemory(box: .random(in: .min ... .max), machine: machine)
      let bytes = try StateFile.read(path + "/memory", maximumSize: 4096)
      let stored = bytes.flatMap { String(validating: $0, as: UTF8.self) }.flatMap(FleetMemory.init)
      if let stored {
        memory = stored
        if stored.machine != machine { (memory.box, memory.machine) = (.random(in: .min ... .max), machine) }
      }
      if memory != stored { try StateFile.write(path + "/memory", Array(memory.text.utf8)) }
    } catch {
      throw .system(error)
    }
    let writer = try TrackWriter(folder: folder, settings)
    do throws(SystemError) {
      // Without a cursor, everything that is there is sent.
      var cursorFile = try FleetCursorFile(in: path, fallback: .start)
      let events = try FleetEventFile(in: path, box: memory.box, after: cursorFile.place)
      let acknowledged = cursorFile.place
      // The segments that the cursor counts as sent are gone: what is recorded from now on must come after it.
      let next = writer.end.sequence
      if acknowledged.segment > next || acknowledged.segment == next && acknowledged.block > 0 {
        try cursorFile.save(
          FleetPlace(segment: writer.end.sequence, before: 0, event: 0), acknowledgedAt: cursorFile.acknowledgedAt)
      }
      self.init(path, memory, most, folder, writer, cursorFile, events)
    } catch {
      throw .system(error)
    }
  }

  private init(
    _ path: String, _ memory: FleetMemory, _ keep: Int, _ folder: TrackFolder, _ writer: consuming TrackWriter,
    _ cursorFile: consuming FleetCursorFile, _ events: consuming FleetEventFile
  ) {
    (self.path, self.memory, self.keep, self.folder) = (path, memory, keep, folder)
    self.writer = writer
    self.cursorFile = cursorFile
    self.events = events
    // A new event must not get the place of one that is stored already, or that was acknowledged.
    let last = max(self.events.records.last?.place ?? .start, self.cursorFile.place)
    if let number = last.event { (lastEventEnd, eventsHere) = ((last.segment, UInt32(last.block)), number + 1) }
  }

  // MARK: - Writing

  /// Adds a position, which is not on the disk yet. After an error it is not in the outbox.
  package mutating func append(_ fix: PositionFix) throws(TrackError) -> FleetRecord? {
    guard let place = try writer.append(.fix(fix)) else { return nil }
    let record = FleetRecord(
      place: FleetPlace(segment: place.sequence, block: Int(place.block), entry: place.entry),
      box: UInt32(truncatingIfNeeded: place.number), content: .fix(fix))
    tail.append(record)
    // If the disk is full, the position stays in memory, and the next `sync` writes it and reports the error: it is in the outbox, so that
    // the caller must learn of it. The writer limits how many there can be.
    if tail.count >= Self.mostUnsynced { try? sync() }
    return record
  }

  /// Adds an event, which is on the disk when this returns, with everything before it; `nil`: too many events wait.
  ///
  /// - Parameter number: its number where it is stored until then; 0: it has none.
  package mutating func append(_ event: FleetEvent, number: UInt64 = 0) throws(TrackError) -> FleetRecord? {
    try sync()
    let end = writer.end
    if end != lastEventEnd { (lastEventEnd, eventsHere) = (end, 0) }
    guard eventsHere < 2048 else { return nil }
    let record = FleetRecord(
      place: FleetPlace(segment: end.sequence, before: Int(end.block), event: eventsHere), box: memory.box,
      content: .event(event))
    do throws(SystemError) {
      guard try events.append(record, number: number) else { return nil }
    } catch {
      throw .system(error)
    }
    eventsHere += 1
    return record
  }

  /// Waits until all positions are on the disk.
  package mutating func sync() throws(TrackError) {
    guard !tail.isEmpty else { return }
    try writer.sync()
    tail = []
  }

  /// Stores the cursor, after everything before it: the number of a segment that is not on the disk would be used again, and what is
  /// recorded there would count as sent.
  ///
  /// - Parameter time: when the server last acknowledged something; `nil`: as before.
  package mutating func save(_ cursor: FleetPlace, acknowledgedAt time: GNSSTime? = nil) throws(TrackError) {
    try sync()
    do throws(SystemError) {
      try cursorFile.save(cursor, acknowledgedAt: time ?? cursorFile.acknowledgedAt)
      events.drop(upTo: cursor)
      try removeSegments(before: cursor.segment)
    } catch {
      throw .system(error)
    }
  }

  package mutating func remember(_ change: (inout FleetMemory) -> Void) throws(SystemError) {
    var changed = memory
    change(&changed)
    guard changed != memory else { return }
    try StateFile.write(path + "/memory", Array(changed.text.utf8))
    memory = changed
  }

  // MARK: - Reading

  /// The records after a place, in order, at least `limit` if there are so many; and whether these were all.
  package func records(after place: FleetPlace, limit: Int) throws(SystemError) -> (records: [FleetRecord], isEnd: Bool)
  {
    let stored = try FleetTrackReader(folder).records(after: place, before: syncedEnd, limit: limit)
    var records = stored.records
    if stored.isEnd { records += tail.filter { $0.place > place } }
    let bound = stored.isEnd ? nil : records.last?.place
    let waiting = events.records.filter { event in event.place > place && bound.map { event.place < $0 } ?? true }
    if !waiting.isEmpty { records = (records + waiting).sorted { $0.place < $1.place } }
    return (records, stored.isEnd)
  }

  /// The number of records after the cursor.
  package func waiting() throws(SystemError) -> Int {
    let cursor = cursor
    return try FleetTrackReader(folder).count(after: cursor, before: syncedEnd) + tail.count
      + events.records.count { $0.place > cursor }
  }

  /// Before the blocks that are not synced.
  private var syncedEnd: (sequence: Int, block: UInt32) {
    tail.first.map { ($0.place.segment, UInt32($0.place.block)) } ?? (.max, .max)
  }

  /// Bytes on the disk.
  package var bytes: Int { ((try? folder.segments()) ?? []).reduce(0) { $0 + $1.sizeOnDisk } }

  // MARK: - Bounds

  /// Keeps the outbox within its size: thins the oldest segments first, then deletes the oldest.
  ///
  /// - Parameter loaded: the last record that is in memory; its segment, and those before it, are not thinned.
  /// - Returns: what was lost, and the place up to which nothing is left; `nil`: nothing was deleted.
  package mutating func enforceSize(loaded: FleetPlace) throws(TrackError) -> (lost: FleetLoss?, upTo: FleetPlace?)? {
    do throws(SystemError) {
      var segments = try folder.segments()
      var size = segments.reduce(0) { $0 + $1.sizeOnDisk }
      var change: (lost: FleetLoss?, upTo: FleetPlace?)?
      // What was sent before a restart is sent again with the same identifiers: those records keep their places.
      let sent = try records(after: cursor, limit: Self.mostSent).records.prefix(Self.mostSent).last?.place.segment ?? 0
      for segment in segments.dropLast() where Double(size) > Double(keep) * Self.thinningShare {
        guard segment.sequence > max(loaded.segment, sent), thinned.insert(segment.sequence).inserted else { continue }
        let saved = try thin(segment)
        size -= saved
        if saved > 0 { change = (change?.lost, change?.upTo) }
      }
      segments = try folder.segments()
      size = segments.reduce(0) { $0 + $1.sizeOnDisk }
      for segment in segments.dropLast() where size > keep {
        let lost = try loss(of: segment)
        try FileChange.remove(folder.path(of: segment.sequence))
        size -= segment.sizeOnDisk
        var sum = change?.lost
        if let lost { if sum == nil { sum = lost } else { sum?.add(lost) } }
        change = (sum, FleetPlace(segment: segment.sequence + 1, before: 0, event: 0))
      }
      // Events are kept although the positions around them are gone: the cursor stays before the first.
      if let event = events.records.first?.place, let end = change?.upTo, event < end {
        change?.upTo = FleetPlace(rawValue: event.rawValue - 1)
      }
      if let lost = change?.lost {
        try remember { if $0.lost == nil { $0.lost = lost } else { $0.lost?.add(lost) } }
      }
      return change
    } catch {
      throw .system(error)
    }
  }

  /// The positions of a segment that were not acknowledged.
  private func loss(of segment: SegmentFile) throws(SystemError) -> FleetLoss? {
    let place = cursor
    guard segment.sequence >= place.segment else { return nil }
    let fixes = try FleetTrackReader(folder).records(
      after: place, before: (segment.sequence + 1, 0), limit: .max
    ).records.filter { $0.place.segment == segment.sequence }
    guard let first = fixes.first, let last = fixes.last else { return nil }
    return FleetLoss(count: fixes.count, from: first.time, to: last.time)
  }

  /// Replaces a segment by one with fewer positions, of the same number; returns the bytes saved.
  private func thin(_ segment: SegmentFile) throws(SystemError) -> Int {
    let fixes = try FleetTrackReader(folder).fixes(of: segment)
    let kept = TrackThinning.thinned(fixes)
    // Events are at the ends of blocks, and would move against the positions.
    guard kept.count < fixes.count * 3 / 4, !events.records.contains(where: { $0.place.segment == segment.sequence })
    else {
      return 0
    }
    let temporary = path + "/thinning"
    try Self.clear(temporary)
    var settings = TrackWriter.Settings(log: "thinned", bootID: nil, retention: .megabytes(1_000_000))
    settings.freeShare = 0
    do throws(TrackError) {
      var copy = try TrackWriter(folder: TrackFolder(temporary), settings)
      for fix in kept { try copy.append(.fix(fix)) }
      try copy.close()
    } catch {
      if case .system(let error) = error { throw error }
      return 0
    }
    let written = try TrackFolder(temporary).segments()
    guard written.count == 1, let only = written.first else { return 0 }
    try FileChange.rename(TrackFolder(temporary).path(of: only.sequence), to: folder.path(of: segment.sequence))
    try PrivateFolder.synchronize(folder.path)
    return segment.sizeOnDisk - only.sizeOnDisk
  }

  private static func clear(_ path: String) throws(SystemError) {
    try PrivateFolder.make(path)
    for file in try PrivateFolder.files(in: path) { try FileChange.remove("\(path)/\(file.name)") }
  }

  /// Deletes the segments before a number: they are acknowledged.
  private func removeSegments(before sequence: Int) throws(SystemError) {
    for segment in try folder.segments().dropLast() where segment.sequence < sequence {
      try FileChange.remove(folder.path(of: segment.sequence))
    }
  }
}
