import Fusion
package import Geodesy

/// Holds a background client's fixes back and hands them over together, for `allowDeferredLocationUpdates(untilTraveled:timeout:)`:
/// every fix is still made, none is lost. Each call that allows it ends with exactly one `finish`.
package struct Deferral: Sendable {
  /// As many fixes are held: ten minutes at one a second. The next one brings them to the client early; deferring goes on.
  package static let capacity = 600

  /// What the machine is told.
  package enum Input: Hashable, Sendable {
    /// May defer until it has travelled `distance` and no longer than `timeout`; `nil`: no limit.
    case allow(distance: Meters?, timeout: Duration?, DeferralConditions)
    case disallow
    /// Something that deferring depends on has changed.
    case conditions(DeferralConditions)
    case fix(PositionFix)
    case foreground(Bool)
    /// Somebody else is given fixes now: holding them back saves nothing.
    case othersServed
    /// `nextDeadline` has come. Too early is harmless.
    case wake
  }

  /// What the shell is to do.
  package enum Action: Hashable, Sendable {
    /// Hand over fixes, the oldest first; never none.
    case deliver([PositionFix])
    /// A call is over; `nil`: its distance or time was reached.
    case finish(DeferralFailure?)
  }

  private enum State {
    case immediate
    case deferring(Call)
  }

  /// One call that allows it.
  private struct Call {
    var distance: Meters?
    var deadline: Instant?
    /// The last fix that the way was measured to.
    var reference: PositionFix?
    var travelled = Meters(0)
    var held: [PositionFix] = []
  }

  private var isInForeground: Bool
  private var state = State.immediate

  package init(isInForeground: Bool) { self.isInForeground = isInForeground }

  /// When `.wake` is due.
  package var nextDeadline: Instant? {
    if case .deferring(let call) = state { call.deadline } else { nil }
  }

  /// Takes one input and says what to do about it.
  package mutating func handle(_ input: Input, at now: Instant) -> [Action] {
    switch (state, input) {
    case (_, .allow(let distance, let timeout, let conditions)):
      let ended = end(.canceled)
      if let failure = conditions.failure { return ended + [.finish(failure)] }
      state = .deferring(Call(distance: distance, deadline: timeout.map { now + $0 }))
      return ended
    case (.deferring, .disallow):
      return end(.canceled)
    case (.deferring, .conditions(let conditions)):
      return conditions.failure.map { end($0) } ?? []
    case (.deferring(let call), .fix(let fix)):
      return hold(fix, call, at: now)
    case (.immediate, .fix(let fix)):
      return [.deliver([fix])]
    case (.deferring(var call), .othersServed):
      let actions = Self.deliver(&call)
      state = .deferring(call)
      return actions
    case (.deferring(var call), .foreground(let isInForeground)):
      self.isInForeground = isInForeground
      let actions = isInForeground ? Self.deliver(&call) : []
      state = .deferring(call)
      return actions
    case (.immediate, .foreground(let isInForeground)):
      self.isInForeground = isInForeground
      return []
    case (.deferring(let call), .wake):
      return call.deadline.map { now >= $0 } ?? false ? end(nil) : []
    case (.immediate, .disallow), (.immediate, .conditions), (.immediate, .othersServed), (.immediate, .wake):
      return []
    }
  }

  private mutating func hold(_ fix: PositionFix, _ call: Call, at now: Instant) -> [Action] {
    var call = call
    call.held.append(fix)
    Self.measure(fix, &call)
    let isFar = call.distance.map { call.travelled >= $0 } ?? false
    let isLate = call.deadline.map { now >= $0 } ?? false
    var actions: [Action] = []
    if isInForeground || call.held.count >= Self.capacity { actions = Self.deliver(&call) }
    state = .deferring(call)
    return isFar || isLate ? actions + end(nil) : actions
  }

  /// Adds what was travelled; neither suspect fixes nor the wandering of what stands still are a way.
  private static func measure(_ fix: PositionFix, _ call: inout Call) {
    guard fix.suspicion == nil else { return }
    guard let reference = call.reference else {
      call.reference = fix
      return
    }
    let step = Geodesic.inverse(from: reference.coordinate, to: fix.coordinate).distance
    let isMoving = fix.isSlow.map { !$0 } ?? !Standstill.isWithinReach(fix, of: reference)
    guard isMoving else { return }
    call.travelled = call.travelled + step
    call.reference = fix
  }

  private static func deliver(_ call: inout Call) -> [Action] {
    guard !call.held.isEmpty else { return [] }
    defer { call.held = [] }
    return [.deliver(call.held)]
  }

  /// Ends the call that is open, if any.
  private mutating func end(_ failure: DeferralFailure?) -> [Action] {
    guard case .deferring(var call) = state else { return [] }
    state = .immediate
    return Self.deliver(&call) + [.finish(failure)]
  }
}

/// What deferring depends on.
package struct DeferralConditions: Hashable, Sendable {
  /// There is a receiver: only satellites give fixes worth keeping.
  package var hasReceiver = true
  /// The client asks for the best accuracy, or for navigation's.
  package var wantsBestAccuracy = true
  package var hasDistanceFilter = false
  package var isUpdating = true

  package init() {}

  /// The first that is not met.
  var failure: DeferralFailure? {
    if !hasReceiver { return .failed }
    if !isUpdating { return .notUpdating }
    if !wantsBestAccuracy { return .accuracyTooLow }
    return hasDistanceFilter ? .distanceFiltered : nil
  }
}

/// Why updates are not deferred, or not any more (`CLError.deferred…`).
package enum DeferralFailure: Hashable, Sendable {
  /// No source can defer.
  case failed
  /// Updates are not running.
  case notUpdating
  /// The accuracy asked for is not the best.
  case accuracyTooLow
  /// A distance filter is set.
  case distanceFiltered
  /// The client ended it, or asked again.
  case canceled
}
