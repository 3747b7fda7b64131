/// A decoded NMEA sentence.
package enum NMEAMessage: Sendable {
  case rmc(RMC)
  case gga(GGA)
  case gns(GNS)
  case gll(GLL)
  case vtg(VTG)
  case gsa(GSA)
  case gsv(GSV)
  case zda(ZDA)
  case dtm(DTM)
  case gst(GST)
  case gbs(GBS)
  case hdt(HDT)
  case ths(THS)
  case magneticHeading(MagneticHeadingSentence)
  case rateOfTurn(ROT)
  case txt(TXT)
  case pubxPosition(PUBXPosition)
  /// One per satellite of a PUBX,03.
  case pubxSatellite(PUBXSatellite)
  case pubxTime(PUBXTime)
  case pmtk(PMTK)
  case pgrme(PGRME)
  case ggk(GGK)
  case pqxfi(PQXFI)
  case phoneAccuracy(PhoneAccuracy)
  /// A sentence with a correct checksum and a type that is not decoded: the first five letters of its address, most significant
  /// first.
  case unknown(UInt64)
}

/// Encodes sentences to send.
package enum NMEASentence {
  /// `$`, the content, its checksum and the line ending. The content must be printable ASCII without `$`, `!` and `*`.
  package static func encode(_ content: String) -> [UInt8] {
    var checksum: UInt8 = 0
    for byte in content.utf8 { checksum ^= byte }
    var line: [UInt8] = [UInt8(ascii: "$")]
    line += content.utf8
    line += [UInt8(ascii: "*"), HexDigit.digit(of: checksum >> 4), HexDigit.digit(of: checksum & 15), 0x0D, 0x0A]
    return line
  }
}

/// The sender of a sentence: the two letters after `$`. Only a hint at the satellite system.
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

  /// The talker that the two letters name (NMEA 0183 4.11, table 1; older manufacturers use BD and PQ for BeiDou).
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

  /// The system whose satellite numbering the talker uses; `nil` if each number identifies its system.
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

/// The system identifier of GSA and of Quectel's PQGSV (NMEA 0183 4.11, table 20).
package enum NMEASystem: UInt8, Hashable, Sendable {
  case gps = 1
  case glonass = 2
  case galileo = 3
  case beidou = 4
  case qzss = 5
  case navic = 6
}

/// The mode indicator of RMC, GLL, VTG, GNS (since NMEA 0183 2.3; 4.11 adds F, R, P).
package enum PositionMode: UInt8, Hashable, Sendable {
  case autonomous = 0x41  // A
  case differential = 0x44  // D
  case estimated = 0x45  // E
  case rtkFloat = 0x46  // F
  case manual = 0x4D  // M
  case invalid = 0x4E  // N
  case precise = 0x50  // P
  case rtkFixed = 0x52  // R
  case simulator = 0x53  // S
  /// "Caution" in THS and in the RMC of some manufacturers.
  case caution = 0x43  // C
  case unsafe = 0x55  // U
  case valid = 0x56  // V
}
