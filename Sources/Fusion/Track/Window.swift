import Geodesy

/// The newest moments of a track, solved together: positions, velocities, and the weight of each measurement.
///
/// Older moments are merged into `prior`. A measurement can lose its weight as long as it is in the window. So a majority of
/// good positions wins over a minority of bad ones, whichever came first.
///
/// Every function that reads a node is `mutating`, even if it changes nothing: in a function that is not, each read of one node
/// copies all of them (6.7 kB, Swift 6.3).
struct Window {
  static let capacity = 20

  private var nodes = InlineArray<20, Keyframe>(repeating: Keyframe())
  /// Index of the oldest element.
  private var head = 0
  private(set) var count = 0
  /// The estimate for the oldest remaining node from the nodes that have left the window.
  private var prior = StateEstimate.nowhere

  /// The newest estimate; invalid if the window is empty.
  private(set) var newest = StateEstimate.nowhere
  /// Time of the newest node; invalid if the window is empty.
  private(set) var newestSeconds = 0.0
  /// Whether the newest node is assumed to stand (`findStandstill`).
  private(set) var isStanding = false
  /// The scatter of the nodes, as long as no node is added; `nil`: to be computed.
  private var knownScatter: Scatter?

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
    node.filtered = node.predicted
    node.update(&node.filtered)
    node.smoothed = node.filtered
    (newest, newestSeconds) = (node.smoothed, node.seconds)
    knownScatter = nil
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
    isStanding = false
  }

  /// Looks for a standstill of the newest nodes, if no velocities are measured: assumes that all nodes stand for which the evidence is
  /// strongest, or ends such an assumption.
  mutating func findStandstill(_ tuning: Tuning) {
    let length = standstillLength(tuning)
    if length > 0 {
      for index in (count - length)..<count { nodes[slot(index)].assumeStandstill(sigma: tuning.standstillSigma) }
    } else if isStanding {
      // A car covers a few meters in its first seconds, which are no evidence yet.
      for index in max(0, count - tuning.departureNodes)..<count { nodes[slot(index)].endStandstill() }
    }
    isStanding = length > 0
  }

  /// The number of the newest nodes that stand; 0 if there is no evidence of a standstill.
  private mutating func standstillLength(_ tuning: Tuning) -> Int {
    guard count >= tuning.leastStandstillNodes else { return 0 }
    let newest = slot(count - 1)
    var evidence = StandstillEvidence(place: nodes[newest].place, seconds: nodes[newest].seconds)
    var (strongest, length) = (tuning.standstillEvidence, 0)
    var slot = newest
    for number in 1...count {
      evidence.add(nodes[slot].place, seconds: nodes[slot].seconds, certainty: nodes[slot].certainty)
      slot = slot > 0 ? slot - 1 : Self.capacity - 1
      guard number >= tuning.leastStandstillNodes else { continue }
      let ratio = evidence.logRatio(usualSpeed: tuning.usualSpeed)
      if ratio > strongest { (strongest, length) = (ratio, number) }
    }
    return length
  }

  /// Finds the track that most measurements agree on: first with the full weight of each position, then with each
  /// measurement weighted by how well it fitted (iteratively reweighted least squares).
  mutating func solve(_ tuning: Tuning) {
    guard count > 0 else { return }
    for index in 0..<count { nodes[slot(index)].placeWeight = 1 }
    for _ in 0..<tuning.rounds {
      filter()
      weigh(freedom: tuning.freedom)
    }
    filter()
    smooth()
    knownScatter = nil
  }

  /// Filters forward through all nodes; the window must not be empty.
  private mutating func filter() {
    var slot = head
    var state = prior
    for index in 0..<count {
      if index > 0 {
        slot = slot + 1 < Self.capacity ? slot + 1 : 0
        state = state.advanced(by: nodes[slot].step, noise: nodes[slot].noise)
      }
      nodes[slot].predicted = state
      nodes[slot].update(&state)
      nodes[slot].filtered = state
    }
  }

  /// Smooths positions and velocities backward and sets the weights from them. The weights do not depend on the variances,
  /// which are half of the cost of smoothing.
  private mutating func weigh(freedom: Double) {
    var slot = slot(count - 1)
    var (place, velocity) = (nodes[slot].filtered.place, nodes[slot].filtered.velocity)
    nodes[slot].weigh(place, velocity, freedom: freedom)
    for _ in 1..<count {
      let after = slot
      slot = slot > 0 ? slot - 1 : Self.capacity - 1
      (place, velocity) = nodes[slot].filtered.smoothed(
        by: place, velocity, predicted: nodes[after].predicted, dt: nodes[after].step)
      nodes[slot].weigh(place, velocity, freedom: freedom)
    }
  }

  /// Smooths backward from the newest node.
  private mutating func smooth() {
    var slot = slot(count - 1)
    var state = nodes[slot].filtered
    nodes[slot].smoothed = state
    newest = state
    for _ in 1..<count {
      let after = slot
      slot = slot > 0 ? slot - 1 : Self.capacity - 1
      state = nodes[slot].filtered.smoothed(by: state, predicted: nodes[after].predicted, dt: nodes[after].step)
      nodes[slot].smoothed = state
    }
  }

  /// The estimate at a moment between or after the nodes; `nil` before the oldest.
  mutating func state(at seconds: Double, noise: Double) -> StateEstimate? {
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

  /// How far the nodes scatter, for the radius.
  struct Scatter {
    /// Distance between the recently returned positions and the current estimates of the same moments: root mean square,
    /// meters. The newest node is excluded because no later measurement has revised it yet.
    var revision = 0.0
    /// Standard deviation of the measured positions per axis, meters: the mean is weighted by the inverse variances, so that a
    /// position of poor accuracy has little effect. Invalid if the window is empty.
    var sigma = 0.0
  }

  /// The scatter of the nodes; computed once for each new node.
  mutating func scatter() -> Scatter {
    if let knownScatter { return knownScatter }
    var (revisions, certainties) = (0.0, 0.0)
    for index in 0..<count {
      let slot = slot(index)
      if index < count - 1 { revisions += (nodes[slot].smoothed.place - nodes[slot].answered).squaredLength }
      certainties += nodes[slot].certainty
    }
    let new = Scatter(
      revision: count > 1 ? (revisions / Double(count - 1)).squareRoot() : 0,
      sigma: (Double(count) / certainties).squareRoot())
    knownScatter = new
    return new
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
