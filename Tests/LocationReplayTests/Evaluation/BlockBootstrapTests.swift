import LocationReplay
import TestSupport
import Testing

@Suite struct BlockBootstrapTests {
  private func mean(_ values: [Double]) -> Double? {
    values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
  }

  @Test func isRepeatable() {
    let track = (0..<200).map { Double($0 % 7) }
    let bootstrap = BlockBootstrap(blockLength: 20, draws: 200)
    var (one, two, other) = (SplitMix64(seed: 1), SplitMix64(seed: 1), SplitMix64(seed: 2))
    let first = bootstrap.interval(of: [track], using: &one, figure: mean)
    #expect(first == bootstrap.interval(of: [track], using: &two, figure: mean))
    #expect(first != bootstrap.interval(of: [track], using: &other, figure: mean))
  }

  @Test func constantsHaveNoWidth() {
    var random = SplitMix64(seed: 1)
    let interval = BlockBootstrap(blockLength: 3).interval(of: [[5, 5, 5, 5], [5]], using: &random, figure: mean)
    #expect(interval == 5...5)
    #expect(BlockBootstrap(blockLength: 3).interval(of: [], using: &random, figure: mean) == nil)
  }

  @Test func eachTrackKeepsItsNumber() {
    var random = SplitMix64(seed: 3)
    let tracks = [[Int](repeating: 0, count: 7), [Int](repeating: 1, count: 3)]
    var isSo = true
    _ = BlockBootstrap(blockLength: 2, draws: 50).interval(of: tracks, using: &random) { drawn in
      isSo = isSo && drawn.count == 10 && drawn.reduce(0, +) == 3
      return 0
    }
    #expect(isSo)
  }

  @Test func blocksAreRuns() {
    var random = SplitMix64(seed: 4)
    var isSo = true
    _ = BlockBootstrap(blockLength: 4, draws: 50).interval(of: [Array(0..<10)], using: &random) { drawn in
      for block in [drawn[0..<4], drawn[4..<8], drawn[8..<10]] {
        isSo = isSo && zip(block, block.dropFirst()).allSatisfy { ($0 + 1) % 10 == $1 }
      }
      return 0
    }
    #expect(isSo)
  }

  /// Independent values: a block of one value is the ordinary bootstrap, whose interval of a mean is ±1.96 s/√n.
  @Test func widthOfIndependentValues() throws {
    var random = SplitMix64(seed: 5)
    let values = (0..<400).map { _ in Double.random(in: 0..<1, using: &random) }
    let interval = try #require(
      BlockBootstrap(blockLength: 1, draws: 2000).interval(of: [values], using: &random, figure: mean))
    // s = 1/√12: ±0.0283.
    #expect(abs((interval.upperBound - interval.lowerBound) - 0.0566) < 0.006)
  }

  /// Each value twenty times in a row contains no more information than once: blocks show that, single values do not.
  @Test func correlatedValuesAreWorthLess() throws {
    var random = SplitMix64(seed: 6)
    let values = (0..<400).flatMap { _ in [Double](repeating: .random(in: 0..<1, using: &random), count: 20) }
    let blocks = try #require(
      BlockBootstrap(blockLength: 200, draws: 400).interval(of: [values], using: &random, figure: mean))
    let single = try #require(
      BlockBootstrap(blockLength: 1, draws: 400).interval(of: [values], using: &random, figure: mean))
    #expect(abs((blocks.upperBound - blocks.lowerBound) - 0.0566) < 0.012)
    #expect((single.upperBound - single.lowerBound) < 0.016)
  }
}
