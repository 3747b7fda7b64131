import Geodesy
@testable import Positioning
import TestSupport
import Testing
import WireFormats

/// What signals show: how they decrease with the distance, how far away an access point is, and where.
struct AccessPointEstimateTests {
  private let tuning = PositioningTuning.standard

  /// The moments on the grid, compared with those on a grid that is a hundred times finer.
  @Test(arguments: [(-75.0, 0.0, 60.0), (-70, 30, 200), (-88, 100, 40), (-90, 0, 300), (-60, -120, 100)])
  func momentsAreThoseOfAFineGrid(signal: Double, east: Double, deviation: Double) throws {
    let tuning = tuning.learning
    let distance = SignalDistance(signal: signal, threshold: -90, exponent: 3)
    let variance = deviation * deviation
    var state = AccessPointEstimate(mean: .zero, covariance: Symmetric2(xx: variance, xy: 0.3 * variance, yy: variance))
    let before = state
    state.learn(distance, from: SIMD2(east, 0), blur: 50, tuning)
    let information = before.covariance.inverse
    var (total, sum, squares) = (0.0, SIMD2<Double>.zero, Symmetric2())
    let half = 4 * deviation
    for y in stride(from: -half, to: half, by: half / 250) {
      for x in stride(from: -half, to: half, by: half / 250) {
        let place = SIMD2(x, y)
        let pulled = information * place
        let square = (place - SIMD2(east, 0)).squaredLength + 50
        let weight = Math.exp(
          distance.logLikelihood(ofLog: Math.log(square) / 2, selection: tuning.selection)
            - (pulled.x * x + pulled.y * y) / 2)
        total += weight
        sum += place * weight
        squares.add(place, weight)
      }
    }
    let mean = sum / total
    let deviations = SIMD2(
      (squares.xx / total - mean.x * mean.x).squareRoot(), (squares.yy / total - mean.y * mean.y).squareRoot())
    #expect((state.mean - mean).squaredLength.squareRoot() < 0.15 * deviations.x, "\(state.mean) \(mean)")
    #expect((0.85...1.2).contains(state.covariance.xx.squareRoot() / deviations.x), "\(state) \(deviations)")
    #expect((0.85...1.2).contains(state.covariance.yy.squareRoot() / deviations.y), "\(state) \(deviations)")
  }

  /// Access points with the same density everywhere, with shadowing, and a driver that reports only some of them.
  @Test(arguments: [2.0, 3, 4], [64, 20]) func theExponentIsReported(exponent: Double, reported: Int) {
    var random = SplitMix64(seed: 4)
    var tuning = tuning.learning
    tuning.fullScan = reported
    var estimate = PathLossEstimate(tuning)
    #expect(estimate.exponent == 3)
    for _ in 0..<20 {
      // So many access points, up to twice the range, that none is missing that could be received.
      let range = Math.exp((54 + 14) / (PathLossPosterior.decibelsPerE * exponent))
      let signals = (0..<400).map { _ in
        let distance = range * Double.random(in: 0..<1, using: &random).squareRoot()
        return -36 - exponent * PathLossPosterior.decibelsPerE * Math.log(max(1, distance))
          + 6 * random.nextNormal()
      }
      estimate.add(Array(signals.filter { $0 > -90 }.sorted(by: >).prefix(reported)))
    }
    #expect(abs(estimate.exponent - exponent) < 0.35, "\(estimate.exponent)")
  }

  @Test func oneRouterNearbyIsNoExponent() {
    var estimate = PathLossEstimate(tuning.learning)
    for _ in 0..<3 { estimate.add([-30]) }
    #expect(estimate.exponent == 4)
    estimate.add([])
    #expect(estimate.exponent == 4 && estimate.threshold == -90)
  }

  @Test func theNormalDistributionIsThatOfTheTables() {
    // Abramowitz, Stegun, table 26.1: P(−x).
    for (x, value) in [(0.0, 0.5), (1, 0.841_344_746), (-1, 0.158_655_254), (-3, 0.001_349_898), (-6, 9.865_9e-10)] {
      #expect(abs(SignalDistance.logOfNormal(x) - Math.log(value)) < 0.04)
    }
  }
}
