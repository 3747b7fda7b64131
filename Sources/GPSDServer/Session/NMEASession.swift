package import Geodesy
import TrackFormats

/// The server's side of one reader of NMEA 0183: it receives the sentences of each epoch, and what it sends is ignored.
///
/// A reader sends nothing, so that the session waits for a moment whether the client is a web browser or another program that speaks
/// first: such a client causes nothing and receives nothing.
///
/// After each `handle`, write `unsent` and report what was written with `.sent`, and call with `.wake` at `nextDeadline`. The client
/// needs the fixes and satellites of the service while `needsUpdates`.
package struct NMEASession: Sendable {
  package enum Input: Hashable, Sendable {
    /// Bytes of the client.
    case received([UInt8])
    /// This number of bytes of `unsent` has been written.
    case sent(Int)
    /// `nextDeadline` has come. Too early is harmless.
    case wake
    case access(GPSDAccess)
    /// An epoch with its sentences.
    case epoch(GPSDEpochText)
    /// There is no longer a position.
    case lost
  }

  /// A client that sends more bytes than this is not a reader of NMEA.
  static let mostBytesReceived = 1 << 20

  /// The time in which a client that speaks first is recognized. Browsers send their request as soon as they are connected.
  static let openingTime: Duration = .milliseconds(250)

  private var access: GPSDAccess
  /// Until then, nothing is sent; `nil`: the session has begun.
  private var openingEnd: Instant?
  private var output = ClientOutput()
  private var received = 0
  private var stallEnd: Instant?
  private var repeatAt: Instant?

  package init(access: GPSDAccess, at now: Instant) {
    self.access = access
    openingEnd = now + Self.openingTime
  }

  /// The bytes to be written next; empty: none.
  package var unsent: ArraySlice<UInt8> { output.unsent }

  package var nextDeadline: Instant? { openingEnd ?? Instant.earlier(stallEnd, repeatAt) }

  /// Both without a copy of the session, for an owner that needs them after every epoch.
  package mutating func currentNeeds() -> (unsent: ArraySlice<UInt8>, nextDeadline: Instant?) { (unsent, nextDeadline) }

  /// Whether the client needs the fixes and satellites of the service.
  package var needsUpdates: Bool { openingEnd == nil && access != .denied }

  /// - Returns: why to close the connection; `nil`: do not.
  package mutating func handle(_ input: Input, at now: Instant) -> GPSDCloseReason? {
    switch input {
    case .received(let bytes):
      if received == 0, Self.isForeign(bytes) { return close() }
      if received > 0 || !bytes.allSatisfy(Self.isBlank) { received += bytes.count }
      if received > Self.mostBytesReceived { return close() }
    case .sent(let count):
      output.sent(count)
      if count > 0 { stallEnd = nil }
    case .wake:
      if let openingEnd {
        guard now >= openingEnd else { break }
        self.openingEnd = nil
        if access != .full { sendWithoutPosition(at: now) }
      }
      if let stallEnd, now >= stallEnd { return .tooSlow }
      if let repeatAt, now >= repeatAt { sendWithoutPosition(at: now) }
    case .access(let access):
      guard access != self.access else { break }
      self.access = access
      output.clear()
      if openingEnd == nil { sendWithoutPosition(at: now) }
    case .epoch(let text):
      // Sentences of reduced accuracy contain no position.
      guard text.access == access, access.isGranted, openingEnd == nil else { break }
      output.replaceEpoch(json: [], nmea: text.nmea)
      repeatAt = text.epoch.fix == nil || access == .reduced ? now + GPSDSession.epochPatience : nil
    case .lost: if openingEnd == nil { sendWithoutPosition(at: now) }
    }
    stallEnd = output.isEmpty ? nil : stallEnd ?? now + GPSDSession.Limits().stallTime
    return nil
  }

  /// Whether a client begins with something that is neither NMEA 0183 nor the protocol of a receiver: a request of HTTP and most other
  /// text begins with a letter, the records of TLS and TURN, which web pages can cause, with a control character (RFC 8446, 5.1; RFC
  /// 8489, 5).
  private static func isForeign(_ bytes: [UInt8]) -> Bool {
    guard let first = bytes.first(where: { !isBlank($0) }) else { return false }
    return switch first {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), 0..<0x20:
      true
    default: false
    }
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A }

  private mutating func close() -> GPSDCloseReason {
    output.clear()
    return .foreign
  }

  private mutating func sendWithoutPosition(at now: Instant) {
    var sentences = NMEASentenceBuffer()
    sentences.appendLost(at: nil, .server)
    output.replaceEpoch(json: [], nmea: sentences.bytes)
    repeatAt = now + (access == .denied ? GPSDSession.deniedInterval : GPSDSession.lostInterval)
  }
}
