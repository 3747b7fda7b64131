internal import CLinux
import Glibc

/// A thread for blocking work. The caller either joins it or leaves it detached.
package struct WorkerThread: ~Copyable, Sendable {
  private let thread: pthread_t

  /// Runs `body` on a new thread, which inherits the calling thread's blocked signals.
  ///
  /// - Parameter name: shown by tools, at most 15 bytes (pthread_setname_np(3)).
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

  /// Waits until the thread has ended.
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

/// The process's heap memory.
package enum Heap {
  /// Returns unused memory to the kernel, which the C library would otherwise keep after a peak. Takes some
  /// milliseconds.
  package static func trim() { clinux_heap_trim() }
}
