internal import CUdev

/// One device as udev describes it: from the enumeration, or from an event.
@safe struct UdevDevice: ~Copyable {
  // Safe: the only copy of the pointer, released once, in `deinit`; every string is copied out.
  private let raw: OpaquePointer

  @unsafe init(adopting raw: OpaquePointer) { unsafe self.raw = raw }

  deinit { _ = unsafe udev_device_unref(raw) }

  /// `add`, `remove`, `change`, `bind`, …; `nil` from an enumeration.
  var action: String? { unsafe Self.text(udev_device_get_action(raw)) }
  /// Folder in sysfs, canonical.
  var folder: String? { unsafe Self.text(udev_device_get_syspath(raw)) }
  /// Kernel name: `ttyACM0`.
  var name: String? { unsafe Self.text(udev_device_get_sysname(raw)) }
  var subsystem: DeviceSubsystem? {
    unsafe Self.text(udev_device_get_subsystem(raw)).flatMap { DeviceSubsystem(rawValue: $0) }
  }

  /// Whether udev has been through its rules with it.
  var isInitialized: Bool { unsafe udev_device_get_is_initialized(raw) > 0 }

  /// Other names of the node.
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

  /// Copied, and only where it is of a length that real names have.
  private static func text(_ raw: UnsafePointer<CChar>?) -> String? {
    guard let raw = unsafe raw else { return nil }
    let text = unsafe String(cString: raw)
    return text.utf8.count <= 1024 ? text : nil
  }
}
