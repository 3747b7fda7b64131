import Geodesy
import LocationIPC
import TrackFormats

/// The sentences of an epoch, as a receiver would send them.
extension NMEASentenceBuffer {
  /// - Parameter listsSatellites: whether to add the satellites in view (GSV).
  mutating func append(_ epoch: GPSDEpoch, access: GPSDAccess, listsSatellites: Bool, at now: Instant) {
    // Readers of sentences cannot see that an accuracy is reduced, so only exact positions are sent.
    guard access == .full, var fix = epoch.fix, GPSDMode(fix, access).hasPosition || fix.qualityFlag != nil else {
      appendLost(at: nil, .server)
      if access == .full, listsSatellites, let sky = epoch.completeSky { appendGSV(sky) }
      return
    }
    if let radius = epoch.radius68(at: now) { fix.horizontalRadius68 = Meters(radius) }
    let located = LocatedFix(fix, age: nil)
    appendRMC(located, .server)
    appendGGA(located, .server)
    appendGST(located, .server)
    if let sky = epoch.completeSky {
      appendGSA(sky)
      if listsSatellites { appendGSV(sky) }
    }
    appendVTG(located, .server)
  }
}

/// Sentences in datagrams.
package enum NMEADatagrams {
  /// The most bytes of a datagram: with its headers (48 bytes in IPv6) it fits into 1,480 bytes, which Ethernet (1,500)
  /// and most tunnels carry unsplit. Only packets of 1,280 bytes fit everywhere (RFC 8200, section 5).
  package static let longest = 1432

  /// Splits whole sentences into parts that each fit into a datagram. A sentence is never split.
  package static func parts(of sentences: [UInt8]) -> [ArraySlice<UInt8>] {
    var parts: [ArraySlice<UInt8>] = []
    var start = 0
    var end = 0
    var index = 0
    while index < sentences.count {
      if sentences[index] == UInt8(ascii: "\n") {
        if index + 1 - start > longest, end > start {
          parts.append(sentences[start..<end])
          start = end
        }
        end = index + 1
      }
      index += 1
    }
    if end > start { parts.append(sentences[start..<end]) }
    return parts
  }
}
