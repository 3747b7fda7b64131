package import LinuxIO

/// Keeps the `TrustList` in the state folder, in a file that is always whole.
package struct TrustStore: Hashable, Sendable {
  package static let fileName = "trusted-devices"

  /// The file's path.
  package let path: String

  /// - Parameter folder: the state folder; made when something is first kept.
  package init(folder: String) { path = folder + "/" + Self.fileName }

  /// What is trusted now; nothing, where there is no file or it cannot be read: then nothing is opened unasked.
  package func load() -> TrustList {
    do throws(SystemError) { return try read() } catch { return TrustList() }
  }

  /// Replaces the file.
  package func save(_ list: TrustList) throws(SystemError) { try StateFile.write(path, list.serialized()) }

  /// Changes the word on one device, and keeps what another process wrote since the last look. A list that is there and cannot
  /// be read is an error, and stays.
  package func set(_ id: String, trusted: Bool) throws(SystemError) -> TrustList {
    var list = try read()
    if trusted { list.trust(id) } else { list.forget(id) }
    try save(list)
    return list
  }

  private func read() throws(SystemError) -> TrustList {
    TrustList(parsing: try StateFile.read(path, maximumSize: TrustList.maximumFileBytes) ?? [])
  }
}
