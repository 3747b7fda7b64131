package import LinuxIO

/// Keeps a `DeviceList` in the state folder, in a file that is always whole.
package struct DeviceListStore: Hashable, Sendable {
  /// What is said of the devices of a list; the name of its file.
  package enum Choice: String, Hashable, Sendable {
    /// General adapters that are receivers.
    case trusted = "trusted-devices"
    /// Receivers that are not gpsd's, whatever it lists.
    case owned = "owned-devices"
  }

  /// The file's path.
  package let path: String

  /// - Parameter folder: the state folder; made when something is first kept.
  package init(_ choice: Choice, folder: String) { path = folder + "/" + choice.rawValue }

  /// What is in it now; nothing, where there is no file or it cannot be read: then nothing is opened unasked.
  package func load() -> DeviceList {
    do throws(SystemError) { return try read() } catch { return DeviceList() }
  }

  /// Replaces the file.
  package func save(_ list: DeviceList) throws(SystemError) { try StateFile.write(path, list.serialized()) }

  /// Changes the word on one device, and keeps what another process wrote since the last look. A list that is there and cannot
  /// be read is an error, and stays.
  package func set(_ id: String, _ isListed: Bool) throws(SystemError) -> DeviceList {
    var list = try read()
    if isListed { list.add(id) } else { list.remove(id) }
    try save(list)
    return list
  }

  private func read() throws(SystemError) -> DeviceList {
    DeviceList(parsing: try StateFile.read(path, maximumSize: DeviceList.maximumFileBytes) ?? [])
  }
}
