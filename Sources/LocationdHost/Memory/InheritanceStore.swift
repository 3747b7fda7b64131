package import GNSSReceiver
import LinuxIO

/// Keeps what is to be put back in receivers, a text file for each, from before the first change until the last is undone: a
/// process that is killed meanwhile has the next one do it. What cannot be written leaves the receiver as unplugging it
/// mends it.
package struct InheritanceStore {
  /// More receivers than anybody has; the one that was changed before all others is forgotten.
  static let maximumReceivers = 32

  private let folder: String

  /// Those in `folder`, which is made when there is something to keep.
  package init(folder: String) { self.folder = folder + "/settings" }

  /// What is to be put back in the receiver `key`; `nil`: nothing, or nothing that can be understood.
  package func load(_ key: ReceiverKey) -> InheritedSettings? {
    let file = try? StateFile.read(path(of: key), maximumSize: InheritedSettings.maximumFileSize)
    return file.flatMap { InheritedSettings(text: String(decoding: $0, as: UTF8.self)) }
  }

  /// Keeps it for whoever comes next, also after a kill; `nil`: nothing is to be put back any more. A power cut takes what is in
  /// the receiver's RAM as well, so that nobody waits for the disk.
  package func save(_ settings: InheritedSettings?, of key: ReceiverKey) {
    let path = path(of: key)
    guard let settings else { return StateFile.remove(path) }
    try? StateFile.write(path, Array(settings.text.utf8), waitsForDisk: false)
    StateFile.prune(around: path, keeping: Self.maximumReceivers)
  }

  private func path(of key: ReceiverKey) -> String { "\(folder)/\(key.text).txt" }
}
