import LinuxDevices
import LinuxIO
package import LocationIPC
package import LocationdService

/// The one port that the user has named. If gpsd lists it, it is used through gpsd, because opening it would end gpsd's use of
/// it, unless it was taken from gpsd.
package final class NamedPort {
  private let sighting: DeviceSighting
  private let neighbour: GPSDNeighbour
  private let ownership: DeviceOwnership
  private unowned let runner: ServiceRunner
  private var isComplete = false
  /// The stable ID of the device behind the name.
  private lazy var stableID = Self.stableID(of: sighting.path)

  package init(_ sighting: DeviceSighting, neighbour: GPSDNeighbour, ownership: DeviceOwnership, runner: ServiceRunner)
  {
    self.sighting = sighting
    self.neighbour = neighbour
    self.ownership = ownership
    self.runner = runner
  }

  package func begin() {
    ownership.onChange = { [unowned self] in tell() }
    neighbour.onChange = { [unowned self] in
      ownership.listChanged()
      tell()
    }
    neighbour.ask()
  }

  /// Changes the owner of the port.
  package func setOwner(_ owner: DeviceOwner, _ answer: @escaping (LocationFailure?) -> Void) {
    ownership.set(owner, of: sighting, as: stableID, answer)
  }

  private func tell() {
    // Without any choice of an owner, the inventory need not be searched.
    guard let placed = ownership.placed(sighting, as: ownership.isEmpty ? sighting.id : stableID) else { return }
    runner.feed(.deviceAppeared(placed))
    guard !isComplete else { return }
    isComplete = true
    runner.feed(.inventoryComplete)
  }

  private static func stableID(of path: String) -> String {
    guard var inventory = try? DeviceInventory(), let number = FileTree().deviceNumber(path) else { return path }
    _ = inventory.rescan()
    return inventory.devices.first { FileTree().deviceNumber($0.path) == number }?.id ?? path
  }
}
