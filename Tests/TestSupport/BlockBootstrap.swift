import LocationReplay

/// How far a figure of some tracks can be trusted if the values of a track are not independent.
///
/// Successive fixes share their error, so that 1,600 of them may be worth 13. Resampling them one by one would count 1,600; here
/// whole runs are drawn, from a track closed to a circle so that all values are drawn equally often (Politis and Romano, "A
/// circular block-resampling procedure for stationary data", 1992). Blocks do not extend from one track into the next, and each
/// track keeps its number of values.
package struct BlockBootstrap: Sendable {
  /// The number of values in a block, which should be long compared with the correlation time of the errors: 60 to 120 s.
  package let blockLength: Int
  /// The number of draws.
  package let draws: Int

  /// A bootstrap with blocks of `blockLength` > 0 values, drawn `draws` > 0 times.
  package init(blockLength: Int, draws: Int = 1000) {
    precondition(blockLength > 0 && draws > 0)
    self.blockLength = blockLength
    self.draws = draws
  }

  /// The interval that contains a figure in `share` of all draws, from the percentiles on both sides (Efron and Tibshirani, "An
  /// Introduction to the Bootstrap", 1993, section 13.3). Draws without a figure are left out; `nil`: no draw had one.
  package func interval<Value>(
    of tracks: [[Value]], holding share: Double = 0.95, using generator: inout some RandomNumberGenerator,
    figure: ([Value]) -> Double?
  ) -> ClosedRange<Double>? {
    var figures: [Double] = []
    var drawn: [Value] = []
    drawn.reserveCapacity(tracks.reduce(0) { $0 + $1.count })
    for _ in 0..<draws {
      drawn.removeAll(keepingCapacity: true)
      for track in tracks { draw(from: track, into: &drawn, using: &generator) }
      if let value = figure(drawn) { figures.append(value) }
    }
    guard !figures.isEmpty else { return nil }
    figures.sort()
    let tail = (1 - share) / 2 * 100
    return
      Distribution.percentile(tail, ofSorted: figures)...Distribution.percentile(100 - tail, ofSorted: figures)
  }

  /// As many values as the track has, in runs that begin anywhere in it.
  private func draw<Value>(
    from track: [Value], into drawn: inout [Value], using generator: inout some RandomNumberGenerator
  ) {
    var missing = track.count
    while missing > 0 {
      let start = Int.random(in: 0..<track.count, using: &generator)
      let length = min(blockLength, missing)
      for offset in 0..<length { drawn.append(track[(start + offset) % track.count]) }
      missing -= length
    }
  }
}
