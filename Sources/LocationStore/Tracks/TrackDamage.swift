/// What a reader had to leave out: nothing of it was told as a record.
package struct TrackDamage: Hashable, Sendable {
  /// Blocks that do not hold what was written, of a segment that can be read.
  package var blocks = 0
  /// Segments of which neither copy of the header can be read.
  package var segments = 0
  /// Segments that cannot be opened or read on.
  package var files = 0

  package init() {}
}
