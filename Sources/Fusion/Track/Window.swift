import Geodesy

/// The newest moments of a track, solved together: places, velocities, and how far each measurement is believed.
///
/// What is older is folded into `prior`. A measurement that turns out wrong is given up as long as it is in the window, which
/// is why a majority of good places wins over a minority of bad ones, whichever came first.
struct Window {
  static let capacity = 20

  private var nodes = InlineArray<20, Node>(repeating: Node())
  /// Where the oldest lies.
  private var head = 0
  private(set) var count = 0
  /// What the nodes that are gone say of the oldest that is left.
  private var prior = Belief.nowhere

  /// The node at a place in the order of time.
  subscript(index: Int) -> Node { nodes[slot(index)] }

  /// The newest belief; not to be asked of an empty window. Kept apart, as to read one node copies them all out.
  private(set) var newest = Belief.nowhere
  /// When the newest node was; not to be asked of an empty window.
  private(set) var newestSeconds = 0.0

  private func slot(_ index: Int) -> Int {
    let slot = head + index
    return slot < Self.capacity ? slot : slot - Self.capacity
  }

  /// Adds the newest moment and takes it into the belief; the window is not solved by that.
  mutating func append(_ node: consuming Node, _ tuning: Tuning) {
    if count == Self.capacity { dropOldest(tuning) }
    if count == 0 {
      prior = .nowhere
      prior.place = node.place
      node.predicted = prior
    } else {
      node.predicted = nodes[slot(count - 1)].filtered.advanced(by: node.step, noise: node.noise)
    }
    node.filter()
    node.smoothed = node.filtered
    (newest, newestSeconds) = (node.smoothed, node.seconds)
    nodes[slot(count)] = node
    count += 1
  }

  private mutating func dropOldest(_ tuning: Tuning) {
    var rest = nodes[head].filtered
    let next = slot(1)
    let (step, novelty) = (nodes[next].step, nodes[next].novelty)
    // What was taken for true may have been wrong: it is believed less with all that comes new.
    let forgetting = 1 + tuning.forgetting * novelty
    rest.placeVariance *= forgetting
    rest.covariance *= forgetting
    rest.velocityVariance *= forgetting
    prior = rest.advanced(by: step, noise: nodes[next].noise)
    prior.placeVariance += tuning.drift * step * novelty
    head = next
    count -= 1
  }

  /// Forgets all.
  mutating func removeAll() {
    count = 0
    head = 0
  }

  /// Finds the track that most measurements agree on: least squares first, then each measurement by how well it fitted
  /// (iteratively reweighted least squares).
  mutating func solve(_ tuning: Tuning) {
    for index in 0..<count { nodes[slot(index)].placeWeight = 1 }
    smooth()
    for _ in 0..<tuning.rounds {
      for index in 0..<count { nodes[slot(index)].weigh(tuning) }
      smooth()
    }
  }

  /// Forwards through all nodes and back.
  private mutating func smooth() {
    guard count > 0 else { return }
    var slot = head
    nodes[slot].predicted = prior
    nodes[slot].filter()
    for _ in 1..<count {
      let before = slot
      slot = slot + 1 < Self.capacity ? slot + 1 : 0
      nodes[slot].predicted = nodes[before].filtered.advanced(by: nodes[slot].step, noise: nodes[slot].noise)
      nodes[slot].filter()
    }
    nodes[slot].smoothed = nodes[slot].filtered
    newest = nodes[slot].smoothed
    for _ in 1..<count {
      let after = slot
      slot = slot > 0 ? slot - 1 : Self.capacity - 1
      nodes[slot].smoothed = nodes[slot].filtered.smoothed(
        by: nodes[after].smoothed, predicted: nodes[after].predicted, dt: nodes[after].step)
    }
  }

  /// The belief of a moment between the nodes; `nil` before the oldest.
  func belief(at seconds: Double, noise: Double) -> Belief? {
    if count > 0, seconds >= newestSeconds {
      return seconds > newestSeconds ? newest.advanced(by: seconds - newestSeconds, noise: noise) : newest
    }
    var index = count - 1
    while index >= 0, nodes[slot(index)].seconds > seconds { index -= 1 }
    guard index >= 0 else { return nil }
    let node = slot(index)
    let dt = seconds - nodes[node].seconds
    return dt > 0 ? nodes[node].smoothed.advanced(by: dt, noise: noise) : nodes[node].smoothed
  }

  /// Remembers what is answered at the newest node; the window is not empty.
  mutating func answer(_ place: SIMD2<Double>) { nodes[slot(count - 1)].answered = place }

  /// How far the answers of late were off what is believed of the same moments now: root mean square, metres. The newest
  /// has nothing later yet that could tell.
  var revision: Double {
    guard count > 1 else { return 0 }
    var sum = 0.0
    for index in 0..<(count - 1) {
      let slot = slot(index)
      sum += (nodes[slot].smoothed.place - nodes[slot].answered).squaredLength
    }
    return (sum / Double(count - 1)).squareRoot()
  }

  /// Standard deviation of the measured places per axis, metres: the mean by what each counts, so that one that claims
  /// nothing changes nothing. Not to be asked of an empty window.
  var sigma: Double {
    var sum = 0.0
    for index in 0..<count { sum += 1 / nodes[slot(index)].placeVariance }
    return (Double(count) / sum).squareRoot()
  }

  /// Gives up the velocity of the newest node, which turned out to be wrong.
  mutating func forgetNewestVelocity() {
    guard count > 0 else { return }
    nodes[slot(count - 1)].velocityVariance = .infinity
  }

  /// Moves all to another frame.
  mutating func move(from old: TangentFrame, to new: TangentFrame) {
    func carry(_ belief: inout Belief) {
      belief.place = new.carry(belief.place, from: old)
      belief.velocity = new.carry(velocity: belief.velocity, from: old)
    }
    carry(&prior)
    carry(&newest)
    for index in 0..<count {
      let slot = slot(index)
      nodes[slot].place = new.carry(nodes[slot].place, from: old)
      nodes[slot].velocity = new.carry(velocity: nodes[slot].velocity, from: old)
      nodes[slot].answered = new.carry(nodes[slot].answered, from: old)
      carry(&nodes[slot].predicted)
      carry(&nodes[slot].filtered)
      carry(&nodes[slot].smoothed)
    }
  }
}

/// What was told of late, until it is old enough to be told once more, and better.
struct Delay {
  struct Entry {
    /// What was answered.
    var fix: PositionFix
    /// On the estimator's axis of time.
    var seconds: Double
    /// 68 % radius that came with the fix, metres.
    var radius: Double
    /// Whether its receiver told a velocity.
    var hasVelocity: Bool
    /// Whether it was the track's answer, not the receiver's.
    var isOfTrack: Bool
  }

  static let capacity = 64

  private var entries = InlineArray<64, Entry?>(repeating: nil)
  /// Where the oldest lies.
  private var head = 0
  private var count = 0

  /// Keeps the newest; hands out the oldest where that is `lag` seconds old, or where there is no room for both.
  mutating func push(_ entry: consuming Entry, lag: Double) -> Entry? {
    var oldest: Entry?
    if count > 0, let first = entries[head], count == Self.capacity || entry.seconds - first.seconds >= lag {
      oldest = first
      entries[head] = nil
      head = (head + 1) % Self.capacity
      count -= 1
    }
    entries[(head + count) % Self.capacity] = entry
    count += 1
    return oldest
  }
}
