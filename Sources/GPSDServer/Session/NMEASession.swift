package import Geodesy
import TrackFormats

/// The server's side of one reader of NMEA 0183: it receives the sentences of each epoch, and what it sends is ignored.
///
/// After each `handle`, write `unsent` and report what was written with `.sent`, and call with `.wake` at `nextDeadline`. The client
/// needs the fixes and satellites of the service as long as it is connected, except while its access is denied.
package struct NMEASession: Sendable {
  package enum Input: Hashable, Sendable {
    /// This number of bytes was read from the client and dropped.
    case received(Int)
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

  private var access: GPSDAccess
  private var output = ClientOutput()
  private var received = 0
  private var stallEnd: Instant?
  private var repeatAt: Instant?

  package init(access: GPSDAccess, at now: Instant) {
    self.access = access
    if access != .full { repeatAt = now }
  }

  /// The bytes to be written next; empty: none.
  package var unsent: ArraySlice<UInt8> { output.unsent }

  package var nextDeadline: Instant? { Instant.earlier(stallEnd, repeatAt) }

  /// - Returns: why to close the connection; `nil`: do not.
  package mutating func handle(_ input: Input, at now: Instant) -> GPSDCloseReason? {
    switch input {
    case .received(let count):
      received += count
      if received > Self.mostBytesReceived { return .foreign }
    case .sent(let count):
      output.sent(count)
      if count > 0 { stallEnd = nil }
    case .wake:
      if let stallEnd, now >= stallEnd { return .tooSlow }
      if let repeatAt, now >= repeatAt { sendWithoutPosition(at: now) }
    case .access(let access):
      guard access != self.access else { break }
      self.access = access
      output.clear()
      sendWithoutPosition(at: now)
    case .epoch(let text):
      // Sentences of reduced accuracy contain no position.
      guard text.access == access, access.isGranted else { break }
      output.replaceEpoch(json: [], nmea: text.nmea)
      repeatAt = text.epoch.fix == nil || access == .reduced ? now + GPSDSession.epochPatience : nil
    case .lost: sendWithoutPosition(at: now)
    }
    stallEnd = output.isEmpty ? nil : stallEnd ?? now + GPSDSession.Limits().stallTime
    return nil
  }

  private mutating func sendWithoutPosition(at now: Instant) {
    var sentences = NMEASentenceBuffer()
    sentences.appendLost(at: nil, .server)
    output.replaceEpoch(json: [], nmea: sentences.bytes)
    repeatAt = now + (access == .denied ? GPSDSession.deniedInterval : GPSDSession.lostInterval)
  }
}
