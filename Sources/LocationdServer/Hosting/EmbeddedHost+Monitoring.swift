import LinuxIO
import LocationPolicy
import LocationStore

extension EmbeddedHost {
  /// Whether this user has a monitoring list of that name from an earlier run, so that a process has a reason to host
  /// the service. Returns `false` if another process of this user currently hosts the list.
  ///
  /// - Parameter stateFolder: `nil` to determine it from the environment.
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
      // If a list cannot be read, that is reported when it is requested.
      return false
    }
  }
}
