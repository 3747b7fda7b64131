import Geodesy
import LinuxDevices
package import LinuxIO
package import LocationIPC
package import LocationdService

/// Reports the available devices to the service: those in the machine's inventory, with the owner's decisions on
/// general-purpose adapters, with gpsd as the route to its own receivers, and with the devices that were taken from
/// gpsd.
package final class DeviceSource: DeviceAdministration, OwnershipObserver {
  /// A folder that cannot be created, for a service without a state folder: nothing is read from or stored in it.
  package static let noFolder = "/dev/null/state"

  /// A running gpsd claims a newly plugged-in receiver within these times. gpsd's list is requested after each of them;
  /// only after the last one does the receiver count as free.
  private static let grace: [Duration] = [.milliseconds(300), .seconds(1), .seconds(2)]

  private let loop: EventLoop
  private unowned let runner: ServiceRunner
  private var inventory: DeviceInventory
  private let trust: DeviceListStore
  private var trusted: DeviceList
  private let stateFolder: String?
  private let gpsd: GPSDAddress?
  package private(set) lazy var neighbour = GPSDOwnership(loop: loop, address: gpsd, observer: self)
  package private(set) lazy var ownership = DeviceOwnership(
    loop: loop, runner: runner, stateFolder: stateFolder, neighbour: neighbour, observer: self)
  private var watch: WatchID?
  private var hasBegun = false
  private var isComplete = false
  /// Devices that gpsd may claim soon, by identity.
  private var held: Set<String> = []
  /// Devices that are not in the inventory: those of gpsd, nodes that were taken from gpsd, and named ports.
  private var unidentified: Set<String> = []
  /// The named receivers; a name is sufficient for a receiver to be opened.
  private var receivers: [NamedReceiver]
  /// The only receiver that is reported; `nil` to report all.
  private let only: NamedReceiver?

  /// - Parameters:
  ///   - stateFolder: `nil` to store nothing.
  ///   - gpsd: the gpsd that keeps its receivers; `nil` to ignore gpsd.
  ///   - receivers: the named receivers.
  ///   - only: the one receiver to report; `nil` for all.
  package init(
    loop: EventLoop, runner: ServiceRunner, stateFolder: String?, minding gpsd: GPSDAddress?,
    receivers: [NamedReceiver] = [], only: NamedReceiver? = nil
  ) throws(SystemError) {
    (self.loop, self.runner, self.stateFolder, self.gpsd) = (loop, runner, stateFolder, gpsd)
    (self.receivers, self.only) = (receivers, only)
    inventory = try DeviceInventory()
    trust = DeviceListStore(.trusted, folder: stateFolder ?? Self.noFolder)
    trusted = trust.load()
  }

  /// Reports the current devices, and from then on all changes.
  package func begin() throws(SystemError) {
    let watch = try loop.watch(inventory.fileDescriptor) { [unowned self] _ in
      for change in inventory.drain() { receive(change) }
    }
    loop.pause(watch)
    self.watch = watch
    neighbour.ask()
  }

  package func setOwner(
    _ owner: DeviceOwner, of device: DetectedDevice, _ answer: @escaping (LocationFailure?) -> Void
  ) {
    ownership.set(owner, of: device, as: device.id, answer)
  }

  /// Stores the owner's decision on a device and reports it to the service; returns a failure, or `nil`.
  package func changeTrust(of id: String, to isTrusted: Bool) -> LocationFailure? {
    do throws(SystemError) {
      trusted = try trust.set(id, isTrusted)
    } catch {
      return .cannotStore(path: trust.path, errno: error.errno)
    }
    for device in inventory.devices where device.id == id { report(device) }
    return nil
  }

  /// Loads the decisions that the owner has stored in the meantime.
  package func reload() {
    trusted = trust.load()
    ownership.reload()
    reportAll()
  }

  /// Replaces the named receivers. If a receiver whose name was removed is still a source, its open port stays open
  /// until it is unplugged.
  package func name(_ receivers: [NamedReceiver]) {
    self.receivers = receivers
    reportAll()
  }

  // MARK: -

  func ownersChanged() { reportAll() }

  func gpsdAnswered() {
    ownership.listChanged()
    if !hasBegun {
      hasBegun = true
      for change in inventory.rescan() { report(change) }
      if let watch { loop.resume(watch) }
    } else {
      for device in inventory.devices where neighbour.route(to: device.path) != nil { held.remove(device.id) }
    }
    reportAll()
  }

  /// Reports all devices in their current state.
  private func reportAll() {
    guard hasBegun else { return }
    for device in inventory.devices where !held.contains(device.id) { report(device) }
    reportUnidentified()
    // Devices that are being taken from gpsd will be reported soon.
    guard !isComplete, !ownership.isUndecided else { return }
    isComplete = true
    runner.handle(.inventoryComplete)
  }

  private func receive(_ change: DeviceChange) {
    // The port of a named receiver may have been added to the inventory, or removed from it.
    defer { if receivers.contains(where: { $0.port != nil }) { reportUnidentified() } }
    guard case .appeared(let device) = change else { return report(change) }
    if neighbour.isPresent {
      held.insert(device.id)
    } else {
      report(change)
      // Hotplugging may start a gpsd, to which a receiver that was taken from it is passed again.
      guard ownership.isOwned(device.id) else { return }
    }
    for delay in Self.grace {
      loop.schedule(at: loop.now + delay) { [unowned self] in
        // gpsd has not claimed the device by the last of these times.
        if delay == Self.grace.last, held.remove(device.id) != nil { report(device) }
        neighbour.ask()
      }
    }
  }

  private func report(_ change: DeviceChange) {
    switch change {
    case .appeared(let device), .changed(let device):
      if !held.contains(device.id) { report(device) }
    case .vanished(let id, let path):
      held.remove(id)
      ownership.forget(id)
      runner.handle(.deviceVanished(id: id, path: path))
    }
  }

  private func report(_ device: SerialDevice) {
    if let detectedDevice = detectedDevice(of: device) { runner.handle(.deviceAppeared(detectedDevice)) }
  }

  private func detectedDevice(of device: SerialDevice) -> DetectedDevice? {
    let route = neighbour.route(to: device.path)
    let kind: DeviceKind
    switch (device.classification, device.mayBeOpened(trusting: trusted)) {
    // A user has added the device to gpsd as a receiver.
    case _ where route != nil: kind = .receiver
    case (.receiver, _): kind = .receiver
    case (_, true): kind = .trusted
    case _ where isNamed(device): kind = .trusted
    // A user has assigned the device to this service.
    case _ where ownership.isOwned(device.id): kind = .trusted
    case (.adapter, false): kind = .adapter
    case (.ignored, false): return nil
    }
    var detectedDevice = DetectedDevice(id: device.id, path: device.path, kind: kind)
    detectedDevice.otherNames = device.symlinks + portNames(of: device)
    if let only, !only.matches(detectedDevice) { return nil }
    detectedDevice.usbVendorID = device.usb?.vendorID
    detectedDevice.usbProductID = device.usb?.productID
    detectedDevice.manufacturer = device.manufacturer
    detectedDevice.product = device.product
    detectedDevice.hasStableID = device.id != device.path
    return ownership.placed(detectedDevice, as: device.id)
  }

  /// Reports receivers that are not in this machine's inventory, such as those on the network or a pseudo-terminal:
  /// gpsd's receivers, those that were taken from gpsd, and those at named ports.
  private func reportUnidentified() {
    var found = neighbour.devices.filter { device in
      !inventory.devices.contains { neighbour.route(to: $0.path)?.device == device.path }
    }.map { DetectedDevice(stranger: $0.path, product: $0.subtype) }
    for path in ownership.nodes where FileTree().deviceNumber(path) != nil {
      guard !found.contains(where: { $0.path == path }), !inventory.devices.contains(where: { $0.path == path }) else {
        continue
      }
      found.append(DetectedDevice(stranger: path, product: nil))
    }
    for port in namedPorts where !found.contains(where: { $0.path == port }) {
      found.append(DetectedDevice(id: port, path: port, kind: .trusted))
    }
    if let only { found.removeAll { !only.matches($0) } }
    for path in unidentified where !found.contains(where: { $0.path == path }) {
      unidentified.remove(path)
      runner.handle(.deviceVanished(id: path, path: path))
    }
    for stranger in found {
      guard let detectedDevice = ownership.placed(stranger, as: stranger.id) else { continue }
      unidentified.insert(detectedDevice.path)
      runner.handle(.deviceAppeared(detectedDevice))
    }
  }
}

/// The receivers that the configuration names.
extension DeviceSource {
  private func isNamed(_ device: SerialDevice) -> Bool {
    receivers.contains {
      $0.matches(id: device.id, path: device.path, otherNames: device.symlinks + portNames(of: device))
    }
  }

  /// The configured names of a device's port that udev does not know, such as links that an administrator has created.
  private func portNames(of device: SerialDevice) -> [String] {
    let ports = receivers.compactMap(\.port).filter { $0 != device.path && !device.symlinks.contains($0) }
    guard !ports.isEmpty, let number = FileTree().deviceNumber(device.path) else { return [] }
    return ports.filter { FileTree().deviceNumber($0) == number }
  }

  /// The ports that are named without an ID and that the inventory does not list; they may appear later.
  private var namedPorts: [String] {
    receivers.filter { $0.id == nil }.compactMap(\.port).filter { port in
      guard let number = FileTree().deviceNumber(port) else { return true }
      return !inventory.devices.contains { FileTree().deviceNumber($0.path) == number }
    }
  }
}

extension DetectedDevice {
  /// A device of which only the path and, from gpsd, the product are known.
  fileprivate init(stranger path: String, product: String?) {
    self.init(id: path, path: path, kind: .receiver)
    self.product = product
  }
}
