import Foundation
import LinuxIO

/// A folder that is removed with this value.
struct TemporaryFolder: ~Copyable {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "locationd-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes the file under another name first, and then renames it, like logind.
  func write(_ name: String, _ text: String) throws {
    try StateFile.write(path + "/" + name, Array(text.utf8), waitsForDisk: false)
  }

  func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path + "/" + name) }
}
