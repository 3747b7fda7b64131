internal import CLinux
import Glibc
import Synchronization

/// Passes messages from other threads to an event loop, in the order of posting. Messages that arrive together cost the
/// loop one wakeup.
package final class LoopMailbox<Message: Sendable>: Sendable {
  private let event: OwnedDescriptor
  private let waiting = Mutex<[Message]>([])

  /// An empty mailbox.
  package init() throws(SystemError) {
    let flags = Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK)
    event = OwnedDescriptor(rawValue: try SystemCall.run("eventfd") { eventfd(0, flags) })
  }

  /// Posts a message, from any thread.
  package func post(_ message: Message) {
    let isFirst = waiting.withLock { messages in
      messages.append(message)
      return messages.count == 1
    }
    // Fails only if the counter is full, and then the loop's wakeup is already pending.
    if isFirst { _ = eventfd_write(event.rawValue, 1) }
  }

  /// Readable while messages wait.
  fileprivate var descriptor: Int32 { event.rawValue }

  /// Takes the waiting messages before the loop delivers them. Must be called on the loop's thread.
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
  /// Calls `body` on the loop's thread with each message posted to `mailbox`, as long as the loop exists.
  package func receive<Message>(
    from mailbox: LoopMailbox<Message>, _ body: @escaping (Message) -> Void
  ) throws(SystemError) {
    _ = try watch(mailbox.descriptor) { _ in
      for message in mailbox.takeAll() { body(message) }
    }
  }
}
