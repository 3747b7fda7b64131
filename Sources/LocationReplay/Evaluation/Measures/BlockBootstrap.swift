import Geodesy

/// How far a figure of some tracks can be trusted if the values of a track are not independent.
///
/// Successive fixes share their error, so that 1,600 of them may be worth 13. Resampling them one by one would count 1,600; here
/// whole runs are drawn, from a track closed to a circle so that all values are drawn equally often (Politis and Romano, "A
/// circular block-resampling procedure for stationary data", 1992). Blocks do not extend from one track into the next, and each
/// track keeps its number of values.
package struct BlockBootstrap: Sendable {
  /// The number of values in a block. Their duration should be long compared with the correlation time of the errors:
  /// 60 to 120 s.
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

extension BlockBootstrap {
  /// The duration of a block of `CoverageIntervals`: longer than the correlation time of a receiver's errors (10…40 s).
  package static let usualBlock = Duration.seconds(60)
}

/// How far the coverage of one track can be trusted: intervals that contain it in 95 % of all resampled tracks.
package struct CoverageIntervals: Hashable, Sendable {
  /// The interval of `Coverage.inside68`.
  package let inside68: ClosedRange<Double>
  /// The interval of `Coverage.beyond3`.
  package let beyond3: ClosedRange<Double>

  /// Resamples blocks of `BlockBootstrap.usualBlock`; the same answers always give the same intervals. `nil` if the answers with
  /// a radius do not last for three blocks.
  package init?(_ answers: some Sequence<EvaluatedPosition>, draws: Int = 1000) {
    let ratios = answers.compactMap { answer in
      answer.radius68Meters.map { (time: answer.time, ratio: answer.errorMeters / $0) }
    }
    let block = BlockBootstrap.usualBlock
    guard let first = ratios.first, let last = ratios.last, last.time - first.time >= block * 3 else { return nil }
    // As many answers as arrive in a block's time, on average; gaps count as time without answers.
    let length = Double(ratios.count) * (block / (last.time - first.time))
    let starts = Starts(count: ratios.count, blockLength: max(1, Int(length.rounded())), draws: draws)
    inside68 = starts.interval(of: ratios.map { $0.ratio <= 1 })
    beyond3 = starts.interval(of: ratios.map { $0.ratio > RadiusScale.surprise })
  }

  /// Draws of blocks from a circle of values, for shares: with running sums, the cost of a draw depends only on its
  /// number of blocks.
  private struct Starts {
    let count: Int
    let blockLength: Int
    let draws: Int

    func interval(of flags: [Bool]) -> ClosedRange<Double> {
      var sums = [0]
      sums.reserveCapacity(2 * count + 1)
      for index in 0..<(2 * count) { sums.append(sums[index] + (flags[index % count] ? 1 : 0)) }
      let noise = SeededNoise(seed: 1)
      let shares = (0..<draws).map { draw in
        var (missing, inside, block) = (count, 0, 0)
        while missing > 0 {
          let start = Int(noise.bits(epoch: draw, .resampling, index: block) % UInt64(count))
          let length = min(blockLength, missing)
          inside += sums[start + length] - sums[start]
          missing -= length
          block += 1
        }
        return Double(inside) / Double(count)
      }
      .sorted()
      return Distribution.percentile(2.5, ofSorted: shares)...Distribution.percentile(97.5, ofSorted: shares)
    }
  }
}
