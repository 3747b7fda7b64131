package import LinuxIO

/// The folder of a destination.
package enum FleetFolder {
  /// Deletes a destination's folder with everything in it.
  package static func remove(_ path: String) throws(SystemError) {
    for name in ["track", "thinning"] {
      let folder = "\(path)/\(name)"
      for file in (try? PrivateFolder.files(in: folder)) ?? [] { try FileChange.remove("\(folder)/\(file.name)") }
      PrivateFolder.removeEmpty(folder)
    }
    for file in try PrivateFolder.files(in: path) { try FileChange.remove("\(path)/\(file.name)") }
    PrivateFolder.removeEmpty(path)
  }
}
