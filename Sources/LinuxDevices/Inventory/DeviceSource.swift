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
