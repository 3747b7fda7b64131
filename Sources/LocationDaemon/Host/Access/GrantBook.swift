import LinuxIO
import LocationPolicy
import LocationStore
import Synchronization

/// Keeps who may know where the machine is. A slow card holds up nobody: a thread of its own writes what has changed, and ends.
final class GrantBook: Sendable {
  private struct State {
    /// Not written yet, in its order.
    var changes: [GrantChange] = []
    var isWriting = false
  }

  private let stateFolder: String
  private let onProblem: @Sendable (String) -> Void
  private let state = Mutex(State())
  /// One writes at a time.
  private let pen = Mutex<Void>(())

  /// - Parameter onProblem: hears, on any thread, what could not be kept or read, in words.
  init(stateFolder: String, onProblem: @escaping @Sendable (String) -> Void) {
    self.stateFolder = stateFolder
    self.onProblem = onProblem
  }

  /// What was kept; nothing where nobody has decided anything yet, or it cannot be read: then nobody has what was granted.
  func load() -> (grants: [Grant], isOn: Bool) {
    guard PrivateFolder.hasFile(GrantStore.fileName, in: stateFolder) else { return ([], true) }
    do throws(DatabaseError) {
      let store = try GrantStore(stateFolder: stateFolder)
      if let name = store.setAside { onProblem("the list was damaged, and is set aside as \(name)") }
      return (try store.grants(), try store.isOn())
    } catch {
      onProblem(error.words)
      return ([], true)
    }
  }

  func keep(_ change: GrantChange) {
    let isFirst = state.withLock { state in
      state.changes.append(change)
      defer { state.isWriting = true }
      return !state.isWriting
    }
    guard isFirst else { return }
    do throws(SystemError) {
      _ = try WorkerThread(name: "grants") { [self] in write() }
    } catch {
      // What nobody else can write is written here, however long that takes.
      write()
    }
  }

  /// Waits until everything is on the disk, or cannot be brought there.
  func finish() { write() }

  /// Writes until nothing is left. What could not be written is told, and tried again with the next change.
  private func write() { pen.withLock { _ in writeAll() } }

  private func writeAll() {
    while true {
      let changes = state.withLock { state in
        state.isWriting = !state.changes.isEmpty
        return state.changes
      }
      guard !changes.isEmpty else { return }
      do throws(DatabaseError) {
        try GrantStore(stateFolder: stateFolder).keep(changes)
        state.withLock { $0.changes.removeFirst(changes.count) }
      } catch {
        state.withLock { $0.isWriting = false }
        return onProblem(error.words)
      }
    }
  }
}
