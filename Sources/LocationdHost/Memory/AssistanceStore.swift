package import GNSSReceiver
import LinuxIO
import WireFormats

/// Stores receivers' satellite assistance data, a UBX log for each. A read or write failure costs a slower first fix, but is
/// never reported as a failure.
package struct AssistanceStore {
  /// More receivers than any user has, 64 KiB each at most; beyond that the receiver not seen for longest is deleted.
  static let maximumReceivers = 16

  private let folder: String

  /// The store in `folder`, which is created with the first entry.
  package init(folder: String) { self.folder = folder + "/assistance" }

  /// The entry for `key`, as far as it is intact.
  package func load(_ key: ReceiverKey) -> AssistanceData? {
    guard let bytes = try? StateFile.read(path(of: key), maximumSize: AssistanceData.maximumSize) else { return nil }
    var data = AssistanceData(key: key)
    var decoder = WireDecoder()
    decoder.push(bytes.span) { message in
      // Only assistance data is ever sent to a receiver from this file, whatever else it contains.
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
