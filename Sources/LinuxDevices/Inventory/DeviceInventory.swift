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
