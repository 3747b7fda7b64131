import Fusion
package import Geodesy

/// Decides when the fixes of a client in the background are delivered together, for
/// `allowDeferredLocationUpdates(untilTraveled:timeout:)`: every fix is still made, and none is lost. Each call that allows deferral
/// ends with exactly one `finish`. The caller holds the fixes, and delivers early when it has no more room.
package struct Deferral: Sendable {
  /// The inputs of the machine.
  package enum Input: Hashable, Sendable {
    case allow(DeferralLimits, DeferralConditions)
    case disallow
    /// A condition of deferral has changed.
    case conditions(DeferralConditions)
    case fix(PositionFix)
    case foreground(Bool)
    /// Holding back what is held saves nothing, because the client or another one is awake now, or must not last, because the client
    /// is about to sleep. Deferral continues.
    case release
    /// `nextDeadline` was reached. Sending this early is harmless.
    case wake
  }

  /// What the caller has to do.
  package enum Action: Hashable, Sendable {
    /// Deliver this fix at once. Nothing is held.
    case pass(PositionFix)
    /// Hold this fix, after those that are held already.
    case hold(PositionFix)
    /// Deliver the fixes that are held, if any, the oldest first.
    case deliver
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
    var traveled = Meters(0)

    /// Whether its distance or its time is reached.
    func isOver(at now: Instant) -> Bool {
      distance.map { traveled >= $0 } ?? false || deadline.map { now >= $0 } ?? false
    }
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
    case (_, .allow(let limits, let conditions)):
      let ended = end(.canceled)
      if let failure = conditions.failure { return ended + [.finish(failure)] }
      let call = Call(distance: limits.distance, deadline: limits.timeout.map { now + $0 })
      if call.isOver(at: now) { return ended + [.finish(nil)] }
      state = .deferring(call)
      return ended
    case (.deferring, .disallow):
      return end(.canceled)
    case (.deferring, .conditions(let conditions)):
      return conditions.failure.map { end($0) } ?? []
    case (.deferring(let call), .fix(let fix)):
      return receive(fix, call, at: now)
    case (.immediate, .fix(let fix)):
      return [.pass(fix)]
    case (.deferring, .release):
      return [.deliver]
    case (.deferring, .foreground(let isInForeground)):
      self.isInForeground = isInForeground
      return isInForeground ? [.deliver] : []
    case (.immediate, .foreground(let isInForeground)):
      self.isInForeground = isInForeground
      return []
    case (.deferring(let call), .wake):
      return call.isOver(at: now) ? end(nil) : []
    case (.immediate, .disallow), (.immediate, .conditions), (.immediate, .release), (.immediate, .wake):
      return []
    }
  }

  private mutating func receive(_ fix: PositionFix, _ call: Call, at now: Instant) -> [Action] {
    var call = call
    Self.measure(fix, &call)
    state = .deferring(call)
    return [isInForeground ? .pass(fix) : .hold(fix)] + (call.isOver(at: now) ? end(nil) : [])
  }

  /// Adds the distance traveled; suspect fixes and the drift at a standstill do not count.
  private static func measure(_ fix: PositionFix, _ call: inout Call) {
    guard call.distance != nil, fix.qualityFlag == nil else { return }
    guard let reference = call.reference else {
      call.reference = fix
      return
    }
    let step = Geodesic.inverse(from: reference.coordinate, to: fix.coordinate).distance
    let isMoving = fix.isSlow.map { !$0 } ?? !Standstill.isWithinReach(fix, of: reference)
    guard isMoving else { return }
    call.traveled = call.traveled + step
    call.reference = fix
  }

  /// Ends the current call, if any.
  private mutating func end(_ failure: DeferralFailure?) -> [Action] {
    guard case .deferring = state else { return [] }
    state = .immediate
    return [.deliver, .finish(failure)]
  }
}
