package import Geodesy
import LinuxIO
package import LocationPolicy

/// Writes one log's track.
///
/// Entries are collected in blocks. `sync` writes the collected entries and waits for the disk; after it has returned,
/// they survive any failure of the process or the system. Written data is never overwritten. After an error the writer
/// continues if possible: collected entries are kept, up to a limit, and written later.
package struct TrackWriter: ~Copyable {
  /// How a track is written.
  package struct Settings: Hashable, Sendable {
    /// The log's name, at most 64 bytes, which identifies the segments if the index is lost.
    package var log: String
    /// The current boot, from the kernel.
    package var bootID: String?
    /// The retention limit.
    package var retention: LogRetention
    /// The fraction of the file system that has to stay free after an allocation, 0…1.
    package var freeShare = 0.05
    /// The owner's public key, with which only the owner, and not the writer, can read the track; `nil`: the track is
    /// not encrypted.
    package var publicKey: LogPublicKey?
    /// Maximum size of a segment in bytes.
    package var maximumSegmentSize = OpenSegment.maximumSize

    package init(log: String, bootID: String?, retention: LogRetention) {
      self.log = log
      self.bootID = bootID
      self.retention = retention
    }
  }

  /// When this many bytes of blocks are pending, they are written; if that fails, no more entries are collected.
  private static let maximumPending = 64 * 1024

  /// The system's wall clock, read when space is freed; `nil` if the clock is not set or unknown, and then nothing
  /// counts as too old.
  package var clock: () -> GNSSTime? = { nil }

  private let folder: TrackFolder
  private var settings: Settings
  private let lock: FolderLock
  private var nextSequence: Int

  /// The segment for which blocks are encoded; its file is created when blocks are first written.
  private var plan: SegmentPlan?
  private var segment: OpenSegment?
  /// Whether the segment has written blocks that may not be on disk yet.
  private var segmentHasUnsynced = false
  private var block: TrackBlockEncoder
  private var last = TrackRow()
  private var sources: [TrackSource] = []
  /// Interruptions before the next fix, with which they are written.
  private var interruptions: [TrackInterruption] = []
  /// Blocks that are not in the file yet.
  private var pending: [UInt8] = []
  /// The figures of the segments that this writer has written, by number; the newest may have no file yet. There are
  /// none for an encrypted track: they contain positions, which must not stay in memory.
  package private(set) var figures: [Int: TrackFigures] = [:]

  /// The end of the entries that `sync` has written; `nil` if no segment has a file that is being written.
  package var position: TrackPosition? {
    guard let plan, segment != nil else { return nil }
    return TrackPosition(sequence: nextSequence - 1, block: plan.nextIndex)
  }

  /// Starts to write in `folder`, which is created if necessary. Trims what an earlier writer left; the first fix
  /// begins a new segment.
  package init(folder: TrackFolder, _ settings: Settings) throws(TrackError) {
    let lock: FolderLock
    let newest: Int
    do throws(SystemError) {
      try PrivateFolder.make(folder.path)
      lock = try FolderLock(folder.path)
    } catch {
      throw error.isHeldByOther ? .inUse : .system(error)
    }
    do throws(SystemError) {
      try folder.trimNewest()
      newest = try folder.segments().last?.sequence ?? 0
    } catch {
      throw .system(error)
    }
    self.init(folder, settings, lock, nextSequence: newest + 1)
  }

  private init(_ folder: TrackFolder, _ settings: Settings, _ lock: consuming FolderLock, nextSequence: Int) {
    self.folder = folder
    self.settings = settings
    self.lock = lock
    self.nextSequence = nextSequence
    block = TrackBlockEncoder(isSealed: settings.publicKey != nil)
  }

  /// Where an entry is in the track; the places grow.
  package struct Place: Hashable, Sendable {
    /// The number of the segment, and the random number in its header.
    package let sequence: Int
    package let number: UInt64
    /// The index of the block in the file, and of the entry in the block.
    package let block: UInt32
    package let entry: Int
  }

  /// The place after all entries, once they have been written by `sync`: the number of the segment, and the index of its next block.
  package var end: (sequence: Int, block: UInt32) {
    guard let plan else { return (nextSequence, 0) }
    return (segment == nil ? nextSequence : nextSequence - 1, plan.nextIndex)
  }

  /// Adds an entry. After an error it is not in the track.
  ///
  /// - Returns: the place of a fix; `nil` for an interruption, which is written with the next fix.
  @discardableResult
  package mutating func append(_ entry: TrackEntry) throws(TrackError) -> Place? {
    switch entry {
    case .interruption(let interruption):
      // More consecutive interruptions carry no information.
      if interruptions.count < 8 { interruptions.append(interruption) }
      return nil
    case .fix(let fix):
      guard TrackRow(fix, source: 0, previous: last) != nil else { throw .noPlace }
      if plan?.accepts(fix, upTo: settings.maximumSegmentSize) != true {
        try finishSegment()
        plan = try SegmentPlan(for: fix, knowing: sources, settings)
        sources = plan?.header.sources ?? []
      }
      if pending.count >= Self.maximumPending { try write() }
      guard let source = plan?.header.index(of: TrackSource(of: fix)),
        let row = TrackRow(fix, source: source, previous: last)
      else { throw .noPlace }
      let sequence = segment == nil ? nextSequence : nextSequence - 1
      for interruption in interruptions {
        add(TrackRow(interruption, neighbour: row))
        count(.interruption(interruption), of: sequence)
      }
      interruptions = []
      add(row)
      count(entry, of: sequence)
      plan?.note(fix)
      last = row
      guard let plan else { return nil }
      return Place(
        sequence: sequence, number: plan.header.number, block: plan.nextIndex, entry: block.count - 1)
    }
  }

  /// Writes everything and waits until it is on disk.
  package mutating func sync() throws(TrackError) {
    // Before the first fix there is no segment for interruptions.
    if plan != nil {
      for interruption in interruptions { add(TrackRow(interruption, neighbour: last)) }
      interruptions = []
    }
    finishBlock()
    try write()
    guard segmentHasUnsynced else { return }
    segmentHasUnsynced = false
    do throws(SystemError) {
      try segment?.synchronize()
    } catch {
      // The state of the file on disk is unknown, and a second fsync would not report it (fsync(2)): begin a new segment.
      segment = nil
      plan = nil
      throw .system(error)
    }
  }

  /// The number of bytes on the disk that are allocated for the entries to come.
  package var unusedBytes: Int { mutating get { segment?.unused ?? 0 } }

  /// Writes everything, releases preallocated space, and unlocks the log.
  package consuming func close() throws(TrackError) { try finishSegment() }

  /// Uses another name of the log for the segments from the next one on.
  package mutating func rename(to name: String) { settings.log = name }

  private mutating func count(_ entry: TrackEntry, of sequence: Int) {
    guard settings.publicKey == nil else { return }
    figures[sequence, default: TrackFigures()].add(entry)
  }

  // MARK: Blocks

  private mutating func add(_ row: TrackRow) {
    if block.append(row) { return }
    finishBlock()
    _ = block.append(row)
  }

  private mutating func finishBlock() {
    guard !block.isEmpty, let bytes = plan?.finish(&block) else { return }
    pending += bytes
  }

  /// Writes pending blocks, without waiting for the disk.
  private mutating func write() throws(TrackError) {
    guard !pending.isEmpty, let plan else { return }
    let header = plan.header
    let needed = segment?.missing(for: pending.count) ?? OpenSegment.step
    if needed > 0 { try checkRoom(for: max(needed, OpenSegment.step), at: header) }
    do throws(SystemError) {
      if segment == nil {
        segment = try OpenSegment(folder: folder, sequence: nextSequence, header: plan.written)
        nextSequence += 1
      }
      segmentHasUnsynced = true
      try segment?.write(pending)
    } catch {
      throw .system(error)
    }
    pending = []
  }

  /// Writes and closes the segment; the next fix begins a new one.
  private mutating func finishSegment() throws(TrackError) {
    try sync()
    plan = nil
    do throws(SystemError) {
      try segment.take()?.close()
    } catch {
      throw .system(error)
    }
  }

  /// Frees space according to the retention limit, and checks that enough of the file system stays free.
  private func checkRoom(for bytes: Int, at header: SegmentHeader) throws(TrackError) {
    let room: FileSystemCapacity
    do throws(SystemError) {
      try folder.retain(settings.retention, coming: bytes, now: now(at: header))
      room = try FileSystemCapacity(at: folder.path)
    } catch {
      throw .system(error)
    }
    let needed = Int(Double(room.total) * settings.freeShare) + bytes
    guard room.free >= needed else { throw .noRoom(free: room.free, needed: needed) }
  }

  /// The reference for ages: the earlier of the receiver's time and the system's, because either may be wrong; `nil` if
  /// one of them is unknown.
  private func now(at header: SegmentHeader) -> GNSSTime? {
    guard header.timeValidity == .confirmed, let clock = clock() else { return nil }
    return min(header.time, clock)
  }
}
