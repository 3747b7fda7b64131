internal import LinuxIO

/// The source where udev runs: its monitor, and its enumeration.
struct UdevSource: ~Copyable {
  private static let subsystems: [DeviceSubsystem] = [.tty, .gnss]
  /// Events taken at once: a flood keeps the descriptor readable instead of the loop busy.
  private static let maximumEvents = 256

  let context: UdevContext
  let monitor: UdevMonitor
  let reader: DeviceReader
  /// A device that udev is still at has neither its group nor its links yet, and its event is on the way.
  let awaitsInitialization: Bool

  init(
    context: consuming UdevContext, reader: DeviceReader, awaitsInitialization: Bool
  ) throws(SystemError) {
    // Receiving starts before the first scan: what comes in between is told twice, never missed.
    monitor = try UdevMonitor(context, subsystems: Self.subsystems)
    self.context = context
    self.reader = reader
    self.awaitsInitialization = awaitsInitialization
  }

  func scan() -> [SerialDevice] {
    var found: [SerialDevice] = []
    for folder in context.folders(of: Self.subsystems, limit: FileTree.maximumEntries) {
      guard let device = context.device(folder: folder), device.isInitialized || !awaitsInitialization,
        let read = read(device)
      else { continue }
      found.append(read)
    }
    return found
  }

  func receive() -> [DeviceSource.Event] {
    var events: [DeviceSource.Event] = []
    for _ in 0..<Self.maximumEvents {
      switch monitor.receive() {
      case .device(let device):
        guard let name = device.name else { continue }
        if device.action == "remove" {
          events.append(.removed(name: name))
        } else if let read = read(device) {
          events.append(.present(read))
        }
      case .overflow:
        events.append(.overflow)
      case .nothing:
        return events
      }
    }
    return events
  }

  private func read(_ device: borrowing UdevDevice) -> SerialDevice? {
    guard let name = device.name, let subsystem = device.subsystem, DeviceReader.isCandidate(name, subsystem: subsystem)
    else { return nil }
    return reader.device(name: name, subsystem: subsystem, folder: device.folder, facts: device.facts)
  }
}
