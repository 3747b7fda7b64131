package import LinuxIO

/// Knows which serial ports and receivers the machine has, and says what comes and goes, without opening any of them.
///
/// Watch `fileDescriptor` for reading; call `drain()` when it is readable, and once at the start.
/// Through udev where it runs; else, in containers, through inotify on `/dev` and sysfs. Not thread-safe; no thread of its own.
package struct DeviceInventory: ~Copyable {
  /// How changes are heard of.
  package enum Mechanism: Hashable, Sendable {
    /// udev where its control socket exists, else inotify.
    case automatic
    /// udev's library, whoever feeds it: devices that no daemon has been through are taken too.
    case udev
    case inotify
  }

  private let source: DeviceSource
  private var table = DeviceTable()
  private var hasScanned = false

  /// - Parameter tree: where `/dev` and `/sys` are; anything but the real root goes with `.inotify` only.
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

  /// Readable when something may have changed. Owned by the inventory: not to be closed, nor used after it.
  package var fileDescriptor: Int32 { source.fileDescriptor }

  /// What it hears changes from; never `.automatic`.
  package var mechanism: Mechanism { source.usesUdev ? .udev : .inotify }

  /// What is there as of the last `drain()` or `rescan()`, in the order of appearance.
  package var devices: [SerialDevice] { table.devices }

  /// How often the bound on the number of devices kept one out.
  package var refusedDevices: Int { table.refused }

  /// What changed since the last call, oldest first; the first call tells what is there. Never waits.
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

  /// Looks again at everything. Needed only where events may not arrive: a container with the host's `/run/udev` and a
  /// network namespace of its own hears nothing.
  package mutating func rescan() -> [DeviceChange] {
    hasScanned = true
    return table.replace(by: source.scan())
  }
}

/// One thing that happened to the set of devices, in the order that it happened.
package enum DeviceChange: Hashable, Sendable {
  case appeared(SerialDevice)
  /// The node is there still, and its owner, mode, names or description may be others: what was denied may work now.
  case changed(SerialDevice)
  /// The node is gone: whoever has it open closes it at once, or the kernel gives the next one another name.
  case vanished(id: String, path: String)
}

/// Where an inventory looks and what it listens to.
enum DeviceSource: ~Copyable {
  case udev(UdevSource)
  case nodes(NodeSource)

  /// What was heard, in order.
  enum Event {
    /// The node is there, described like this: new, or known.
    case present(SerialDevice)
    case removed(name: String)
    /// Events are lost: only a scan tells the truth.
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

  /// Everything that is there.
  func scan() -> [SerialDevice] {
    switch self {
    case .udev(let source): source.scan()
    case .nodes(let source): source.scan.devices()
    }
  }

  /// What waits, bounded. Never waits.
  func receive() -> [Event] {
    switch self {
    case .udev(let source): source.receive()
    case .nodes(let source): source.receive()
    }
  }
}

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
