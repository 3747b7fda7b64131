package import LinuxIO

/// Lists the system's serial ports and receivers and reports added and removed ones, without opening any of them.
///
/// Watch `fileDescriptor` for reading; call `drain()` when it is readable, and once at the start. Uses udev if it runs;
/// otherwise, in containers, inotify on `/dev` and sysfs. Not thread-safe; has no thread of its own.
package struct DeviceInventory: ~Copyable {
  /// The source of changes.
  package enum Mechanism: Hashable, Sendable {
    /// udev if its control socket exists, otherwise inotify.
    case automatic
    /// libudev, even without a udev daemon: devices that no udev daemon has processed are included.
    case udev
    case inotify
  }

  private let source: DeviceSource
  private var table = DeviceTable()
  private var hasScanned = false

  /// - Parameter tree: the tree with `/dev` and `/sys`; a tree other than the real root requires `.inotify`.
  package init(mechanism: Mechanism = .automatic, tree: FileTree = FileTree()) throws(SystemError) {
    let wantsUdev =
      switch mechanism {
      case .automatic: tree.exists("/run/udev/control")
      case .udev: true
      case .inotify: false
      }
    if wantsUdev, let context = UdevContext() {
      self.init(
        .udev(
          try UdevSource(
            context: context, reader: DeviceReader(tree: tree), awaitsInitialization: mechanism == .automatic)))
    } else {
      self.init(.nodes(try NodeSource(tree: tree)))
    }
  }

  private init(_ source: consuming DeviceSource) { self.source = source }

  /// Readable when something may have changed. The inventory owns the descriptor: do not close it, and do not use it
  /// after the inventory.
  package var fileDescriptor: Int32 { source.fileDescriptor }

  /// The source of changes in use; never `.automatic`.
  package var mechanism: Mechanism { source.usesUdev ? .udev : .inotify }

  /// The devices as of the last `drain()` or `rescan()`, in the order of appearance.
  package var devices: [SerialDevice] { table.devices }

  /// How often a device was rejected because of the limit on their number.
  package var refusedDevices: Int { table.refused }

  /// The changes since the last call, oldest first; the first call reports all present devices. Never blocks.
  package mutating func drain() -> [DeviceChange] {
    var changes = hasScanned ? [] : rescan()
    for event in source.receive() {
      switch event {
      case .present(let device): changes += table.note(device)
      case .removed(let name): changes += table.remove(path: "/dev/" + name)
      case .overflow: changes += rescan()
      }
    }
    return changes
  }

  /// Scans all devices again. Needed only if events may not arrive: a container with the host's `/run/udev` and its own
  /// network namespace receives no events.
  package mutating func rescan() -> [DeviceChange] {
    hasScanned = true
    return table.replace(by: source.scan())
  }
}

/// One change to the set of devices; changes are in chronological order.
package enum DeviceChange: Hashable, Sendable {
  case appeared(SerialDevice)
  /// The node still exists, but its owner, mode, names or description may have changed: access that was denied may work now.
  case changed(SerialDevice)
  /// The node is gone. If it is open, close it at once: otherwise the kernel gives the next device another name.
  case vanished(id: String, path: String)
}

/// The source of the inventory's scans and events.
enum DeviceSource: ~Copyable {
  case udev(UdevSource)
  case nodes(NodeSource)

  /// One received event; events are in order.
  enum Event {
    /// The node exists with this description; it may be new or known.
    case present(SerialDevice)
    case removed(name: String)
    /// Events were lost; a new scan is necessary.
    case overflow
  }

  var fileDescriptor: Int32 {
    switch self {
    case .udev(let source): source.monitor.fileDescriptor
    case .nodes(let source): source.fileDescriptor
    }
  }

  var usesUdev: Bool {
    switch self {
    case .udev: true
    case .nodes: false
    }
  }

  /// All present devices.
  func scan() -> [SerialDevice] {
    switch self {
    case .udev(let source): source.scan()
    case .nodes(let source): source.scan.devices()
    }
  }

  /// The pending events, bounded in number. Never blocks.
  func receive() -> [Event] {
    switch self {
    case .udev(let source): source.receive()
    case .nodes(let source): source.receive()
    }
  }
}

/// The known devices by node, and the changes from one state to the next.
struct DeviceTable {
  /// Maximum number of serial ports; further ones are rejected.
  static let maximumDevices = 64

  private(set) var devices: [SerialDevice] = []
  /// Number of devices rejected because of the limit.
  private(set) var refused = 0

  /// Records that the node exists with this description. If a known node is now another device, the old device is
  /// reported as removed and the new one as added.
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

  /// Replaces all devices by the result of a scan; reports only the differences, removed devices first.
  mutating func replace(by found: [SerialDevice]) -> [DeviceChange] {
    var changes: [DeviceChange] = []
    for old in devices where !found.contains(where: { $0.path == old.path }) { changes += remove(path: old.path) }
    for device in found where !devices.contains(device) { changes += note(device) }
    return changes
  }
}
