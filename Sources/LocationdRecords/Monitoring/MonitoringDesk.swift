import Geodesy
import LinuxIO

/// Runs the monitoring keeper on its own thread: receives orders, sends reports, and wakes the keeper at its deadlines.
final class MonitoringDesk {
  private let loop: EventLoop
  private let keeper: MonitoringKeeper
  /// Whether time comes from a recording: then overdue work is done with the next order.
  private let isVirtual: Bool
  private var timer: TimerID?
  private var wakeAt: Instant?

  init(loop: EventLoop, _ keeper: MonitoringKeeper, isVirtual: Bool) {
    (self.loop, self.keeper, self.isVirtual) = (loop, keeper, isVirtual)
  }

  func carryOut(_ order: MonitoringOrder, at now: Instant) {
    if isVirtual, let deadline = keeper.nextDeadline, deadline <= now { keeper.wake(at: deadline) }
    keeper.carryOut(order, at: now)
    if case .end = order { return loop.stop() }
    arm()
  }

  private func arm() {
    guard !isVirtual else { return }
    let deadline = keeper.nextDeadline
    guard deadline != wakeAt else { return }
    if let timer { loop.cancel(timer) }
    wakeAt = deadline
    timer = deadline.map { deadline in
      loop.schedule(at: deadline) { [unowned self] in
        (timer, wakeAt) = (nil, nil)
        keeper.wake(at: loop.now)
        arm()
      }
    }
  }
}
