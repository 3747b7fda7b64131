import LocationReplay

/// The results of scrubbing, for display.
package struct ScrubReport: Hashable, Sendable {
  package var positionsMoved: Int
  /// Sentences and messages whose content was blanked.
  package var framesBlanked: Int
  /// Bytes outside of sentences and messages that were blanked.
  package var bytesBlanked: Int
  /// Wi-Fi scans that were left out.
  package var scansDropped: Int
}

extension ScrubReport {
  init(_ tally: ScrubTally) {
    self.init(
      positionsMoved: tally.positionsMoved, framesBlanked: tally.framesBlanked, bytesBlanked: tally.bytesBlanked,
      scansDropped: tally.scansDropped)
  }
}
