/// Which sentences and messages a receiver says of an epoch, and in which order.
struct EpochSpeech: Sendable {
  let configuration: SimulatedReceiver.Configuration

  /// All that is said of `epoch`, one element a sentence or message.
  func messages(of epoch: SimulatedEpoch) -> [[UInt8]] {
    let ubx = UBXEpochEncoder(epoch: epoch)
    switch configuration.dialect {
    case .nmea23, .nmea411: return sentences(of: epoch)
    case .ublox6:
      return [ubx.posllh(), ubx.sol(), ubx.velned(), ubx.timeutc(), ubx.dop(), ubx.svinfo(chip: 2)]
    case .ublox7: return [ubx.pvt(isLong: false), ubx.dop(), ubx.svinfo(chip: 3)]
    case .ublox8: return [ubx.pvt(isLong: true), ubx.dop(), ubx.sat()]
    case .ublox9: return [ubx.pvt(isLong: true), ubx.dop(), ubx.cov(), ubx.sat(), ubx.eoe()]
    case .mixed: return [ubx.pvt(isLong: true)] + sentences(of: epoch) + [ubx.sat()]
    }
  }

  /// UBX-NAV-PVT as it is said of `epoch`; `nil` where the dialect has none.
  func pvt(of epoch: SimulatedEpoch) -> [UInt8]? {
    switch configuration.dialect {
    case .nmea23, .nmea411, .ublox6: nil
    case .ublox7: UBXEpochEncoder(epoch: epoch).pvt(isLong: false)
    case .ublox8, .ublox9, .mixed: UBXEpochEncoder(epoch: epoch).pvt(isLong: true)
    }
  }

  private func sentences(of epoch: SimulatedEpoch) -> [[UInt8]] {
    guard let dialect = NMEADialect(configuration.dialect) else { return [] }
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
