package import TimeService

/// The PPS devices of the machine, as the kernel shows them in sysfs. None is opened.
package struct PulseDevices {
  private static let folder = "/sys/class/pps"
  private let tree: FileTree

  /// - Parameter tree: the tree with `/sys`.
  package init(tree: FileTree = FileTree()) { self.tree = tree }

  /// The names of all devices: `pps0`.
  package var names: [String] { tree.names(in: Self.folder).filter { PulseChoice($0) == .device($0) } }

  /// The device of a receiver; `nil`: none.
  ///
  /// - Parameters:
  ///   - tty: the name of its port, such as `ttyAMA0`.
  ///   - isOnlyReceiver: whether a pulse at a pin can only be its own.
  package func device(of tty: String, _ choice: PulseChoice, isOnlyReceiver: Bool) -> String? {
    switch choice {
    case .off: return nil
    case .device(let name): return names.contains(name) ? name : nil
    case .automatic:
      let names = names
      // The line discipline N_PPS names its port (drivers/pps/clients/pps-ldisc.c).
      if let own = names.first(where: { tree.text(of: "\(Self.folder)/\($0)/path") == "/dev/\(tty)" }) { return own }
      let pins = names.filter { tree.text(of: "\(Self.folder)/\($0)/path")?.hasPrefix("/dev/") != true }
      return isOnlyReceiver && pins.count == 1 ? pins[0] : nil
    }
  }

  /// The latest pulse of a device; `nil`: none yet, or there is no such device.
  package func reading(of name: String) -> PulseReading? {
    tree.text(of: "\(Self.folder)/\(name)/assert").flatMap { PulseReading(assert: $0) }
  }
}
