internal import CLinux
import Glibc
import Synchronization

/// Brings messages from other threads onto an event loop, in the order of their posting. It costs the loop one wakeup,
/// however many come at once.
package final class LoopMailbox<Message: Sendable>: Sendable {
  private let event: OwnedDescriptor
  private let waiting = Mutex<[Message]>([])

  /// An empty mailbox.
  package init() throws(SystemError) {
    let flags = Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK)
    event = OwnedDescriptor(rawValue: try SystemCall.run("eventfd") { eventfd(0, flags) })
  }

  /// Leaves a message; from any thread.
  package func post(_ message: Message) {
    let isFirst = waiting.withLock { messages in
      messages.append(message)
      return messages.count == 1
    }
    // Fails only where the count is full, and then the loop is to be woken already.
    if isFirst { _ = eventfd_write(event.rawValue, 1) }
  }

  /// Readable while something waits.
  fileprivate var descriptor: Int32 { event.rawValue }

  /// What waits, taken before the loop comes to it; from the loop's thread.
  package func takeAll() -> [Message] {
    var count: eventfd_t = 0
    _ = unsafe eventfd_read(event.rawValue, &count)
    return waiting.withLock { messages in
      defer { messages.removeAll() }
      return messages
    }
  }
}

extension EventLoop {
  /// Calls `body` on the loop's thread with each message that is left in `mailbox`, as long as the loop lives.
  package func receive<Message>(
    from mailbox: LoopMailbox<Message>, _ body: @escaping (Message) -> Void
  ) throws(SystemError) {
    _ = try watch(mailbox.descriptor) { _ in
      for message in mailbox.takeAll() { body(message) }
    }
  }
}
