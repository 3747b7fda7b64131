package import GNSSReceiver
import LinuxIO

/// Stores the settings to restore in receivers, in a text file for each receiver, from before the first change until
/// the last change is undone: if the process is killed, the next one restores them. Without the file, unplugging the
/// receiver restores its settings.
package struct SavedConfigurationStore {
  /// Maximum number of receivers besides the one saved last, more than any user has; beyond it the entry that was not saved for
  /// the longest time is deleted.
  static let maximumReceivers = 32

  private let folder: String

  /// The store in `folder`, which is created with the first entry.
  package init(folder: String) { self.folder = folder + "/settings" }

  /// The settings to restore in the receiver `key`; `nil` if there are none, or if the file is not readable.
  package func load(_ key: ReceiverKey) -> SavedReceiverConfiguration? {
    let file = try? StateFile.read(path(of: key), maximumSize: SavedReceiverConfiguration.maximumFileSize)
    return file.flatMap { SavedReceiverConfiguration(text: String(decoding: $0, as: UTF8.self)) }
  }

  /// Stores the settings for the next process, in case this one is killed; `nil` if nothing is left to restore. Does
  /// not wait for the disk, because a power failure also clears the receiver's RAM.
  package func save(_ settings: SavedReceiverConfiguration?, of key: ReceiverKey) {
    let path = path(of: key)
    guard let settings else { return StateFile.remove(path) }
    try? StateFile.write(path, Array(settings.text.utf8), waitsForDisk: false)
    StateFile.prune(around: path, keeping: Self.maximumReceivers)
  }

  private func path(of key: ReceiverKey) -> String { "\(folder)/\(key.text).txt" }
}
