internal import CLinux
import Glibc

/// A thread of this process, for what may wait: it is waited for, or goes on alone.
package struct WorkerThread: ~Copyable, Sendable {
  private let thread: pthread_t

  /// Runs `body` on a new thread, which blocks the signals that the calling one does.
  ///
  /// - Parameter name: what tools show of it, at most 15 bytes (pthread_setname_np(3)).
  package init(name: String, _ body: sending @escaping () -> Void) throws(SystemError) {
    precondition(name.utf8.count <= 15, "a longer name is none")
    let context = unsafe Unmanaged.passRetained(Work(body)).toOpaque()
    var thread = pthread_t()
    let failure = unsafe pthread_create(
      &thread, nil,
      { context in
        guard let context = unsafe context else { return nil }
        unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
        return nil
      }, context)
    guard failure == 0 else {
      unsafe Unmanaged<Work>.fromOpaque(context).release()
      throw SystemError(operation: "pthread_create", errno: failure)
    }
    _ = unsafe pthread_setname_np(thread, name)
    self.thread = thread
  }

  /// Waits until it has ended.
  package consuming func join() {
    _ = pthread_join(thread, nil)
    discard self
  }

  deinit { pthread_detach(thread) }

  private final class Work {
    let body: () -> Void
    init(_ body: @escaping () -> Void) { self.body = body }
  }
}

/// The memory that this process has from the kernel.
package enum Heap {
  /// Gives back what nobody uses any more. After a peak the C library keeps it otherwise; it takes some milliseconds.
  package static func trim() { clinux_heap_trim() }
}
