/// The sentences and messages that a receiver sends for an epoch, in order.
struct EpochOutput: Sendable {
  let configuration: SimulatedReceiver.Configuration

  /// UBX messages, by their identifiers in the class NAV, that a receiver sends for an epoch by default.
  static func usualOutputs(_ configuration: SimulatedReceiver.Configuration) -> [UInt8] {
    guard !configuration.isFactorySet else { return [] }
    return switch configuration.dialect {
    case .nmea23, .nmea411: []
    case .ublox6: [0x02, 0x06, 0x12, 0x21, 0x04, 0x30]
    case .ublox7: [0x07, 0x04, 0x30]
    case .ublox8: [0x07, 0x04, 0x35]
    case .ublox9: [0x07, 0x04, 0x36, 0x35, 0x61]
    case .mixed: [0x07, 0x35]
    }
  }

  /// The whole output for `epoch`, one element per sentence or message; `outputs`: the UBX messages that are switched on.
  func messages(of epoch: SimulatedEpoch, outputs: [UInt8]) -> [[UInt8]] {
    func messages(_ ids: [UInt8]) -> [[UInt8]] {
      ids.filter(outputs.contains).compactMap { message($0, of: epoch) }
    }
    // Solutions, then NMEA, then satellites and the end.
    return messages([0x02, 0x06, 0x12, 0x21, 0x07, 0x04, 0x36]) + sentences(of: epoch) + messages([0x30, 0x35, 0x61])
  }

  /// A message of class NAV for `epoch`; `nil` for an identifier that is not simulated, and for NAV-PVT if the
  /// generation does not have it.
  func message(_ id: UInt8, of epoch: SimulatedEpoch) -> [UInt8]? {
    let ubx = UBXEpochEncoder(epoch: epoch)
    return switch id {
    case 0x02: ubx.posllh()
    case 0x04: ubx.dop()
    case 0x06: ubx.sol()
    case 0x07: pvt(of: epoch)
    case 0x12: ubx.velned()
    case 0x21: ubx.timeutc()
    case 0x26: configuration.dialect == .ublox6 || configuration.dialect == .ublox7 ? nil : ubx.timels()
    case 0x30: ubx.svinfo(chip: configuration.dialect == .ublox6 ? 2 : 3)
    case 0x35: ubx.sat()
    case 0x36: ubx.cov()
    case 0x61: ubx.eoe()
    default: nil
    }
  }

  private func pvt(of epoch: SimulatedEpoch) -> [UInt8]? {
    switch configuration.dialect {
    case .nmea23, .nmea411, .ublox6: nil
    case .ublox7: UBXEpochEncoder(epoch: epoch).pvt(isLong: false)
    case .ublox8, .ublox9, .mixed: UBXEpochEncoder(epoch: epoch).pvt(isLong: true)
    }
  }

  private func sentences(of epoch: SimulatedEpoch) -> [[UInt8]] {
    guard let dialect = NMEADialect(configuration.dialect, isFactorySet: configuration.isFactorySet) else { return [] }
    let encoder = NMEAEpochEncoder(dialect: dialect, epoch: epoch)
    let usual = dialect.sentences
    let extra = SentenceKind.allCases.filter { configuration.extraSentences.contains($0) && !usual.contains($0) }
    let notice =
      epoch.index == 0 && epoch.announcesSimulation
      ? [NMEAEpochEncoder.text("SIMULATED", talker: dialect.talker)] : []
    // The usual last one stays last, so that an epoch ends with the same sentence whatever is added.
    return notice + (usual.dropLast() + extra + usual.suffix(1)).flatMap { encoder.sentences($0) }
  }
}

/// The dialect of a simulated receiver: one for each generation on sale.
package enum Dialect: String, CaseIterable, Hashable, Sendable {
  /// NMEA 0183 2.3, GPS only, talker GP (SiRF III, MTK): GGA GSA GSV RMC VTG GLL.
  case nmea23
  /// NMEA 0183 4.11, four constellations with system and signal ids (u-blox 9 and 10, Quectel): RMC VTG GGA GSA GSV GLL.
  case nmea411
  /// UBX of u-blox 5 and 6, which have no NAV-PVT: POSLLH SOL VELNED TIMEUTC DOP SVINFO.
  case ublox6
  /// UBX of u-blox 7: NAV-PVT of 84 bytes, DOP, SVINFO.
  case ublox7
  /// UBX of u-blox 8 and M8: NAV-PVT of 92 bytes, DOP, SAT; no end-of-epoch message.
  case ublox8
  /// UBX of u-blox 9 and later: PVT DOP COV SAT EOE.
  case ublox9
  /// u-blox 8 with both protocols on one port: RMC GGA GSA GSV between PVT and SAT.
  case mixed
}

/// The NMEA sentences that a simulated receiver can send.
package enum SentenceKind: String, CaseIterable, Hashable, Sendable {
  case rmc, vtg, gga, gns, gsa, gsv, gll, gst, zda, pubx00
}
