/// What a scrubber has done, for people to read.
package struct ScrubTally: Hashable, Sendable {
  /// Positions that were moved.
  package var positionsMoved = 0
  /// Sentences and messages with a right checksum whose content was blanked, as it may hold anything.
  package var framesBlanked = 0
  /// Bytes outside of frames with a right checksum that were blanked.
  package var bytesBlanked = 0
  /// Wi-Fi scans that were left out.
  package var scansDropped = 0

  /// Nothing done yet.
  package init() {}
}
