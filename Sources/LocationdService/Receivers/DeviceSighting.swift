package import LocationIPC

/// A device as the core knows it, whatever found it: udev, `--source`, or a replay.
package struct DeviceSighting: Hashable, Sendable {
  /// Stable identity; speeds, trust and the owner are kept by it.
  package var id: String
  package var path: String
  /// Other names of its node: `/dev/serial/by-id/…`.
  package var otherNames: [String] = []
  package var kind: DeviceKind
  package var usbVendorID: UInt16?
  package var usbProductID: UInt16?
  /// Strings of the device, sanitized.
  package var manufacturer: String?
  package var product: String?
  /// The recording that it comes from, which failures are about.
  package var recording: String?
  /// Whether its bytes come from a replay or a simulator.
  package var isSimulated = false
  /// Whether it has a line speed that can be wrong.
  package var hasLineSpeed = true
  /// Whether polls may be written to it.
  package var mayPoll = true
  /// Whether `id` tells the hardware, and not only the path where it is.
  package var hasStableID = false
  /// Whether the machine's owner has given it to this service, whatever gpsd lists.
  package var isOwned = false
  /// Whether it is on its way to gpsd: then it is opened no more.
  package var isLeaving = false
  /// Set where gpsd owns it: then it is never opened, and gpsd is the way to it.
  package private(set) var gpsd: GPSDRoute?
  /// A speed that the user named; it is tried first.
  package var namedSpeed: Int?

  /// A sighting of which the rest is unknown.
  package init(id: String, path: String, kind: DeviceKind) {
    self.id = id
    self.path = path
    self.kind = kind
  }

  /// The same device as gpsd's: it is asked nothing, and its speed is gpsd's affair.
  package func owned(by route: GPSDRoute) -> DeviceSighting {
    var sighting = self
    sighting.gpsd = route
    sighting.hasLineSpeed = false
    sighting.mayPoll = false
    return sighting
  }

  /// Whether a user's selector (an ID, the node, or one of its other names) means this device.
  package func matches(selector: String) -> Bool {
    selector == id || selector == path || otherNames.contains(selector)
  }

  /// u-blox AG's USB vendor ID.
  package static let ubloxVendorID: UInt16 = 0x1546
}
