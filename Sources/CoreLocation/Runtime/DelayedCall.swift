import Foundation

/// A call after some time, on a thread that ends with it.
///
/// A delayed call of Dispatch starts the pool of its worker threads, and with the pool a monitor that wakes this process every second
/// until its end (libdispatch, `src/event/workqueue.c`, `_dispatch_workq_monitor_pools`).
enum DelayedCall {
  static func make(after seconds: TimeInterval, _ body: @escaping @Sendable () -> Void) {
    let thread = Thread {
      Thread.sleep(forTimeInterval: seconds)
      body()
    }
    thread.name = "CoreLocation"
    thread.start()
  }
}
