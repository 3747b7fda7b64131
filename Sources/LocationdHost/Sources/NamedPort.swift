import LinuxDevices
package import LinuxIO
package import LocationIPC
package import LocationdService

/// The one port that the user has named. If gpsd lists the port, it is used through gpsd, because opening it would end
/// gpsd's use of it; unless the port was taken from gpsd.
package final class NamedPort: DeviceAdministration, OwnershipObserver {
  private let detectedDevice: DetectedDevice
  private let loop: EventLoop
  private unowned let runner: ServiceRunner
  private let stateFolder: String?
  private let gpsd: GPSDAddress?
  package private(set) lazy var neighbour = GPSDOwnership(loop: loop, address: gpsd, observer: self)
  package private(set) lazy var ownership = DeviceOwnership(
    loop: loop, runner: runner, stateFolder: stateFolder, neighbour: neighbour, observer: self)
  private var isComplete = false
  /// The stable ID of the device behind the name.
  private lazy var stableID = Self.stableID(of: detectedDevice.path)

  /// - Parameters:
  ///   - stateFolder: `nil` to store nothing.
  ///   - gpsd: the gpsd that keeps its receivers; `nil` to ignore gpsd.
  package init(
    _ detectedDevice: DetectedDevice, loop: EventLoop, runner: ServiceRunner, stateFolder: String?,
    minding gpsd: GPSDAddress?
  ) {
    (self.detectedDevice, self.loop, self.runner, self.stateFolder, self.gpsd) = (
      detectedDevice, loop, runner, stateFolder, gpsd
    )
  }

  package func begin() { neighbour.ask() }

  package func setOwner(
    _ owner: DeviceOwner, of device: DetectedDevice, _ answer: @escaping (LocationFailure?) -> Void
  ) {
    ownership.set(owner, of: detectedDevice, as: stableID, answer)
  }

  /// A named port is trusted because it was named.
  package func changeTrust(of id: String, to isTrusted: Bool) -> LocationFailure? {
    .unknownDevice(selector: id, known: [])
  }

  func ownersChanged() { report() }

  func gpsdAnswered() {
    ownership.listChanged()
    report()
  }

  private func report() {
    // If no owner was chosen for any device, the inventory need not be searched.
    guard let placed = ownership.placed(detectedDevice, as: ownership.isEmpty ? detectedDevice.id : stableID) else {
      return
    }
    runner.handle(.deviceAppeared(placed))
    guard !isComplete else { return }
    isComplete = true
    runner.handle(.inventoryComplete)
  }

  private static func stableID(of path: String) -> String {
    guard var inventory = try? DeviceInventory(), let number = FileTree().deviceNumber(path) else { return path }
    _ = inventory.rescan()
    return inventory.devices.first { FileTree().deviceNumber($0.path) == number }?.id ?? path
  }
}
