package import Geodesy

/// Whether the machine is put on its charger, by the kernel's power supplies (Documentation/ABI/testing/sysfs-class-power: `type`,
/// `online`).
package struct MainsPower: Sendable {
  /// Read no more often than this.
  private static let interval: Duration = .seconds(30)
  private static let mostSupplies = 32
  private static let folder = "/sys/class/power_supply"

  private let tree: FileTree
  private var readAt: Instant?
  private var isOnline: Bool?

  package init(_ tree: FileTree = FileTree()) { self.tree = tree }

  /// Whether it has been put on its charger since this was asked last.
  package mutating func wasPluggedIn(at now: Instant) -> Bool {
    if let readAt, now - readAt < Self.interval { return false }
    readAt = now
    let before = isOnline
    isOnline = present
    return before == false && isOnline == true
  }

  /// `nil`: there is no charger that the kernel knows of.
  private var present: Bool? {
    var found: Bool?
    for supply in tree.names(in: Self.folder).sorted().prefix(Self.mostSupplies) {
      let type = tree.text(of: "\(Self.folder)/\(supply)/type") ?? ""
      guard type == "Mains" || type.hasPrefix("USB"),
        let online = tree.text(of: "\(Self.folder)/\(supply)/online")
      else { continue }
      found = found ?? false || online != "0"
    }
    return found
  }
}
