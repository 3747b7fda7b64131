import Geodesy

/// How fast signals fall with the distance around here, as the scans of the last minute tell by themselves, without any place.
///
/// Of access points that are everywhere alike those within d are as d², so that what their signals have over a threshold is
/// exponential, with a mean of 10 n / (2 ln 10) dB, and shadows of any size leave it so: few weak ones beside the strong ones is a
/// small n ("Hill's estimator": Annals of Statistics 3, 1975). The same fact is in the solver's likelihood.
struct PathLossEstimate {
  private let tuning: PositioningTuning.Learning
  /// Sum of what the signals had over their thresholds, dB, and how many they were, the older ones less.
  private var excess = 0.0
  private var count = 0.0
  /// Of the last scan, dBm: what is weaker is not heard.
  private(set) var threshold: Double

  init(_ tuning: PositioningTuning.Learning) {
    self.tuning = tuning
    threshold = tuning.threshold
  }

  /// Takes the signals of a scan, dBm.
  mutating func hear(_ signals: [Double]) {
    guard let weakest = signals.min() else { return }
    // A driver that tells no more than so many leaves out the weaker ones.
    threshold = signals.count < tuning.fullScan ? min(weakest, tuning.threshold) : weakest
    excess = tuning.scanMemory * excess + signals.reduce(0) { $0 + min(tuning.greatestExcess, $1 - threshold) }
    count = tuning.scanMemory * count + Double(signals.count)
  }

  /// n.
  var exponent: Double {
    let exponents = tuning.exponents
    let mean = (exponents.lowerBound + exponents.upperBound) / 2
    let told = excess * 2 / PathLossPosterior.decibelsPerE
    return min(
      exponents.upperBound,
      max(exponents.lowerBound, (tuning.assumedSignals * mean + told) / (tuning.assumedSignals + count)))
  }
}
