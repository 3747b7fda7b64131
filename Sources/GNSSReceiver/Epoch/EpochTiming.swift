package import Geodesy

/// How an epoch's time relates to the arrival of its messages, for the time of clocks.
package struct EpochTiming: Hashable, Sendable {
  /// When the read returned that completed the epoch's first message.
  package var beganAt: Instant
  /// When its last message arrived.
  package var receivedAt: Instant
  /// The type of its first message; `nil`: it has only lists, or reports of gpsd.
  package var firstMessage: EpochMessageType?
  /// UBX: whether date and time are valid and fully resolved; `nil`: the receiver cannot report that.
  package var receiverConfirms: Bool?
  /// The time between epochs.
  package var period: Duration
}

/// The type of a message that can be part of an epoch.
package struct EpochMessageType: Hashable, Sendable {
  /// As in `EpochMessage`: below 0x100 a sentence of NMEA, otherwise class and identifier of a UBX message.
  let rawValue: UInt32

  /// UBX: class and identifier; `nil`: NMEA.
  package var ubx: (class: UInt8, id: UInt8)? {
    rawValue < 0x100 ? nil : (UInt8(truncatingIfNeeded: rawValue >> 8), UInt8(truncatingIfNeeded: rawValue))
  }

  /// NMEA: three characters, the formatter of a standard sentence or an abbreviation of a proprietary one; `nil`: UBX.
  package var formatter: String? {
    switch rawValue {
    case 1: "RMC"
    case 2: "GGA"
    case 3: "GNS"
    case 4: "GLL"
    case 5: "ZDA"
    case 6: "GST"
    case 7: "P00"
    case 8: "P04"
    case 9: "VTG"
    case 10: "GSA"
    case 11: "GSV"
    case 12: "GRM"
    case 13: "P03"
    case 14: "GGK"
    case 15: "QXF"
    default: nil
    }
  }
}

extension EpochDraft {
  /// The arrival of its messages.
  var timing: EpochTiming {
    EpochTiming(
      beganAt: beganAt, receivedAt: lastArrival, firstMessage: firstMessage, receiverConfirms: receiverConfirmsTime,
      period: period)
  }
}
