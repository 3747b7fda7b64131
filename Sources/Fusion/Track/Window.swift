import Geodesy

/// The newest moments of a track, solved together: positions, velocities, and the weight of each measurement.
///
/// Older moments are merged into `prior`. A measurement can lose its weight as long as it is in the window. So a majority of
/// good positions wins over a minority of bad ones, whichever came first.
struct Window {
  static let capacity = 20

  private var nodes = InlineArray<20, Keyframe>(repeating: Keyframe())
  /// Index of the oldest element.
  private var head = 0
  private(set) var count = 0
  /// The estimate for the oldest remaining node from the nodes that have left the window.
  private var prior = StateEstimate.nowhere

  /// The node at an index in the order of time.
  subscript(index: Int) -> Keyframe { nodes[slot(index)] }

  /// The newest estimate; invalid if the window is empty. Stored separately because reading one node copies all of them.
  private(set) var newest = StateEstimate.nowhere
  /// Time of the newest node; invalid if the window is empty.
  private(set) var newestSeconds = 0.0

  private func slot(_ index: Int) -> Int {
    let slot = head + index
    return slot < Self.capacity ? slot : slot - Self.capacity
  }

  /// Adds the newest moment and filters it; does not solve the window.
  mutating func append(_ node: consuming Keyframe, _ tuning: Tuning) {
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
    // The removed estimate may have been wrong: it loses weight with all new evidence.
    let forgetting = 1 + tuning.forgetting * novelty
    rest.placeVariance *= forgetting
    rest.covariance *= forgetting
    rest.velocityVariance *= forgetting
    prior = rest.advanced(by: step, noise: nodes[next].noise)
    prior.placeVariance += tuning.drift * step * novelty
    head = next
    count -= 1
  }

  /// Removes all nodes.
  mutating func removeAll() {
    count = 0
    head = 0
  }

  /// Finds the track that most measurements agree on: first with the full weight of each position, then with each
  /// measurement weighted by how well it fitted (iteratively reweighted least squares).
  mutating func solve(_ tuning: Tuning) {
    for index in 0..<count { nodes[slot(index)].placeWeight = 1 }
    smooth()
    for _ in 0..<tuning.rounds {
      for index in 0..<count { nodes[slot(index)].weigh(tuning) }
      smooth()
    }
  }

  /// Filters forwards through all nodes and smooths backwards.
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

  /// The estimate at a moment between or after the nodes; `nil` before the oldest.
  func state(at seconds: Double, noise: Double) -> StateEstimate? {
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

  /// Stores the position returned for the newest node; the window must not be empty.
  mutating func answer(_ place: SIMD2<Double>) { nodes[slot(count - 1)].answered = place }

  /// Distance between the recently returned positions and the current estimates of the same moments: root mean square, meters.
  /// The newest node is excluded because no later measurement has revised it yet.
  var revision: Double {
    guard count > 1 else { return 0 }
    var sum = 0.0
    for index in 0..<(count - 1) {
      let slot = slot(index)
      sum += (nodes[slot].smoothed.place - nodes[slot].answered).squaredLength
    }
    return (sum / Double(count - 1)).squareRoot()
  }

  /// Standard deviation of the measured positions per axis, meters: the mean is weighted by the inverse variances, so that a
  /// position of poor accuracy has little effect. Invalid if the window is empty.
  var sigma: Double {
    var sum = 0.0
    for index in 0..<count { sum += 1 / nodes[slot(index)].placeVariance }
    return (Double(count) / sum).squareRoot()
  }

  /// Removes the velocity of the newest node, which turned out to be wrong.
  mutating func forgetNewestVelocity() {
    guard count > 0 else { return }
    nodes[slot(count - 1)].velocityVariance = .infinity
  }

  /// Converts everything to another frame.
  mutating func move(from old: TangentFrame, to new: TangentFrame) {
    func carry(_ state: inout StateEstimate) {
      state.place = new.carry(state.place, from: old)
      state.velocity = new.carry(velocity: state.velocity, from: old)
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

/// Recent estimates that wait until they are old enough to be returned again, improved by later fixes.
struct FixedLagBuffer {
  struct Entry {
    /// The estimate that was returned.
    var fix: PositionFix
    /// On the estimator's time axis.
    var seconds: Double
    /// 68 % radius of the received fix, meters.
    var radius: Double
    /// Whether its receiver reported a velocity.
    var hasVelocity: Bool
    /// Whether the estimate came from the track, not from the receiver.
    var isOfTrack: Bool
    /// What coarse positions added to it, and the variance of that per axis.
    var correction: (shift: SIMD2<Double>, variance: Double)?
  }

  static let capacity = 64

  private var entries = InlineArray<64, Entry?>(repeating: nil)
  /// Index of the oldest element.
  private var head = 0
  private var count = 0

  /// Adds the newest entry; returns the oldest if it is `lag` seconds old, or if there is no room for both.
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
