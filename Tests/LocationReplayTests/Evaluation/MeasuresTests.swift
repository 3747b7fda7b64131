import Geodesy
import LocationReplay
import Testing

@Suite struct MeasuresTests {
  private func judged(_ error: Double, _ radius: Double?, latency: Duration = .zero) -> EvaluatedPosition {
    EvaluatedPosition(
      time: GNSSTime(nanosecondsSince1970: 0), errorMeters: error, radius68Meters: radius, latency: latency)
  }

  @Test func distributionByHand() throws {
    // Sorted 1 2 3 4 10: ranks 2, 2.72 and 3.8 of 0…4; rms √(130 / 5).
    let distribution = try #require(Distribution([10, 1, 3, 2, 4]))
    #expect(distribution.count == 5)
    #expect(distribution.p50 == 3)
    #expect(abs(distribution.p68 - 3.72) < 1e-12)
    #expect(abs(distribution.p95 - 8.8) < 1e-12)
    #expect(distribution.max == 10)
    #expect(abs(distribution.rms - 26.0.squareRoot()) < 1e-12)
  }

  @Test func distributionOfOneAndOfNothing() throws {
    let one = try #require(Distribution([7.5]))
    #expect(one.p50 == 7.5 && one.p68 == 7.5 && one.p95 == 7.5 && one.max == 7.5 && one.rms == 7.5)
    #expect(Distribution([]) == nil)
  }

  @Test func coverageByHand() throws {
    // With a radius of 10: 50 % is 7.77, 95 % is 16.15, and three times the radius is 30.
    let errors = [7.77, 7.78, 10, 10.01, 16.15, 16.16, 30, 30.01]
    let coverage = try #require(Coverage(errors.map { judged($0, 10) } + [judged(1000, nil)]))
    #expect(coverage.count == 8)
    #expect(coverage.inside50 == 1.0 / 8)
    #expect(coverage.inside68 == 3.0 / 8)
    #expect(coverage.inside95 == 5.0 / 8)
    #expect(coverage.beyond3 == 1.0 / 8)
    #expect(Coverage([judged(1, nil)]) == nil)
  }

  @Test func scalesAreThoseOfRayleigh() {
    // The inverse of F(r) = 1 − exp(−r²/2σ²).
    func share(_ scale: Double) -> Double {
      let r = scale * RadiusScale.fromDeviation
      return 1 - Math.exp(-r * r / 2)
    }
    #expect(abs(share(1) - 0.6827) < 1e-12)
    #expect(abs(share(RadiusScale.to50) - 0.5) < 1e-12)
    #expect(abs(share(RadiusScale.to95) - 0.95) < 1e-12)
  }

  @Test func fifthsByHand() throws {
    // Radii 1…10 unsorted, all errors 5.5: in the two smallest quintiles and half of the third one, the error is outside the
    // radius.
    let answers = [7, 3, 10, 1, 5, 8, 2, 6, 9, 4].map { judged(5.5, $0) }
    let fifths = RadiusQuintile.all(of: answers)
    #expect(fifths.map(\.smallestMeters) == [1, 3, 5, 7, 9])
    #expect(fifths.map(\.largestMeters) == [2, 4, 6, 8, 10])
    #expect(fifths.map(\.coverage.inside68) == [0, 0, 0.5, 1, 1])
    #expect(RadiusQuintile.all(of: [judged(1, 2), judged(1, nil), judged(3, 2)]).map(\.coverage.count) == [1, 1])
    #expect(RadiusQuintile.all(of: [EvaluatedPosition]()).isEmpty)
  }

  @Test func scoreByHand() throws {
    // σ = 1: without an error √π / 2 = 0.886227; y = 1: 1 − 2.506628 · 0.682689 + 0.886227 = 0.174978; y = 100: almost y.
    let radius = RadiusScale.fromDeviation
    #expect(abs(RadiusScore.score(errorMeters: 0, radius68Meters: radius) - 0.886227) < 1e-6)
    #expect(abs(RadiusScore.score(errorMeters: 1, radius68Meters: radius) - 0.174978) < 2e-6)
    #expect(abs(RadiusScore.score(errorMeters: 100, radius68Meters: radius) - (100 - 2.506628 + 0.886227)) < 1e-6)
    let mean = try #require(RadiusScore.mean([judged(0, radius), judged(5, nil), judged(1, radius)]))
    #expect(abs(mean - (0.886227 + 0.174978) / 2) < 2e-6)
    #expect(RadiusScore.mean([judged(5, nil)]) == nil)
  }

  @Test func scoreIsTheIntegral() {
    // ∫ (F − step)² by the midpoint rule, σ = 2, y = 3.
    let radius = 2 * RadiusScale.fromDeviation
    var sum = 0.0
    for step in 0..<40_000 {
      let x = (Double(step) + 0.5) / 1000
      let f = 1 - Math.exp(-x * x / 8) - (x >= 3 ? 1 : 0)
      sum += f * f / 1000
    }
    #expect(abs(RadiusScore.score(errorMeters: 3, radius68Meters: radius) - sum) < 1e-5)
  }

  @Test func delays() throws {
    let answers = [0, 2, 4].map { judged(1, 1, latency: .seconds($0)) }
    let delays = try #require(Latency.distribution(answers))
    #expect(delays.p50 == 2)
    #expect(delays.max == 4)
  }
}
