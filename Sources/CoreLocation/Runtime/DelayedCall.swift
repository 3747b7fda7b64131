import Foundation

/// A delayed call, on a thread of its own that ends after the call.
///
/// A delayed call by Dispatch would start its pool of worker threads, and with it a monitor that wakes this process
/// every second until its end (libdispatch, `src/event/workqueue.c`, `_dispatch_workq_monitor_pools`).
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
