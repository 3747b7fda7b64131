/// How often a log is brought to the disk, and what it takes for a gap.
package struct LogPace: Hashable, Sendable {
  /// At most this much is lost when the power fails (issue: ≤ 30 s).
  package var sync: Duration = .seconds(30)
  /// The first sync comes this long after the first fix, and each later one twice as long after as the one before, up to
  /// `sync`: a service that is killed again and again records something all the same. `nil`: each as `sync` says.
  package var firstSync: Duration?
  /// No fix for longer than this, and than three of the receiver's epochs, parts a track: at a motorway's speed it is some
  /// 300 m, more than a straight line may be drawn over.
  package var gap: Duration = .seconds(10)
  /// After this long it is tried again to write where there was no room.
  package var retry: Duration = .seconds(60)

  package init() {}
}
