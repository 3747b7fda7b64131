import Geodesy

/// Learns how far apart a source's epochs are, to know when one is overdue.
struct EpochPace {
  /// As many epochs without a valid fix, and at least `shortestSilence`, mean that the position is lost.
  static let silentEpochs = 3
  /// Faster receivers are given this long all the same.
  static let shortestSilence: Duration = .seconds(3)
  /// Nothing slower is taken for a pace: it is a gap.
  static let slowestPeriod: Duration = .seconds(20)

  private var newest: GNSSTime
  /// The last two periods; the shorter one counts, so that one missing epoch does not look like a slow receiver.
  private var (earlierPeriod, period) = (Duration.zero, Duration.zero)

  /// Begins with one epoch.
  init(first epoch: GNSSTime) { newest = epoch }

  /// Takes the time of the next epoch; of the same one again it learns nothing.
  mutating func add(_ epoch: GNSSTime) {
    let gap = epoch - newest
    newest = epoch
    guard gap > .zero, gap <= Self.slowestPeriod else { return }
    (earlierPeriod, period) = (period, gap)
  }

  /// How long nothing valid may come before the position is lost.
  var longestSilence: Duration { max(min(earlierPeriod, period) * Self.silentEpochs, Self.shortestSilence) }
}
