import Geodesy

/// Puts positions on one axis of time, in seconds since the first, and refuses those that do not belong there.
struct Sequence {
  /// Where the newest satellite fix lies.
  private(set) var seconds = 0.0
  private var last: (time: GNSSTime, at: Instant)?
  /// Satellite fixes in a row that were refused.
  private var refused = 0

  /// Takes the next satellite fix and says where it lies. Its own time counts: one that comes late is not taken for new.
  mutating func place(_ time: GNSSTime, at now: Instant, _ tuning: Tuning) throws(Refusal) -> Double {
    guard let last else {
      self.last = (time, now)
      return seconds
    }
    let step = (time - last.time).inSeconds
    let waited = max(0, (now - last.at).inSeconds)
    guard step != 0 else { throw .repeated }
    if step > 0, step <= waited + tuning.greatestLead {
      seconds += step
    } else {
      // A clock that was wrong is set once, and goes on from there.
      refused += 1
      guard refused >= tuning.refusalsToBelieve, waited > 0 else { throw step < 0 ? .past : .future }
      seconds += waited
    }
    refused = 0
    self.last = (time, now)
    return seconds
  }

  /// Where `now` lies: as far behind the newest fix as it came before.
  func seconds(at now: Instant) -> Double {
    guard let last else { return seconds }
    return seconds + max(0, (now - last.at).inSeconds)
  }
}
