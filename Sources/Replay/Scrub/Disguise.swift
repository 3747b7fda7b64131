import WireFormats

/// All that makes a recording's receivers somebody else's, somewhere else: chosen at random when scrubbing begins, never
/// stored, and the same for everything in the recording.
package struct Disguise: Sendable {
  var track: TrackMotion
  var heights: HeightShift
  let satellites: SatelliteDisguise
  let options: ScrubOptions
  /// What was done so far.
  package internal(set) var tally = ScrubTally()
  /// Says what a frame means to those who will read it.
  private var judge = WireDecoder()

  /// A new one. The generator has to be one that nobody can run again, but for tests.
  package init(_ options: ScrubOptions = ScrubOptions(), using generator: inout some RandomNumberGenerator) {
    self.options = options
    track = TrackMotion(using: &generator)
    heights = HeightShift(using: &generator)
    satellites = SatelliteDisguise(keepsSky: options.keepsSky, using: &generator)
  }

  /// What a frame with a right checksum is to the decoder.
  enum Verdict: Hashable, Sendable {
    case decoded, malformed, unknown
  }

  mutating func verdict(on frame: [UInt8]) -> Verdict {
    let before = judge.counters
    judge.push(frame.span) { _ in }
    if judge.hasPendingBytes { judge.reset() }
    if judge.counters.unknown != before.unknown { return .unknown }
    return judge.counters.malformed != before.malformed ? .malformed : .decoded
  }
}
