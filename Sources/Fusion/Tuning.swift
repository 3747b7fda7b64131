/// Every constant of the estimator.
package struct Tuning: Sendable {
  // Time
  package var greatestLead = 10.0
  package var refusalsToBelieve = 3
  // Judge
  package var gap = 2.5
  package var intervalShare = 0.05
  package var greatestSurprise = 6.0
  package var judgeShare = 1.0 / 60
  package var leastNoise = 1.0
  package var noiseToStay = 0.25
  package var ratioToBegin = 0.2
  package var ratioToStay = 0.05
  // Gate
  package var leastSpike = 15.0
  package var spikeSigmas = 3.0
  package var greatestSpikeSigma = 33.0
  package var greatestHold = 3
  // Track
  package var leastSigma = 1.0
  package var leastVelocitySigma = 0.05
  package var velocitySigma = 0.1
  package var velocitySigmaShare = 0.05
  package var standingSpeed = 0.3
  package var noise = 1.0
  package var standingNoise = 0.01
  package var freedom = 3.0
  package var rounds = 2
  package var forgetting = 0.1
  package var drift = 0.3
  package var errorTime = 20.0
  package var errorLength = 1.0
  package var nodeSpacing = 0.75
  package var lag = 5.0
  package var assumedTrackRadius = 4.6
  package var greatestOffset = 5000.0
  package var greatestJump = 100_000.0
  // Radius
  package var assumedRadius = 1.75
  package var assumedNoiseShare = 1.0
  package var trackVarianceShare = 1.0
  package var commonShare = 0.4
  package var doubt = 5.0
  package var coastNoise = 1.5
  package var coastTime = 30.0
  package var heldShare = 0.35
  // Coarse
  package var coarseLifetime = 30.0
  package var coarseRadii = 3.0
  package var satelliteLifetime = 10.0
  package var force = 0.0

  package init() {}
  package static let standard = Tuning()
}
