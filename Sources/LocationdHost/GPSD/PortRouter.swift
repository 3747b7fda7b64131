package import Diagnosis
package import LocationdService

/// Directs each link to the ports of its device: real ones, gpsd's, or those in networks.
package final class PortRouter: PortDriver {
  private let direct: any PortDriver
  /// `nil`: this build cannot use gpsd.
  private let gpsd: (any PortDriver)?
  private let network: any PortDriver
  private var others: [LinkID: any PortDriver] = [:]

  package init(direct: any PortDriver, gpsd: (any PortDriver)?, network: any PortDriver) {
    (self.direct, self.gpsd, self.network) = (direct, gpsd, network)
  }

  package func open(_ id: LinkID, _ device: DetectedDevice) {
    others[id] = device.gpsd != nil ? gpsd : device.network != nil ? network : nil
    ports(id).open(id, device)
  }

  package func close(_ id: LinkID) { ports(id).close(id) }
  package func setSpeed(_ id: LinkID, baud: Int) { ports(id).setSpeed(id, baud: baud) }
  package func write(_ id: LinkID, _ bytes: [UInt8]) { ports(id).write(id, bytes) }

  package func lineErrors(_ id: LinkID) -> LineErrors? { ports(id).lineErrors(id) }

  private func ports(_ id: LinkID) -> any PortDriver { others[id] ?? direct }
}
