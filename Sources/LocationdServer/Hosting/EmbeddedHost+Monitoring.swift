import LinuxIO
import LocationPolicy
import LocationStore

extension EmbeddedHost {
  /// Whether a process that hosts the service has something monitored under that name from an earlier run: then it is worth hosting one.
  /// No, where another process of this user does so just now.
  ///
  /// - Parameter stateFolder: `nil`: where the environment says.
  package static func monitors(_ list: String, stateFolder: String? = nil) -> Bool {
    let state =
      stateFolder ?? Directories.state(environment: ProcessEnvironment.value, isRoot: ProcessEnvironment.isRoot)
    guard let folder = state.map({ "\($0)/monitoring" }), MonitoringStore.exists(in: folder) else { return false }
    do {
      let lock = try FolderLock(folder)
      return try withExtendedLifetime(lock) {
        try MonitoringStore(stateFolder: folder).lists().contains { $0.list.name == list }
      }
    } catch {
      // What cannot be read is told to who asks for it.
      return false
    }
  }
}
