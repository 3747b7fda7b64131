/// Who a sentence says it is from: the two letters after `$`. Only a hint at the satellite system.
package enum Talker: UInt8, Hashable, Sendable {
  /// Any other device.
  case other
  case gps
  case glonass
  case galileo
  case beidou
  case qzss
  case navic
  /// Several systems together (GN).
  case combined

  /// The talker that the two letters name (NMEA 0183 4.11, table 1; BD and PQ are BeiDou by older makers).
  package init(_ first: UInt8, _ second: UInt8) {
    switch (first, second) {
    case (UInt8(ascii: "G"), UInt8(ascii: "P")): self = .gps
    case (UInt8(ascii: "G"), UInt8(ascii: "N")): self = .combined
    case (UInt8(ascii: "G"), UInt8(ascii: "L")): self = .glonass
    case (UInt8(ascii: "G"), UInt8(ascii: "A")): self = .galileo
    case (UInt8(ascii: "G"), UInt8(ascii: "B")), (UInt8(ascii: "B"), UInt8(ascii: "D")),
      (UInt8(ascii: "P"), UInt8(ascii: "Q")):
      self = .beidou
    case (UInt8(ascii: "G"), UInt8(ascii: "Q")), (UInt8(ascii: "Q"), UInt8(ascii: "Z")): self = .qzss
    case (UInt8(ascii: "G"), UInt8(ascii: "I")): self = .navic
    default: self = .other
    }
  }

  /// The talker of a system.
  init(_ system: NMEASystem) {
    switch system {
    case .gps: self = .gps
    case .glonass: self = .glonass
    case .galileo: self = .galileo
    case .beidou: self = .beidou
    case .qzss: self = .qzss
    case .navic: self = .navic
    }
  }

  /// The system whose numbering it uses; `nil`: each number says.
  package var system: NMEASystem? {
    switch self {
    case .gps: .gps
    case .glonass: .glonass
    case .galileo: .galileo
    case .beidou: .beidou
    case .qzss: .qzss
    case .navic: .navic
    case .combined, .other: nil
    }
  }
}
