import Geodesy
import LinuxIO
import LocationIPC
import LocationPolicy
import LocationStore

/// Which logs there are, and how they stand.
extension LogKeeper {
  /// Where nothing was ever recorded there is no log, whatever the disk says of a new index.
  func list(for asker: LogOwner?) throws(DatabaseError) -> [LogDescription] {
    guard Self.hasIndex(in: stateFolder) else {
      complainOfFullDisk()
      return []
    }
    do throws(DatabaseError) {
      return try descriptions(readable()) { $0.isVisible(to: asker) }
    } catch {
      guard error.cause == .noRoom, !Self.hasTracks(in: stateFolder) else { throw error }
      complainOfFullDisk()
      return []
    }
  }

  /// So many bytes an index takes at least.
  private static let smallestIndex = 16_384

  /// Tells the owner once where there is no room for an index.
  private func complainOfFullDisk() {
    guard records, !hasComplained, let room = try? FileSystemRoom(at: stateFolder), room.free < Self.smallestIndex
    else { return }
    hasComplained = true
    onNews?(.cannotKeep(path: stateFolder, reason: "the disk is full"))
  }

  func descriptions(
    _ open: OpenIndex, of isWanted: (KeptLog) -> Bool
  ) throws(DatabaseError) -> [LogDescription] {
    var descriptions: [LogDescription] = []
    for log in try open.index.logs() where isWanted(log) {
      let folder = open.index.folder(of: log)
      let segments = (try? folder.segments()) ?? []
      var description = LogDescription(
        name: log.name, isRunning: log.isRunning, options: log.wish.options,
        bytes: segments.reduce(0) { $0 + $1.sizeOnDisk })
      if log.isRunning, !records, !isRecordedElsewhere(folder) {
        (description.isRunning, description.isInterrupted) = (false, true)
      }
      description.owner = log.wish.owner?.identity
      description.begin = segments.first.flatMap { folder.header(of: $0.sequence)?.time }
      let current = recorded(log)
      // To all but its owner a sealed log tells days.
      description.end = (log.wish.seal == nil ? current?.newest : nil) ?? folder.end
      description.problem = current?.problem
      descriptions.append(description)
    }
    return descriptions
  }

  /// Whether another process records, which holds the lock of the state folder, and that of the log's own while it can write.
  private func isRecordedElsewhere(_ folder: TrackFolder) -> Bool {
    if FolderLock.holder(of: stateFolder) ?? FolderLock.holder(of: folder.path) != nil { return true }
    // The kernel does not list those of other containers.
    do throws(SystemError) {
      _ = try FolderLock(folder.path)
      return false
    } catch {
      return error.isHeldByOther
    }
  }
}
