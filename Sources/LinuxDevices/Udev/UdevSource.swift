internal import CUdev
internal import Glibc
internal import LinuxIO

/// The source on systems with udev: its monitor and its enumeration.
struct UdevSource: ~Copyable {
  private static let subsystems: [DeviceSubsystem] = [.tty, .gnss]
  /// Maximum number of events per call, so that a flood does not keep the loop busy; the descriptor stays readable.
  private static let maximumEvents = 256

  let context: UdevContext
  let monitor: UdevMonitor
  let reader: DeviceReader
  /// Whether to skip devices that udev is still processing: they have no group and links yet, and an event follows.
  let awaitsInitialization: Bool

  init(
    context: consuming UdevContext, reader: DeviceReader, awaitsInitialization: Bool
  ) throws(SystemError) {
    // The monitor starts before the first scan, so that a change in between is reported twice rather than missed.
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

/// libudev's context, from which the other handles are created.
@safe struct UdevContext: ~Copyable {
  // Safe: this is the only copy of the pointer, released once, in `deinit`.
  let raw: OpaquePointer

  init?() {
    guard let raw = unsafe udev_new() else { return nil }
    unsafe self.raw = raw
  }

  deinit { _ = unsafe udev_unref(raw) }

  /// The sysfs folders of all devices of these subsystems.
  func folders(of subsystems: [DeviceSubsystem], limit: Int) -> [String] {
    guard let enumeration = unsafe udev_enumerate_new(raw) else { return [] }
    defer { _ = unsafe udev_enumerate_unref(enumeration) }
    for subsystem in subsystems { _ = unsafe udev_enumerate_add_match_subsystem(enumeration, subsystem.rawValue) }
    guard unsafe udev_enumerate_scan_devices(enumeration) >= 0 else { return [] }
    var folders: [String] = []
    var entry = unsafe udev_enumerate_get_list_entry(enumeration)
    while let current = unsafe entry, folders.count < limit {
      if let name = unsafe udev_list_entry_get_name(current) { folders.append(unsafe String(cString: name)) }
      unsafe entry = udev_list_entry_get_next(current)
    }
    return folders
  }

  func device(folder: String) -> UdevDevice? {
    guard let device = unsafe udev_device_new_from_syspath(raw, folder) else { return nil }
    return unsafe UdevDevice(adopting: device)
  }
}

/// The netlink socket on which udev reports the devices that it has processed.
@safe struct UdevMonitor: ~Copyable {
  // Safe: this is the only copy of the pointer, released once, in `deinit`.
  private let raw: OpaquePointer

  /// The result of reading from the socket.
  enum Reception: ~Copyable {
    case device(UdevDevice)
    /// The socket overflowed: events were lost, and a new enumeration is necessary.
    case overflow
    case nothing
  }

  init(_ context: borrowing UdevContext, subsystems: [DeviceSubsystem]) throws(SystemError) {
    // "udev", not "kernel": events that are sent after the rules were applied, when group, mode and links are set.
    guard let raw = unsafe udev_monitor_new_from_netlink(context.raw, "udev") else {
      throw SystemError(operation: "udev_monitor_new_from_netlink", errno: errno)
    }
    for subsystem in subsystems {
      _ = unsafe udev_monitor_filter_add_match_subsystem_devtype(raw, subsystem.rawValue, nil)
    }
    // Room for a hub with many ports that is plugged in while the loop is busy.
    _ = unsafe udev_monitor_set_receive_buffer_size(raw, 1 << 20)
    let result = unsafe udev_monitor_enable_receiving(raw)
    guard result >= 0 else {
      _ = unsafe udev_monitor_unref(raw)
      throw SystemError(operation: "udev_monitor_enable_receiving", errno: -result)
    }
    unsafe self.raw = raw
  }

  deinit { _ = unsafe udev_monitor_unref(raw) }

  var fileDescriptor: Int32 { unsafe udev_monitor_get_fd(raw) }

  /// The next event. Never blocks.
  func receive() -> Reception {
    errno = 0
    guard let device = unsafe udev_monitor_receive_device(raw) else {
      return errno == ENOBUFS ? .overflow : .nothing
    }
    return .device(unsafe UdevDevice(adopting: device))
  }
}

/// One device as described by udev, from the enumeration or from an event.
@safe struct UdevDevice: ~Copyable {
  // Safe: this is the only copy of the pointer, released once, in `deinit`; every string is copied.
  private let raw: OpaquePointer

  @unsafe init(adopting raw: OpaquePointer) { unsafe self.raw = raw }

  deinit { _ = unsafe udev_device_unref(raw) }

  /// `add`, `remove`, `change`, `bind`, …; `nil` from an enumeration.
  var action: String? { unsafe Self.text(udev_device_get_action(raw)) }
  /// The device's canonical folder in sysfs.
  var folder: String? { unsafe Self.text(udev_device_get_syspath(raw)) }
  /// Kernel name: `ttyACM0`.
  var name: String? { unsafe Self.text(udev_device_get_sysname(raw)) }
  var subsystem: DeviceSubsystem? {
    unsafe Self.text(udev_device_get_subsystem(raw)).flatMap { DeviceSubsystem(rawValue: $0) }
  }

  /// Whether udev has applied its rules to the device.
  var isInitialized: Bool { unsafe udev_device_get_is_initialized(raw) > 0 }

  /// Links to the node.
  var symlinks: [String] {
    var links: [String] = []
    var entry = unsafe udev_device_get_devlinks_list_entry(raw)
    while let current = unsafe entry, links.count < DeviceReader.maximumSymlinks {
      if let link = unsafe Self.text(udev_list_entry_get_name(current)) { links.append(link) }
      unsafe entry = udev_list_entry_get_next(current)
    }
    return links
  }

  func property(_ name: String) -> String? { unsafe Self.text(udev_device_get_property_value(raw, name)) }

  var facts: DeviceReader.UdevFacts {
    DeviceReader.UdevFacts(symlinks: symlinks, isTaggedReceiver: property("ID_GNSS_RECEIVER") == "1")
  }

  /// A copy of the string; `nil` if there is none, or if it is longer than real names.
  private static func text(_ raw: UnsafePointer<CChar>?) -> String? {
    guard let raw = unsafe raw else { return nil }
    let text = unsafe String(cString: raw)
    return text.utf8.count <= 1024 ? text : nil
  }
}
