/// What a scrubbed recording keeps beyond what is harmless.
package struct ScrubOptions: Hashable, Sendable {
  /// Satellites keep their numbers, elevations and azimuths. With the time they give the place to some hundred kilometres,
  /// and the turn of the track.
  package var keepsSky = false
  /// Sentences and messages with a right checksum that the scrubber does not know stay as they are.
  package var keepsUnknown = false

  /// Nothing.
  package init() {}
}
