package import LocationdService

#if GPSD
  package import Diagnosis

  /// Directs each link to the ports of its device: real ones, or gpsd's.
  package final class RoutedPorts: LinkPorts {
    private let direct: any LinkPorts
    private let gpsd: any LinkPorts
    private var behindGPSD: Set<LinkID> = []

    package init(direct: any LinkPorts, gpsd: any LinkPorts) {
      self.direct = direct
      self.gpsd = gpsd
    }

    package func open(_ id: LinkID, _ device: DeviceSighting) {
      if device.gpsd != nil { behindGPSD.insert(id) } else { behindGPSD.remove(id) }
      ports(id).open(id, device)
    }

    package func close(_ id: LinkID) { ports(id).close(id) }
    package func setSpeed(_ id: LinkID, baud: Int) { ports(id).setSpeed(id, baud: baud) }
    package func write(_ id: LinkID, _ bytes: [UInt8]) { ports(id).write(id, bytes) }

    package func lineErrors(_ id: LinkID) -> LineErrors? { ports(id).lineErrors(id) }

    private func ports(_ id: LinkID) -> any LinkPorts { behindGPSD.contains(id) ? gpsd : direct }
  }
#endif
