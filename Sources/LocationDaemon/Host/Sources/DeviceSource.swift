import Geodesy
import LinuxDevices
import LinuxIO
import LocationIPC

/// Tells the service which devices are there: those that the machine shows, with the owner's word on the general adapters,
/// and with gpsd as the way to those that are gpsd's.
final class DeviceSource {
  /// A running gpsd takes up a receiver that is plugged in within so long; only then is it nobody's.
  private static let grace: [Duration] = [.milliseconds(300), .seconds(1), .seconds(2)]

  private let loop: EventLoop
  private unowned let runner: ServiceRunner
  private var inventory: DeviceInventory
  private let trust: TrustStore
  private var trusted: TrustList
  private let neighbour: GPSDNeighbour
  private var watch: WatchID?
  private var hasBegun = false
  /// Devices that gpsd may be about to take, by identity.
  private var held: Set<String> = []
  /// Devices of gpsd's that the machine does not show.
  private var strangers: Set<String> = []

  init(
    loop: EventLoop, runner: ServiceRunner, stateFolder: String, neighbour: GPSDNeighbour
  ) throws(SystemError) {
    self.loop = loop
    self.runner = runner
    self.neighbour = neighbour
    inventory = try DeviceInventory()
    trust = TrustStore(folder: stateFolder)
    trusted = trust.load()
  }

  /// Tells what is there now, and from then on what changes.
  func begin() throws(SystemError) {
    let watch = try loop.watch(inventory.fileDescriptor) { [unowned self] _ in
      for change in inventory.drain() { take(change) }
    }
    loop.pause(watch)
    self.watch = watch
    neighbour.onChange = { [unowned self] in neighbourAnswered() }
    neighbour.ask()
  }

  /// Writes down what the owner says of a device and tells the service; a failure, or `nil`.
  func changeTrust(of id: String, to isTrusted: Bool) -> LocationFailure? {
    do throws(SystemError) {
      trusted = try trust.set(id, trusted: isTrusted)
    } catch {
      return .cannotStore(path: trust.path, errno: error.errno)
    }
    for device in inventory.devices where device.id == id { tell(device) }
    return nil
  }

  /// Takes up what the owner has written down meanwhile.
  func reloadTrust() {
    trusted = trust.load()
    for device in inventory.devices { tell(device) }
  }

  // MARK: -

  private func neighbourAnswered() {
    if !hasBegun {
      hasBegun = true
      for change in inventory.rescan() { tell(change) }
      if let watch { loop.resume(watch) }
      tellStrangers()
      runner.feed(.inventoryComplete)
    } else {
      for device in inventory.devices where !held.contains(device.id) || neighbour.route(to: device.path) != nil {
        held.remove(device.id)
        tell(device)
      }
      tellStrangers()
    }
  }

  private func take(_ change: DeviceChange) {
    guard case .appeared(let device) = change, neighbour.isPresent else { return tell(change) }
    held.insert(device.id)
    for delay in Self.grace {
      loop.schedule(at: loop.now + delay) { [unowned self] in
        // The last word: nobody has taken it.
        if delay == Self.grace.last, held.remove(device.id) != nil { tell(device) }
        neighbour.ask()
      }
    }
  }

  private func tell(_ change: DeviceChange) {
    switch change {
    case .appeared(let device), .changed(let device):
      if !held.contains(device.id) { tell(device) }
    case .vanished(let id, let path):
      held.remove(id)
      runner.feed(.deviceVanished(id: id, path: path))
    }
  }

  private func tell(_ device: SerialDevice) {
    if let sighting = sighting(of: device) { runner.feed(.deviceAppeared(sighting)) }
  }

  private func sighting(of device: SerialDevice) -> DeviceSighting? {
    let route = neighbour.route(to: device.path)
    let kind: DeviceKind
    switch (device.classification, device.mayBeOpened(trusting: trusted)) {
    // Somebody has told gpsd that it is one.
    case _ where route != nil: kind = .receiver
    case (.receiver, _): kind = .receiver
    case (_, true): kind = .trusted
    case (.adapter, false): kind = .adapter
    case (.ignored, false): return nil
    }
    var sighting = DeviceSighting(id: device.id, path: device.path, kind: kind)
    sighting.otherNames = device.symlinks
    sighting.usbVendorID = device.usb?.vendorID
    sighting.usbProductID = device.usb?.productID
    sighting.manufacturer = device.manufacturer
    sighting.product = device.product
    sighting.hasStableID = device.id != device.path
    return route.map(sighting.owned) ?? sighting
  }

  /// Receivers of gpsd's that are no node of this machine's inventory: on the network, or a pseudo-terminal.
  private func tellStrangers() {
    let found = neighbour.devices.filter { device in
      !inventory.devices.contains { neighbour.route(to: $0.path)?.device == device.path }
    }
    for path in strangers where !found.contains(where: { $0.path == path }) {
      strangers.remove(path)
      runner.feed(.deviceVanished(id: path, path: path))
    }
    for device in found {
      guard let route = neighbour.route(to: device) else { continue }
      strangers.insert(device.path)
      var sighting = DeviceSighting(id: device.path, path: device.path, kind: .receiver)
      sighting.product = device.subtype
      runner.feed(.deviceAppeared(sighting.owned(by: route)))
    }
  }
}
