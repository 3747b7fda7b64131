import Glibc
import LinuxDevices
import LinuxIO

/// Watches devices and reads from those that may be opened, until standard input ends.
struct DeviceWatch: ~Copyable {
  private var inventory: DeviceInventory
  private var ports: [(path: String, descriptor: Int32)] = []

  init(mechanism: DeviceInventory.Mechanism, root: String) throws(SystemError) {
    inventory = try DeviceInventory(mechanism: mechanism, tree: FileTree(root: root))
  }

  mutating func run() {
    apply(inventory.drain())
    JSONLine(
      event: "watching", fields: [("mechanism", "\(inventory.mechanism)"), ("devices", "\(inventory.devices.count)")]
    ).write()
    while true {
      var waits =
        [pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)]
        + [pollfd(fd: inventory.fileDescriptor, events: Int16(POLLIN), revents: 0)]
      waits += ports.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
      guard unsafe poll(&waits, nfds_t(waits.count), -1) >= 0 else { continue }
      if waits[0].revents != 0 { return }
      for (wait, port) in zip(waits.dropFirst(2), ports) where wait.revents != 0 { read(from: port) }
      if waits[1].revents != 0 { apply(inventory.drain()) }
    }
  }

  private mutating func apply(_ changes: [DeviceChange]) {
    for change in changes {
      switch change {
      case .appeared(let device):
        describe(device, event: "appeared")
        if device.mayBeOpened(trusting: DeviceList()) { open(device.path) }
      case .changed(let device):
        describe(device, event: "changed")
      case .vanished(let id, let path):
        close(path)
        JSONLine(event: "vanished", fields: [("id", id), ("path", path)]).write()
      }
    }
  }

  private func describe(_ device: SerialDevice, event: String) {
    JSONLine(
      event: event,
      fields: [
        ("id", device.id), ("path", device.path), ("class", "\(device.classification)"), ("bus", device.bus.rawValue),
        ("usb", device.usb.map { "\($0)" } ?? ""), ("product", device.product ?? ""),
        ("serial", device.serialNumber ?? ""), ("symlinks", device.symlinks.joined(separator: " ")),
      ]
    ).write()
  }

  private mutating func open(_ path: String) {
    let descriptor = unsafe Glibc.open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    if descriptor >= 0 { ports.append((path, descriptor)) }
  }

  private mutating func close(_ path: String) {
    for port in ports where port.path == path { _ = Glibc.close(port.descriptor) }
    ports.removeAll { $0.path == path }
  }

  private mutating func read(from port: (path: String, descriptor: Int32)) {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = unsafe Glibc.read(port.descriptor, &buffer, buffer.count)
    guard count > 0 else {
      close(port.path)
      return
    }
    let text = String(decoding: buffer[..<count], as: UTF8.self)
    JSONLine(event: "bytes", fields: [("path", port.path), ("text", text)]).write()
  }
}
