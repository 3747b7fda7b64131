import Geodesy
import WireFormats

/// Which messages a receiver sends by itself, how often, and at which baud rate: equal before and after a session if
/// the session has restored the receiver's settings.
package struct OutputSignature: Hashable, Sendable {
  /// More kinds than any receiver sends.
  private static let maximumKinds = 64
  /// Without a change of the settings, rates differ by no more than this share between two examinations of a few
  /// seconds.
  private static let rateTolerance = 0.35

  /// The number of messages by kind.
  private(set) var counts: [String: Int] = [:]
  /// The baud rate; `nil`: the line has none.
  package var baud: Int?
  /// Over which time the messages were counted.
  package var duration = Duration.zero

  package init() {}

  mutating func add(_ sentence: NMEAMessage) { if let kind = sentence.periodicKind { add(kind) } }
  mutating func add(_ frame: UBXMessage) { if let kind = frame.periodicKind { add(kind) } }

  private mutating func add(_ kind: String) {
    guard counts.count < Self.maximumKinds || counts[kind] != nil else { return }
    counts[kind, default: 0] += 1
  }

  /// Whether there is enough output for a comparison.
  package var isConclusive: Bool { counts.values.contains { $0 >= 3 } }

  /// Updates per second: the rate of the most frequent message that comes once per update.
  var rateHertz: Double? {
    let updates = counts.filter { !$0.key.isListPart }.values.max() ?? 0
    guard updates >= 3, duration > .zero else { return nil }
    return Double(updates - 1) / duration.inSeconds
  }

  /// The differences from the output `before`, in words; `nil`: there are none.
  package func difference(from before: OutputSignature) -> String? {
    // A message that comes only now and then may be absent by chance.
    let isGone = before.counts.filter { $0.value >= 2 && counts[$0.key] == nil }.keys.sorted()
    let isNew = counts.filter { $0.value >= 2 && before.counts[$0.key] == nil }.keys.sorted()
    var parts: [String] = []
    if !isNew.isEmpty { parts.append("it now sends \(isNew.prefix(6).joined(separator: ", "))") }
    if !isGone.isEmpty { parts.append("it no longer sends \(isGone.prefix(6).joined(separator: ", "))") }
    if let baud, let former = before.baud, baud != former {
      parts.append("its baud rate is \(baud) instead of \(former)")
    }
    if let rate = rateHertz, let former = before.rateHertz,
      abs(rate - former) > Self.rateTolerance * max(rate, former)
    {
      parts.append("its update rate has changed")
    }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}

extension String {
  /// Several of these messages can come in one update.
  fileprivate var isListPart: Bool { ["GSV", "GSA", "PUBX,03"].contains(self) }
}

extension NMEAMessage {
  /// The name of the sentence; `nil`: it is unknown, or receivers also send it irregularly.
  fileprivate var periodicKind: String? {
    switch self {
    case .rmc: "RMC"
    case .gga: "GGA"
    case .gns: "GNS"
    case .gll: "GLL"
    case .vtg: "VTG"
    case .gsa: "GSA"
    case .gsv: "GSV"
    case .zda: "ZDA"
    case .dtm: "DTM"
    case .gst: "GST"
    case .gbs: "GBS"
    case .hdt: "HDT"
    case .ths: "THS"
    case .magneticHeading: "HDG"
    case .rateOfTurn: "ROT"
    case .pubxPosition: "PUBX,00"
    case .pubxSatellite: "PUBX,03"
    case .pubxTime: "PUBX,04"
    case .pgrme: "PGRME"
    case .ggk: "GGK"
    case .pqxfi: "PQXFI"
    case .phoneAccuracy: "ACCURACY"
    case .txt, .pmtk, .unknown: nil
    }
  }
}

extension UBXMessage {
  /// The name of the message; `nil`: it answers a request, is a part of another message, or is unknown.
  fileprivate var periodicKind: String? {
    switch self {
    case .navPVT: "NAV-PVT"
    case .navSOL: "NAV-SOL"
    case .navPOSECEF: "NAV-POSECEF"
    case .navPOSLLH: "NAV-POSLLH"
    case .navVELNED: "NAV-VELNED"
    case .navTIMEUTC: "NAV-TIMEUTC"
    case .navSVINFO: "NAV-SVINFO"
    case .navSAT: "NAV-SAT"
    case .navDOP: "NAV-DOP"
    case .navSTATUS: "NAV-STATUS"
    case .navCOV: "NAV-COV"
    case .navEOE: "NAV-EOE"
    case .navTIMELS: "NAV-TIMELS"
    case .navRELPOSNED: "NAV-RELPOSNED"
    case .timTP: "TIM-TP"
    case .monRF: "MON-RF"
    case .navSatellite, .monVERSoftware, .monVERHardware, .monVERExtension, .secUNIQID, .acknowledgement,
      .configuration, .assistance, .assistanceAcknowledgement, .unknown:
      nil
    }
  }
}
