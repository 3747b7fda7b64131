/// What a receiver knows how long after power-on.
package struct ColdStart: Hashable, Sendable {
  /// Until it tells a time of day.
  package var timeOfDay: Duration
  /// Until it tells a date too.
  package var date: Duration
  /// Until it sees satellites.
  package var satellitesInView: Duration
  /// Until it has a fix without height.
  package var fix2D: Duration
  /// Until it has a fix with height.
  package var fix3D: Duration

  package init(
    timeOfDay: Duration, date: Duration, satellitesInView: Duration, fix2D: Duration, fix3D: Duration
  ) {
    self.timeOfDay = timeOfDay
    self.date = date
    self.satellitesInView = satellitesInView
    self.fix2D = fix2D
    self.fix3D = fix3D
  }

  /// Knows all at once.
  package static let hot = ColdStart(
    timeOfDay: .zero, date: .zero, satellitesInView: .zero, fix2D: .zero, fix3D: .zero)

  /// The usual order under a good sky: 18–36 s until ephemerides are read (u-blox integration manuals).
  package static let cold = ColdStart(
    timeOfDay: .seconds(4), date: .seconds(8), satellitesInView: .seconds(3), fix2D: .seconds(26), fix3D: .seconds(30))
}
