import LocationdService

#if GPSD
  import Diagnosis

  /// Sends each link to the ports that its device is behind: real ones, or gpsd.
  final class RoutedPorts: LinkPorts {
    private let direct: any LinkPorts
    private let gpsd: any LinkPorts
    private var behindGPSD: Set<LinkID> = []

    init(direct: any LinkPorts, gpsd: any LinkPorts) {
      self.direct = direct
      self.gpsd = gpsd
    }

    func open(_ id: LinkID, _ device: DeviceSighting) {
      if device.gpsd != nil { behindGPSD.insert(id) } else { behindGPSD.remove(id) }
      ports(id).open(id, device)
    }

    func close(_ id: LinkID) { ports(id).close(id) }
    func setSpeed(_ id: LinkID, baud: Int) { ports(id).setSpeed(id, baud: baud) }
    func write(_ id: LinkID, _ bytes: [UInt8]) { ports(id).write(id, bytes) }

    func lineErrors(_ id: LinkID) -> LineErrors? { ports(id).lineErrors(id) }

    private func ports(_ id: LinkID) -> any LinkPorts { behindGPSD.contains(id) ? gpsd : direct }
  }
#endif
