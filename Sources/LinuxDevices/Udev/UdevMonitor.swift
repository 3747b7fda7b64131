internal import CUdev
internal import Glibc
internal import LinuxIO

/// The netlink socket on which udev tells what it has finished with.
@safe struct UdevMonitor: ~Copyable {
  // Safe: the only copy of the pointer, released once, in `deinit`.
  private let raw: OpaquePointer

  /// What waits on the socket.
  enum Reception: ~Copyable {
    case device(UdevDevice)
    /// The socket overflowed: events are lost, only a new enumeration tells the truth.
    case overflow
    case nothing
  }

  init(_ context: borrowing UdevContext, subsystems: [DeviceSubsystem]) throws(SystemError) {
    // "udev", not "kernel": after the rules, when group, mode and links are there.
    guard let raw = unsafe udev_monitor_new_from_netlink(context.raw, "udev") else {
      throw SystemError(operation: "udev_monitor_new_from_netlink", errno: errno)
    }
    for subsystem in subsystems {
      _ = unsafe udev_monitor_filter_add_match_subsystem_devtype(raw, subsystem.rawValue, nil)
    }
    // Room for a hub with many ports, plugged in while the loop is busy.
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

  /// Never waits.
  func receive() -> Reception {
    errno = 0
    guard let device = unsafe udev_monitor_receive_device(raw) else {
      return errno == ENOBUFS ? .overflow : .nothing
    }
    return .device(unsafe UdevDevice(adopting: device))
  }
}
