package import LocationdService

#if GPSD
  import LinuxDevices
  package import LinuxIO
  import LocationIPC

  /// The receivers of one gpsd, and no others.
  package final class GPSDSource {
    private let address: GPSDAddress
    private let loop: EventLoop
    private lazy var directory = GPSDDirectory(
      loop: loop, endpoint: GPSDEndpoint(address), isInsistent: true, observer: self)
    private unowned let runner: ServiceRunner
    private var told: Set<String> = []

    package init(loop: EventLoop, runner: ServiceRunner, address: GPSDAddress) {
      self.address = address
      self.runner = runner
      self.loop = loop
    }

    package func begin() { directory.ask() }
  }

  extension GPSDSource: GPSDDirectoryObserver {
    func receive(_ devices: [GPSDDevice]?) {
      let present = devices ?? []
      for path in told where !present.contains(where: { $0.path == path }) {
        told.remove(path)
        runner.feed(.deviceVanished(id: path, path: path))
      }
      for device in present {
        told.insert(device.path)
        var sighting = DeviceSighting(id: device.path, path: device.path, kind: .receiver)
        sighting.product = device.subtype
        runner.feed(.deviceAppeared(sighting.owned(by: GPSDRoute(gpsd: address, device: device.path))))
      }
      runner.feed(
        .sourceless(devices == nil ? .noGPSD(address: address.text) : .noReceiverAtGPSD(address: address.text)))
      runner.feed(.inventoryComplete)
    }
  }
#endif
