package import Geodesy

/// One timer for whatever is due next. It is not moved for a deadline that is later, or none any more: that is looked at when the
/// earlier one comes, so that a timer is not moved with every message.
package final class EarliestTimer {
  private let loop: EventLoop
  private let body: () -> Void
  private var armed: (timer: TimerID, deadline: Instant)?

  /// - Parameter body: called when the deadline has passed; to arm the timer for what is due then.
  package init(_ loop: EventLoop, _ body: @escaping () -> Void) {
    self.loop = loop
    self.body = body
  }

  deinit { cancel() }

  package func arm(for deadline: Instant?) {
    guard let deadline, armed.map({ deadline < $0.deadline }) ?? true else { return }
    cancel()
    let timer = loop.schedule(at: deadline) { [unowned self] in
      armed = nil
      body()
    }
    armed = (timer, deadline)
  }

  package func cancel() {
    if let armed { loop.cancel(armed.timer) }
    armed = nil
  }
}
