import Geodesy
import GNSSReceiver
package import LinuxIO
package import LocationdService

/// The data that a service stores from one run to the next: its memory, and the data of each receiver. Without a folder
/// nothing is stored.
package final class ServiceStorage {
  /// The memory is saved at the end of the run and at this interval: short enough that a power failure loses little,
  /// long enough to spare the storage card.
  private static let savingInterval: Duration = .seconds(600)
  private static let idleSavingInterval: Duration = .seconds(60)

  private let loop: EventLoop
  private let startedAt: Instant
  private var savedAt: Instant?
  private let memory: MemoryFile?
  let assistance: AssistanceStore?
  let settings: SavedConfigurationStore?

  /// - Parameter folder: `nil` to store nothing.
  package init(loop: EventLoop, folder: String?) {
    self.loop = loop
    startedAt = loop.now
    memory = folder.map(MemoryFile.init(folder:))
    assistance = folder.map(AssistanceStore.init(folder:))
    settings = folder.map(SavedConfigurationStore.init(folder:))
  }

  /// The memory of earlier runs and of other processes; `nil` if nothing is stored.
  package func loadMemory() -> ServiceMemory? { memory?.load(present: WallClock.believable) }

  func save(_ new: ServiceMemory) {
    savedAt = loop.now
    memory?.save(new, present: WallClock.believable)
  }

  /// Whether it is time to save a changed memory while the service is in use.
  var isDue: Bool { loop.now - (savedAt ?? startedAt) >= Self.savingInterval }

  /// The same at the end of a use, but not for each of many short uses, such as those of a script that requests a fix
  /// once a second.
  var isDueAfterUse: Bool { savedAt.map { loop.now - $0 >= Self.idleSavingInterval } ?? true }
}
