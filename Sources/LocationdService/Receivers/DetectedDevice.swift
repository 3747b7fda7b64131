package import LocationIPC

package import NetworkSources

/// A device as the core knows it, found by udev, `--source` or a replay.
package struct DetectedDevice: Hashable, Sendable {
  /// Stable identity; baud rates, trust and the owner are stored under it.
  package var id: String
  package var path: String
  /// Other names of its device node: `/dev/serial/by-id/…`.
  package var otherNames: [String] = []
  package var kind: DeviceKind
  package var usbVendorID: UInt16?
  package var usbProductID: UInt16?
  /// Strings that the device reports, sanitized.
  package var manufacturer: String?
  package var product: String?
  /// The recording that it comes from; failures name the recording.
  package var recording: String?
  /// Whether its bytes come from a replay or a simulator.
  package var isSimulated = false
  /// Its address, if it is a receiver in a network.
  package var network: NetworkSource?
  /// Whether it has a baud rate, which can be wrong.
  package var hasLineSpeed = true
  /// Whether polls may be written to it.
  package var mayPoll = true
  /// Whether `id` identifies the hardware, and not only the path where it is.
  package var hasStableID = false
  /// Whether the machine's owner has assigned it to this service, whatever gpsd lists.
  package var isOwned = false
  /// Whether it is being handed over to gpsd: then it is no longer opened.
  package var isLeaving = false
  /// Set if gpsd owns it: then it is never opened, and is reached through gpsd.
  package private(set) var gpsd: GPSDRoute?
  /// Its name in the configuration; set by the core.
  package internal(set) var name: String?
  /// A baud rate that the user named; it is tried first.
  package var namedSpeed: Int?

  /// Whether its baud rate means something to a user. A receiver with USB of its own (CDC ACM) has none, and the kernel's `ttyACM`
  /// stores any; only a bridge, as a trusted adapter is, has a UART behind it.
  package var showsBaud: Bool {
    guard hasLineSpeed, path.hasPrefix("/dev/ttyACM") else { return hasLineSpeed }
    return kind == .trusted && usbVendorID != nil && usbVendorID != Self.ubloxVendorID
  }

  /// A device about which the rest is unknown.
  package init(id: String, path: String, kind: DeviceKind) {
    self.id = id
    self.path = path
    self.kind = kind
  }

  /// The same device as gpsd owns it: it is not polled, and gpsd sets its baud rate.
  package func owned(by route: GPSDRoute) -> DetectedDevice {
    var detectedDevice = self
    detectedDevice.gpsd = route
    detectedDevice.hasLineSpeed = false
    detectedDevice.mayPoll = false
    return detectedDevice
  }

  /// A receiver in a network. It is written to only if the source allows that.
  package init(_ source: NetworkSource) {
    self.init(id: source.text, path: source.text, kind: .trusted)
    network = source
    hasLineSpeed = false
    if case .stream(let stream) = source { mayPoll = stream.isWritable } else { mayPoll = false }
  }

  /// Whether a user's selector (an ID, the node, or one of its other names) selects this device.
  package func matches(selector: String) -> Bool {
    selector == id || selector == path || otherNames.contains(selector)
  }

  /// u-blox AG's USB vendor ID.
  package static let ubloxVendorID: UInt16 = 0x1546
}
