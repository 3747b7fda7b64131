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
    private var reported: Set<String> = []

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
      for path in reported where !present.contains(where: { $0.path == path }) {
        reported.remove(path)
        runner.handle(.deviceVanished(id: path, path: path))
      }
      for device in present {
        reported.insert(device.path)
        var detectedDevice = DetectedDevice(id: device.path, path: device.path, kind: .receiver)
        detectedDevice.product = device.subtype
        runner.handle(.deviceAppeared(detectedDevice.owned(by: GPSDRoute(gpsd: address, device: device.path))))
      }
      runner.handle(
        .sourceless(devices == nil ? .noGPSD(address: address.text) : .noReceiverAtGPSD(address: address.text)))
      runner.handle(.inventoryComplete)
    }
  }
#endif
