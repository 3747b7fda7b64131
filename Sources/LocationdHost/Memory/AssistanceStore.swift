package import GNSSReceiver
import LinuxIO
import WireFormats

/// Keeps what receivers knew of their satellites, a UBX log for each. What cannot be read or written costs a slower first
/// fix, never a failure.
package struct AssistanceStore {
  /// More receivers than anybody has, 64 KiB each at most; the one that was not seen for longest is forgotten.
  static let maximumReceivers = 16

  private let folder: String

  /// Those in `folder`, which is made when there is something to keep.
  package init(folder: String) { self.folder = folder + "/assistance" }

  /// What is kept under `key`, as far as it is whole.
  package func load(_ key: ReceiverKey) -> AssistanceData? {
    guard let bytes = try? StateFile.read(path(of: key), maximumSize: AssistanceData.maximumSize) else { return nil }
    var data = AssistanceData(key: key)
    var decoder = WireDecoder()
    decoder.push(bytes.span) { message in
      // Nothing but assistance is ever sent to a receiver from here, whatever the file holds.
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
