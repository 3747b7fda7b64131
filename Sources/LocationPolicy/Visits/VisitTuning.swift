import Geodesy

/// What is a stay, and what is a stop. All of these are ours: Apple states none. They were sought on simulated weeks of other seeds
/// than those that are judged.
enum VisitTuning {
  /// Who stays for so long has arrived: longer than lights, level crossings and most queues last,
  static let dwell: Duration = .seconds(7 * 60)
  /// and for so long, where something else says so as well: the charger, the network of one's home.
  static let dwellWithHint: Duration = .seconds(120)
  /// A hint speaks for the minutes around it.
  static let hintLifetime: Duration = .seconds(600)
  /// Who is not heard of any more, and stood still, has gone inside.
  static let silence: Duration = .seconds(10 * 60)
  /// Reckoned from its centre, a place is so large at least: a house with its garden.
  static let reach = Meters(60)
  /// Who is so near, or as near as the fix can tell, is there.
  static let doorstep = Meters(20)
  /// And who is so far away has left.
  static let away = Meters(250)
  /// Else who is beyond reach for so long, by as many fixes.
  static let leaving: (duration: Duration, fixes: Int) = (.seconds(60), 3)
  /// Of the fixes of a stay, so many may lie elsewhere.
  static let outliers = 0.1
  /// Coarser ones say nothing of a place.
  static let coarsest = Meters(250)
  /// Fixes that follow sooner say nothing new.
  static let spacing: Duration = .seconds(5)
  /// And as many are held, newest last.
  static let mostFixes = 180
  /// Between two fixes that are further apart, nobody knows when it was where.
  static let longestStep: Duration = .seconds(60)
  /// What may be wrong by more is no estimate of a time.
  static let longestGuess: Duration = .seconds(3600)
  /// Then it went as a pedestrian does, m/s, where its fix does not tell.
  static let assumedSpeed = 1.4
}
