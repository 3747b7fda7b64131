import Geodesy
import LocationIPC
import LocationPolicy
import LocationStore

/// One client that receives the entries of a log: first those that were recorded before, then each entry when it is
/// recorded.
///
/// The client requests each page when it has processed the previous one; a request for which there is no new entry
/// waits here. Entries that the client has not requested yet are kept, up to `mostEntries`.
final class LogFollower {
  /// 17 minutes of fixes at four per second.
  private static let mostEntries = 4096

  let client: ClientID
  /// The number of the log, which stays the same when the log is renamed.
  let log: Int64
  /// The client's identity as an owner of logs; `nil` for a client of the hosting process itself.
  let requester: LogOwner?
  /// Why the follower has ended, until its client requests the next page; `nil` while it continues.
  private(set) var failure: LogFailure?
  /// The request that waits for an entry.
  var waiting: RequestID?
  private var source: Source

  private enum Source {
    case open(OpenSource)
    case sealed(EncryptedTrackTail)
  }

  private struct OpenSource {
    /// Reads the fixes that were recorded before; `nil` once all were sent.
    var history: History?
    /// The entries that were recorded since.
    var queue: [TrackEntry] = []
    /// Whether entries were dropped because the client is too slow.
    var hasGap = false
  }

  /// A class, because the reader is not copyable.
  private final class History {
    var reader: TrackReader
    init(_ reader: consuming TrackReader) { self.reader = reader }
  }

  /// - Parameter history: reads the fixes that were recorded before, up to those that are passed to `add`; `nil` if
  ///   they are not requested.
  init(_ history: consuming TrackReader?, of log: Int64, for client: ClientID, of requester: LogOwner?) {
    (self.log, self.client, self.requester) = (log, client, requester)
    var source = OpenSource()
    if let history { source.history = History(history) }
    self.source = .open(source)
  }

  /// Whether an encrypted log may have blocks that have not been sent.
  private var isWritten = true

  /// Follows an encrypted log.
  init(sealed tail: EncryptedTrackTail, of log: Int64, for client: ClientID, of requester: LogOwner?) {
    (self.log, self.client, self.requester) = (log, client, requester)
    source = .sealed(tail)
  }

  /// Ends the follower and releases the entries that its client has not requested.
  func end(_ failure: LogFailure) {
    self.failure = failure
    source = .open(OpenSource())
  }

  /// Called when entries of the log have been written to disk.
  func noteWriting() { isWritten = true }

  /// Adds an entry that was just recorded; the entries of an encrypted log are read from the disk instead.
  func add(_ entry: TrackEntry) {
    guard case .open(var open) = source else { return }
    // Assigned so that the queue is not copied when it changes.
    source = .open(OpenSource())
    if open.queue.count >= Self.mostEntries {
      open.queue.removeFirst(Self.mostEntries / 2)
      open.hasGap = true
    }
    open.queue.append(entry)
    source = .open(open)
  }

  /// The page for the request at `bookmark`; `nil` if there is nothing new.
  ///
  /// - Parameter isFirst: whether to return an empty page, too.
  func page(at bookmark: LogRequest.Bookmark, problem: LogProblem?, isFirst: Bool = false) -> LogAnswer? {
    switch source {
    case .open(var open):
      var damaged = 0
      var entries = PageEntries()
      addHistory(&open, to: &entries, &damaged)
      if open.history == nil, entries.list.isEmpty { Self.addQueue(&open, to: &entries) }
      source = .open(open)
      guard !entries.list.isEmpty || isFirst else { return nil }
      var page = LogPage(entries: entries.list, next: bookmark, damaged: damaged)
      page.problem = problem
      return .page(page)
    case .sealed(var tail):
      guard isWritten || isFirst else { return nil }
      var page = EncryptedPage(pieces: [], next: bookmark)
      page.problem = problem
      var size = 0
      while page.pieces.count < MessageLimits.pieces, size < 200_000 {
        guard let piece = tail.next() else {
          isWritten = false
          break
        }
        page.pieces.append(piece)
        if case .blocks(_, let bytes) = piece { size += bytes.count }
      }
      source = .sealed(tail)
      return page.pieces.isEmpty && !isFirst ? nil : .sealed(page)
    }
  }

  private func addHistory(_ open: inout OpenSource, to entries: inout PageEntries, _ damaged: inout Int) {
    guard let history = open.history else { return }
    while !entries.isFull {
      guard let entry = history.reader.next() else {
        open.history = nil
        break
      }
      entries.append(entry)
    }
    let damage = history.reader.damage
    damaged = damage.blocks + damage.segments + damage.files
  }

  private static func addQueue(_ open: inout OpenSource, to entries: inout PageEntries) {
    if open.hasGap { entries.append(.interruption(.gap)) }
    open.hasGap = false
    var count = 0
    while count < open.queue.count, !entries.isFull {
      entries.append(open.queue[count])
      count += 1
    }
    open.queue.removeFirst(count)
  }
}
