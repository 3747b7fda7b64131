package import GNSSReceiver
import LinuxIO

/// Stores the settings to restore in receivers, a text file for each receiver, from before the first change until the last is
/// undone: if the process is killed, the next one restores them. Without the file, unplugging the receiver restores it.
package struct SavedConfigurationStore {
  /// More receivers than any user has; beyond that the receiver changed first is deleted.
  static let maximumReceivers = 32

  private let folder: String

  /// The store in `folder`, which is created with the first entry.
  package init(folder: String) { self.folder = folder + "/settings" }

  /// The settings to restore in the receiver `key`; `nil`: none, or the file is not readable.
  package func load(_ key: ReceiverKey) -> SavedReceiverConfiguration? {
    let file = try? StateFile.read(path(of: key), maximumSize: SavedReceiverConfiguration.maximumFileSize)
    return file.flatMap { SavedReceiverConfiguration(text: String(decoding: $0, as: UTF8.self)) }
  }

  /// Stores the settings for the next process, in case this one is killed; `nil`: nothing is left to restore. It does not wait
  /// for the disk, because a power failure also clears the receiver's RAM.
  package func save(_ settings: SavedReceiverConfiguration?, of key: ReceiverKey) {
    let path = path(of: key)
    guard let settings else { return StateFile.remove(path) }
    try? StateFile.write(path, Array(settings.text.utf8), waitsForDisk: false)
    StateFile.prune(around: path, keeping: Self.maximumReceivers)
  }

  private func path(of key: ReceiverKey) -> String { "\(folder)/\(key.text).txt" }
}
