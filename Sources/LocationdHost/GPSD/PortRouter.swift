package import LocationdService

#if GPSD
  package import Diagnosis

  /// Directs each link to the driver of its device: the serial ports, or gpsd.
  package final class PortRouter: PortDriver {
    private let direct: any PortDriver
    private let gpsd: any PortDriver
    private var behindGPSD: Set<LinkID> = []

    package init(direct: any PortDriver, gpsd: any PortDriver) {
      self.direct = direct
      self.gpsd = gpsd
    }

    package func open(_ id: LinkID, _ device: DetectedDevice) {
      if device.gpsd != nil { behindGPSD.insert(id) } else { behindGPSD.remove(id) }
      ports(id).open(id, device)
    }

    package func close(_ id: LinkID) { ports(id).close(id) }
    package func setSpeed(_ id: LinkID, baud: Int) { ports(id).setSpeed(id, baud: baud) }
    package func write(_ id: LinkID, _ bytes: [UInt8]) { ports(id).write(id, bytes) }

    package func lineErrors(_ id: LinkID) -> LineErrors? { ports(id).lineErrors(id) }

    private func ports(_ id: LinkID) -> any PortDriver { behindGPSD.contains(id) ? gpsd : direct }
  }
#endif
