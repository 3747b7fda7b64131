/// One thing that happened to the set of devices, in the order that it happened.
package enum DeviceChange: Hashable, Sendable {
  case appeared(SerialDevice)
  /// The node is there still, and its owner, mode, names or description may be others: what was denied may work now.
  case changed(SerialDevice)
  /// The node is gone: whoever has it open closes it at once, or the kernel gives the next one another name.
  case vanished(id: String, path: String)
}
