/// A UUID of 128 bits, as two halves in the order in which it is written.
package struct BeaconUUID: Hashable, Sendable {
  package let high: UInt64
  package let low: UInt64

  /// A UUID of two halves.
  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }
}

/// What a beacon calls itself. Several beacons may use the same identity; the address of a beacon changes, and identifies nothing.
package struct BeaconIdentity: Hashable, Sendable {
  /// The form of its advertisement.
  package enum Format: UInt8, Hashable, Sendable {
    case iBeacon = 0
    case altBeacon = 1
    case eddystoneUID = 2
  }

  package let format: Format
  package let uuid: BeaconUUID
  package let major: UInt16
  package let minor: UInt16

  /// An identity.
  package init(format: Format = .iBeacon, uuid: BeaconUUID, major: UInt16, minor: UInt16) {
    self.format = format
    self.uuid = uuid
    self.major = major
    self.minor = minor
  }

  /// The data of a manufacturer that advertises this identity in the form of an iBeacon, with the company identifier 0x004C, for
  /// the element 0xFF of an advertisement. `powerAtOneMeter` is in dBm.
  package func manufacturerData(powerAtOneMeter: Int8) -> [UInt8] {
    var bytes: [UInt8] = [0x4C, 0x00, 0x02, 0x15]
    for half in [uuid.high, uuid.low] {
      for shift in stride(from: 56, through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: half >> UInt64(shift)))
      }
    }
    for value in [major, minor] { bytes += [UInt8(value >> 8), UInt8(value & 0xFF)] }
    return bytes + [UInt8(bitPattern: powerAtOneMeter)]
  }
}

/// Which beacons a program wants: all with a UUID, or only those with a major number, or with a major and a minor number too.
package struct BeaconConstraint: Hashable, Sendable {
  package let uuid: BeaconUUID
  package let major: UInt16?
  package let minor: UInt16?

  /// A constraint; a minor number without a major number has no effect, as in Apple's framework.
  package init(uuid: BeaconUUID, major: UInt16? = nil, minor: UInt16? = nil) {
    self.uuid = uuid
    self.major = major
    self.minor = major == nil ? nil : minor
  }

  /// Whether a beacon satisfies the constraint. Major and minor numbers exist in all formats.
  package func matches(_ identity: BeaconIdentity) -> Bool {
    uuid == identity.uuid && (major ?? identity.major) == identity.major && (minor ?? identity.minor) == identity.minor
  }
}
