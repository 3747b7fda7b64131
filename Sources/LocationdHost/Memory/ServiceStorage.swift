import Geodesy
import GNSSReceiver
package import LinuxIO
package import LocationdService

/// What a service stores between two runs: its memory, and the data of each receiver. Without a folder nothing is stored.
package final class ServiceStorage {
  /// The memory is saved at the end, and in between: often enough that a power failure loses little, rarely enough to spare the
  /// card.
  private static let savingInterval: Duration = .seconds(600)
  private static let idleSavingInterval: Duration = .seconds(60)

  private let loop: EventLoop
  private let startedAt: Instant
  private var savedAt: Instant?
  private let memory: MemoryFile?
  let assistance: AssistanceStore?
  let settings: SavedConfigurationStore?

  /// - Parameter folder: `nil`: nothing is stored.
  package init(loop: EventLoop, folder: String?) {
    self.loop = loop
    startedAt = loop.now
    memory = folder.map(MemoryFile.init(folder:))
    assistance = folder.map(AssistanceStore.init(folder:))
    settings = folder.map(SavedConfigurationStore.init(folder:))
  }

  /// The memory of earlier runs, and of other processes; `nil`: nothing is stored.
  package func loadMemory() -> ServiceMemory? { memory?.load(present: WallClock.believable) }

  /// Saves the memory.
  func save(_ new: ServiceMemory) {
    savedAt = loop.now
    memory?.save(new, present: WallClock.believable)
  }

  /// Whether a changed memory is to be saved while the service is in use.
  var isDue: Bool { loop.now - (savedAt ?? startedAt) >= Self.savingInterval }

  /// The same when a use ends, but not for each of many short uses such as a script that polls once a second.
  var isDueAfterUse: Bool { savedAt.map { loop.now - $0 >= Self.idleSavingInterval } ?? true }
}
