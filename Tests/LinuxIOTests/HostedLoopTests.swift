import Foundation
import Glibc
import LinuxIO
import Testing

/// A loop in another program does not change that program's signals.
@Suite struct HostedLoopTests {
  /// Whether the calling thread blocks SIGPIPE.
  private static var isDeaf: Bool {
    var blocked = sigset_t()
    unsafe pthread_sigmask(SIG_BLOCK, nil, &blocked)
    return unsafe sigismember(&blocked, SIGPIPE) == 1
  }

  @Test func onlyItsThreadIgnoresBrokenPipes() async throws {
    // On a separate thread, because the mask stays with the thread.
    let received = try await withCheckedThrowingContinuation { continuation in
      Thread {
        continuation.resume(
          with: Result {
            let before = Self.isDeaf
            _ = try EventLoop(ownsProcess: false)
            let after = Self.isDeaf
            return (before, after)
          })
      }.start()
    }
    #expect(received == (false, true))
  }
}
