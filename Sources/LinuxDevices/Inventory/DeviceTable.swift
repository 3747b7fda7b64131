/// The devices that are known, by node, and the changes that lead from one state to the next.
struct DeviceTable {
  /// More serial ports than this on one machine are not counted in.
  static let maximumDevices = 64

  private(set) var devices: [SerialDevice] = []
  /// Devices that the bound kept out.
  private(set) var refused = 0

  /// The node is there, described like this. A known node that is now another device is told as gone and new.
  mutating func note(_ device: SerialDevice) -> [DeviceChange] {
    if let index = devices.firstIndex(where: { $0.path == device.path }) {
      let old = devices[index]
      devices[index] = device
      if old.id == device.id { return [.changed(device)] }
      return [.vanished(id: old.id, path: old.path), .appeared(device)]
    }
    guard devices.count < Self.maximumDevices else {
      refused &+= 1
      return []
    }
    devices.append(device)
    return [.appeared(device)]
  }

  mutating func remove(path: String) -> [DeviceChange] {
    guard let index = devices.firstIndex(where: { $0.path == path }) else { return [] }
    let old = devices.remove(at: index)
    return [.vanished(id: old.id, path: old.path)]
  }

  /// Replaces everything by what a scan found; only differences are told, what is gone first.
  mutating func replace(by found: [SerialDevice]) -> [DeviceChange] {
    var changes: [DeviceChange] = []
    for old in devices where !found.contains(where: { $0.path == old.path }) { changes += remove(path: old.path) }
    for device in found where !devices.contains(device) { changes += note(device) }
    return changes
  }
}
