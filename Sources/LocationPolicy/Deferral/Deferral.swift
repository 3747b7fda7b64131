import Fusion
package import Geodesy

/// Holds back a background client's fixes and delivers them together, for `allowDeferredLocationUpdates(untilTraveled:timeout:)`:
/// every fix is still made, and none is lost. Each call that allows deferral ends with exactly one `finish`.
package struct Deferral: Sendable {
  /// When this many fixes are held, ten minutes at one per second, they are delivered early; deferral continues.
  package static let capacity = 600

  /// The inputs of the machine.
  package enum Input: Hashable, Sendable {
    /// Allows deferral until the machine has traveled `distance`, for at most `timeout`; `nil`: no limit.
    case allow(distance: Meters?, timeout: Duration?, DeferralConditions)
    case disallow
    /// A condition of deferral has changed.
    case conditions(DeferralConditions)
    case fix(PositionFix)
    case foreground(Bool)
    /// Another client receives fixes now: holding them back saves nothing.
    case othersServed
    /// `nextDeadline` was reached. Sending this early is harmless.
    case wake
  }

  /// What the caller has to do.
  package enum Action: Hashable, Sendable {
    /// Deliver fixes, the oldest first; the list is not empty.
    case deliver([PositionFix])
    /// A call has ended; `nil`: its distance or time was reached.
    case finish(DeferralFailure?)
  }

  private enum State {
    case immediate
    case deferring(Call)
  }

  /// One call that allows deferral.
  private struct Call {
    var distance: Meters?
    var deadline: Instant?
    /// The last fix included in the distance.
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

  /// Handles one input and returns what the caller has to do.
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

  /// Adds the distance traveled; suspect fixes and the drift at a standstill do not count.
  private static func measure(_ fix: PositionFix, _ call: inout Call) {
    guard fix.qualityFlag == nil else { return }
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

  /// Ends the current call, if any.
  private mutating func end(_ failure: DeferralFailure?) -> [Action] {
    guard case .deferring(var call) = state else { return [] }
    state = .immediate
    return Self.deliver(&call) + [.finish(failure)]
  }
}

/// The conditions of deferral.
package struct DeferralConditions: Hashable, Sendable {
  /// There is a receiver: only satellite fixes are worth deferring.
  package var hasReceiver = true
  /// The client requests the best accuracy, or that of navigation.
  package var wantsBestAccuracy = true
  package var hasDistanceFilter = false
  package var isUpdating = true

  package init() {}

  /// The first condition that is not met.
  var failure: DeferralFailure? {
    if !hasReceiver { return .failed }
    if !isUpdating { return .notUpdating }
    if !wantsBestAccuracy { return .accuracyTooLow }
    return hasDistanceFilter ? .distanceFiltered : nil
  }
}

/// Why updates are not deferred, or no longer (`CLError.deferred…`).
package enum DeferralFailure: Hashable, Sendable {
  /// No source can defer.
  case failed
  /// Updates are not running.
  case notUpdating
  /// The requested accuracy is not the best.
  case accuracyTooLow
  /// A distance filter is set.
  case distanceFiltered
  /// The client ended it, or made another call.
  case canceled
}
