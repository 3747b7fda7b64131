import Geodesy
import LinuxIO
import LocationDatabase
import LocationIPC
import LocationPolicy
import LocationStore

/// The list of logs and their states.
extension LogService {
  /// Whether there have ever been logs: an index, which remains when the last log is deleted, or tracks whose index is lost.
  static func hasIndex(in stateFolder: String) -> Bool {
    hasIndexFile(in: stateFolder) || hasTracks(in: stateFolder)
  }

  static func hasTracks(in stateFolder: String) -> Bool {
    !((try? PrivateFolder.folders(in: stateFolder + "/tracks"))?.isEmpty ?? true)
  }

  static func hasIndexFile(in stateFolder: String) -> Bool {
    PrivateFolder.hasFile(LogIndex.fileName, in: stateFolder)
  }

  /// The logs that the requester has access to. If nothing was ever recorded the list is empty, even if the disk has no
  /// room for a new index.
  func list(for requester: LogOwner?) throws(DatabaseError) -> [LogDescription] {
    guard Self.hasIndex(in: stateFolder) else {
      complainOfFullDisk()
      return []
    }
    do throws(DatabaseError) {
      var budget = Self.figuresBudget
      return try descriptions(readable(), readingFigures: &budget) { $0.isVisible(to: requester) }
    } catch {
      guard error.cause == .noRoom, !Self.hasTracks(in: stateFolder) else { throw error }
      complainOfFullDisk()
      return []
    }
  }

  /// Minimum size of an index in bytes.
  private static let smallestIndex = 16_384

  /// Reports once if there is no room for an index.
  private func complainOfFullDisk() {
    guard records, !hasComplained, let room = try? FileSystemCapacity(at: stateFolder), room.free < Self.smallestIndex
    else { return }
    hasComplained = true
    report(.event(.cannotKeep(path: stateFolder, reason: "the disk is full")))
  }

  /// Maximum number of bytes that one list reads to count fixes; the next list continues.
  private static let figuresBudget = 32_000_000

  func descriptions(
    _ open: OpenIndex, readingFigures budget: inout Int, of isWanted: (IndexedLog) -> Bool
  ) throws(DatabaseError) -> [LogDescription] {
    var descriptions: [LogDescription] = []
    for log in try open.index.logs() where isWanted(log) {
      let folder = open.index.folder(of: log)
      let segments = (try? folder.segments()) ?? []
      let imports = ImportedFolder(of: folder)
      let days = (try? imports.days()) ?? []
      var description = LogDescription(
        name: log.name, isRunning: log.isRunning, options: log.configuration.options,
        bytes: segments.reduce(0) { $0 + $1.sizeOnDisk } + days.reduce(0) { $0 + $1.sizeOnDisk })
      if log.isRunning, !records, !isRecordedElsewhere(folder) {
        (description.isRunning, description.isInterrupted) = (false, true)
      }
      description.owner = log.configuration.owner?.identity
      description.publicKey = log.configuration.publicKey?.text
      let begins = [
        segments.first.flatMap { folder.header(of: $0.sequence)?.time }, imports.begin(of: days),
      ]
      description.begin = begins.compactMap(\.self).min()
      let current = recorded(log)
      // The disk counts whole pages and space that is allocated in advance; a person asks how much was recorded.
      description.bytes = max(0, description.bytes - (current?.unusedBytes ?? 0))
      if log.configuration.publicKey == nil {
        description.begin = description.begin ?? current?.oldest
        let figures = figures(of: log, LogFigures.Files(segments: segments, days: days), in: folder, &budget)
        (description.points, description.distance) = (figures?.points, figures?.distance)
      }
      // For an encrypted log, clients receive only the day.
      let end = (log.configuration.publicKey == nil ? current?.newest : nil) ?? folder.end
      description.end = [end, imports.end(of: days)].compactMap(\.self).max()
      description.problem = current?.problem
      descriptions.append(description)
    }
    return descriptions
  }

  /// The figures of a whole log that is not encrypted; `nil` if too much of it has not been read yet.
  private func figures(
    of log: IndexedLog, _ files: LogFigures.Files, in folder: TrackFolder, _ budget: inout Int
  ) -> TrackFigures? {
    let current = recorded(log)
    return figures[log.id, default: LogFigures()].sum(
      of: folder, files, current: current?.figures ?? [:], isChanging: log.isRunning, budget: &budget
    ) {
      if let current { noting(current) { $0.synchronize(at: present) } }
    }
  }

  /// Whether another process records the log: that process holds the lock of the state folder, and the log's own lock
  /// while it can write.
  private func isRecordedElsewhere(_ folder: TrackFolder) -> Bool {
    if FolderLock.holder(of: stateFolder) ?? FolderLock.holder(of: folder.path) != nil { return true }
    // The kernel does not list lock holders in other containers.
    do throws(SystemError) {
      _ = try FolderLock(folder.path)
      return false
    } catch {
      return error.isHeldByOther
    }
  }
}

/// One client's reading of a log, page by page.
protocol LogPaging: AnyObject {
  var client: ClientID { get }

  /// The next page, the bookmark of the page that follows, and whether this page is the last.
  func next(at bookmark: LogRequest.Bookmark) -> (page: LogAnswer, isLast: Bool)
}

extension IndexedLog {
  /// Whether a client has access to the log: its owner, unsandboxed programs of the same user, and root. A log without
  /// an owner belongs to the user of the process that stores it. `nil`: the requester is that process itself.
  func isVisible(to requester: LogOwner?) -> Bool {
    guard let requester, requester.identity != ClientIdentity(userID: 0) else { return true }
    return requester.identity.canSee(configuration.owner?.identity ?? ClientIdentity(userID: ProcessEnvironment.userID))
  }
}
