package import Geodesy
import LocationIPC
import TrackFormats

/// The forms in which clients receive epochs.
package struct GPSDForms: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let json = GPSDForms(rawValue: 1 << 0)
  package static let nmea = GPSDForms(rawValue: 1 << 1)
}

/// An epoch in the forms that clients receive, the same bytes for all clients with the same access.
package struct GPSDEpochText: Hashable, Sendable {
  package let epoch: GPSDEpoch
  /// The access for which it was encoded; a client with another one never receives it.
  package let access: GPSDAccess
  /// The path of the receiver as such clients see it.
  package let device: String
  /// SKY, GST and TPV, whole lines; empty unless requested.
  package fileprivate(set) var json: [UInt8] = []
  /// Sentences of NMEA 0183; empty unless requested.
  package fileprivate(set) var nmea: [UInt8] = []
}

/// Encodes each epoch once for all clients of a server that have the same access; a server has one encoder for each access.
/// Encoding allocates nothing, unless a slow client still has the bytes of the previous epoch.
package struct GPSDEpochEncoder: Sendable {
  /// The time for which a text is valid. Its radius is aged to the time of sending; meanwhile it grows by less than a
  /// centimeter at the assumed speed of a walk, and by 15 cm at 30 m/s.
  private static let lifetime: Duration = .milliseconds(5)
  /// Satellites in view are sent once a second, at whatever rate the fixes are; epochs are not exactly one second apart.
  private static let listInterval: Duration = .milliseconds(950)

  private let access: GPSDAccess
  private var objects = GPSDObjectBuffer()
  private var sentences = NMEASentenceBuffer()
  private var current: (epoch: GPSDEpoch, forms: GPSDForms, at: Instant)?
  private var listedAt: Instant?

  package init(access: GPSDAccess) { self.access = access }

  /// The text of an epoch as it is sent at `now`.
  ///
  /// - Parameter devices: the receivers, with the paths that clients see.
  package mutating func text(
    _ epoch: GPSDEpoch, _ forms: GPSDForms, devices: GPSDDeviceList, at now: Instant
  ) -> GPSDEpochText {
    let device = devices.shownPath(epoch.device, to: access)
    if !isCurrent(epoch, at: now) {
      objects.removeAll()
      sentences.removeAll()
      current = (epoch, [], now)
    }
    let missing = forms.subtracting(current?.forms ?? [])
    if missing.contains(.json) { objects.append(epoch, device: device, access: access, at: now) }
    if missing.contains(.nmea) {
      let listsSatellites = listedAt.map { now - $0 >= Self.listInterval } ?? true
      sentences.append(epoch, access: access, listsSatellites: listsSatellites, at: now)
      if listsSatellites { listedAt = now }
    }
    current?.forms.formUnion(forms)
    var text = GPSDEpochText(epoch: epoch, access: access, device: device)
    if forms.contains(.json) { text.json = objects.bytes }
    if forms.contains(.nmea) { text.nmea = sentences.bytes }
    return text
  }

  private func isCurrent(_ epoch: GPSDEpoch, at now: Instant) -> Bool {
    guard let current else { return false }
    return now - current.at <= Self.lifetime && current.epoch == epoch
  }
}

extension GPSDObjectBuffer {
  /// The objects of an epoch, each with its line end: TPV comes last, because it ends the epoch.
  mutating func append(_ epoch: GPSDEpoch, device: String, access: GPSDAccess, at now: Instant) {
    if access == .full, let sky = epoch.completeSky {
      appendSKY(sky, device: sky.device)
      endLine()
    }
    if appendGST(epoch, device: device, access: access, at: now) { endLine() }
    appendTPV(epoch, device: device, access: access, at: now)
    endLine()
  }
}

extension GPSDDeviceList {
  /// The path of a receiver as a client with this access sees it.
  package func shownPath(_ path: String, to access: GPSDAccess) -> String {
    access == .full ? path : ServiceStatus.withoutSerialNumber(path)
  }
}
