package import LinuxIO

/// The folder of a destination.
package enum FleetFolder {
  /// Deletes a destination's folder with everything in it.
  package static func remove(_ path: String) throws(SystemError) {
    try discardBacklog(path)
    for file in try PrivateFolder.files(in: path) { try FileChange.remove("\(path)/\(file.name)") }
    PrivateFolder.removeEmpty(path)
  }

  /// Deletes what waits to be sent. The settings stay, and whether the destination is paused.
  package static func discardBacklog(_ path: String) throws(SystemError) {
    for name in ["track", "thinning"] {
      let folder = "\(path)/\(name)"
      for file in (try? PrivateFolder.files(in: folder)) ?? [] { try FileChange.remove("\(folder)/\(file.name)") }
      PrivateFolder.removeEmpty(folder)
    }
    let names = [FleetCursorFile.name, FleetEventFile.name]
    for file in try PrivateFolder.files(in: path) where names.contains(file.name) {
      try FileChange.remove("\(path)/\(file.name)")
    }
  }
}
