import LinuxDevices
import LinuxIO
import LocationIPC

/// Tells the service which devices are there: those that the machine shows, with the owner's word on the general adapters.
final class DeviceSource {
  private let loop: EventLoop
  private unowned let runner: ServiceRunner
  private var inventory: DeviceInventory
  private let trust: TrustStore
  private var trusted: TrustList
  private var watch: WatchID?

  init(loop: EventLoop, runner: ServiceRunner, stateFolder: String) throws(SystemError) {
    self.loop = loop
    self.runner = runner
    inventory = try DeviceInventory()
    trust = TrustStore(folder: stateFolder)
    trusted = trust.load()
  }

  /// Tells what is there now, and from then on what changes.
  func begin() throws(SystemError) {
    for change in inventory.rescan() { tell(change) }
    runner.feed(.inventoryComplete)
    watch = try loop.watch(inventory.fileDescriptor) { [unowned self] _ in
      for change in inventory.drain() { tell(change) }
    }
  }

  /// Writes down what the owner says of a device and tells the service; a failure, or `nil`.
  func changeTrust(of id: String, to isTrusted: Bool) -> LocationFailure? {
    do throws(SystemError) {
      trusted = try trust.set(id, trusted: isTrusted)
    } catch {
      return .cannotStore(path: trust.path, errno: error.errno)
    }
    for device in inventory.devices where device.id == id { tell(.changed(device)) }
    return nil
  }

  private func tell(_ change: DeviceChange) {
    switch change {
    case .appeared(let device), .changed(let device):
      guard let sighting = sighting(of: device) else { return }
      runner.feed(.deviceAppeared(sighting))
    case .vanished(let id, let path): runner.feed(.deviceVanished(id: id, path: path))
    }
  }

  private func sighting(of device: SerialDevice) -> DeviceSighting? {
    let kind: DeviceKind
    switch (device.classification, device.mayBeOpened(trusting: trusted)) {
    case (.receiver, _): kind = .receiver
    case (_, true): kind = .trusted
    case (.adapter, false): kind = .adapter
    case (.ignored, false): return nil
    }
    var sighting = DeviceSighting(id: device.id, path: device.path, kind: kind)
    sighting.otherNames = device.symlinks
    sighting.usbVendorID = device.usb?.vendorID
    sighting.usbProductID = device.usb?.productID
    sighting.product = device.product
    sighting.hasStableID = device.id != device.path
    return sighting
  }
}
