package import Geodesy
import LinuxIO
package import LocationPolicy

/// Writes one log's track.
///
/// Entries are gathered in blocks; `sync` writes what is gathered and waits for the disk, and what it has returned from is read
/// back whatever happens to the process or the machine afterwards. Nothing that was written is written again. After an error
/// the writer goes on where it can: what was gathered is kept and tried again, up to a bound.
package struct TrackWriter: ~Copyable {
  /// How a track is written.
  package struct Settings: Hashable, Sendable {
    /// The log's name, at most 64 bytes, for whoever finds the segments without the index.
    package var log: String
    /// The run of the machine, as the kernel tells it.
    package var bootID: String?
    /// What is kept.
    package var retention: LogRetention
    /// The share of the file system that has to stay free when space is taken, 0…1.
    package var freeShare = 0.05
    /// Whose the track is: nobody else can read it, nor who writes it; `nil`: it is open.
    package var seal: SealKey?

    package init(log: String, bootID: String?, retention: LogRetention) {
      self.log = log
      self.bootID = bootID
      self.retention = retention
    }
  }

  /// Blocks without a sync are written when there are as many bytes of them, and no more are gathered where that fails.
  private static let maximumPending = 64 * 1024

  /// Tells the machine's clock, asked where room is made; `nil`: it has not been set, or nobody has said, and nothing is too old.
  package var clock: () -> GNSSTime? = { nil }

  private let folder: TrackFolder
  private let settings: Settings
  private let lock: FolderLock
  private var nextSequence: Int

  /// The segment that blocks are made for; its file is made when there is something to write.
  private var plan: SegmentPlan?
  private var segment: OpenSegment?
  /// Whether blocks were written to it that the disk need not have yet.
  private var segmentHasUnsynced = false
  private var block: TrackBlockEncoder
  private var last = TrackRow()
  private var sources: [TrackSource] = []
  /// Interruptions before the next fix, which is written beside them.
  private var interruptions: [TrackInterruption] = []
  /// Blocks that are not in the file yet.
  private var pending: [UInt8] = []

  /// Begins to write in `folder`, which is made where it is not there. What a writer before this one left is put in order;
  /// a new segment begins with the first fix.
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
    block = TrackBlockEncoder(isSealed: settings.seal != nil)
  }

  /// Adds an entry. After an error it is not in the track.
  package mutating func append(_ entry: TrackEntry) throws(TrackError) {
    switch entry {
    case .interruption(let interruption):
      // More of them in a row say nothing more.
      if interruptions.count < 8 { interruptions.append(interruption) }
    case .fix(let fix):
      guard TrackRow(fix, source: 0, previous: last) != nil else { throw .noPlace }
      if plan?.takes(fix) != true {
        try finishSegment()
        plan = try SegmentPlan(for: fix, knowing: sources, settings)
        sources = plan?.header.sources ?? []
      }
      if pending.count >= Self.maximumPending { try write() }
      guard let source = plan?.header.index(of: TrackSource(of: fix)),
        let row = TrackRow(fix, source: source, previous: last)
      else { throw .noPlace }
      for interruption in interruptions { add(TrackRow(interruption, neighbour: row)) }
      interruptions = []
      add(row)
      plan?.note(fix)
      last = row
    }
  }

  /// Writes everything and waits until the disk has it.
  package mutating func sync() throws(TrackError) {
    // Before the first fix there is no segment for them.
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
      // Nobody knows what the disk has of it, and a second try would not tell (fsync(2)): a new segment begins.
      segment = nil
      plan = nil
      throw .system(error)
    }
  }

  /// Writes everything, gives back what was taken beforehand, and lets go of the log.
  package consuming func close() throws(TrackError) { try finishSegment() }

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

  /// Writes what is pending, without waiting for the disk.
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

  /// Makes room by what need not be kept, and sees that enough of the file system stays free.
  private func checkRoom(for bytes: Int, at header: SegmentHeader) throws(TrackError) {
    let room: FileSystemRoom
    do throws(SystemError) {
      try folder.retain(settings.retention, coming: bytes, now: now(at: header))
      room = try FileSystemRoom(at: folder.path)
    } catch {
      throw .system(error)
    }
    let needed = Int(Double(room.total) * settings.freeShare) + bytes
    guard room.free >= needed else { throw .noRoom(free: room.free, needed: needed) }
  }

  /// What age is counted from: the earlier of the receiver's date and the machine's, either of which may be wrong; `nil` where
  /// one of them is not known.
  private func now(at header: SegmentHeader) -> GNSSTime? {
    guard header.timeValidity == .confirmed, let clock = clock() else { return nil }
    return min(header.time, clock)
  }
}
