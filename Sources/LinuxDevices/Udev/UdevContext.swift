internal import CUdev

/// libudev's context, which the other handles are made from.
@safe struct UdevContext: ~Copyable {
  // Safe: the only copy of the pointer, released once, in `deinit`.
  let raw: OpaquePointer

  init?() {
    guard let raw = unsafe udev_new() else { return nil }
    unsafe self.raw = raw
  }

  deinit { _ = unsafe udev_unref(raw) }

  /// The folders in sysfs of every device of these subsystems.
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
