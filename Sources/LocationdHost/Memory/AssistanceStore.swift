package import GNSSReceiver
import LinuxIO
import WireFormats

/// Stores the satellite assistance data of receivers, in a UBX log for each. A read or write failure costs a slower
/// first fix, and is never reported.
package struct AssistanceStore {
  /// Maximum number of receivers besides the one saved last, 64 KiB each at most; beyond it the entry that was not saved for the
  /// longest time is deleted.
  static let maximumReceivers = 16

  private let folder: String

  /// The store in `folder`, which is created with the first entry.
  package init(folder: String) { self.folder = folder + "/assistance" }

  /// The intact part of the entry for `key`.
  package func load(_ key: ReceiverKey) -> AssistanceData? {
    guard let bytes = try? StateFile.read(path(of: key), maximumSize: AssistanceData.maximumSize) else { return nil }
    var data = AssistanceData(key: key)
    var decoder = WireDecoder()
    decoder.push(bytes.span) { message in
      // Only assistance data of this file is ever sent to a receiver, whatever else the file contains.
      if case .ubx(.assistance(let payload)) = message { _ = data.append(payload.frame) }
    }
    return data.frames.isEmpty ? nil : data
  }

  package func save(_ data: AssistanceData) {
    let path = path(of: data.key)
    try? StateFile.write(path, data.bytes, waitsForDisk: false)
    StateFile.prune(around: path, keeping: Self.maximumReceivers)
  }

  private func path(of key: ReceiverKey) -> String { "\(folder)/\(key.text).ubx" }
}
