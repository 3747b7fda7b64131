import Foundation
import Glibc
import LinuxIO
import Testing

/// A loop in a program of others leaves that program's signals alone.
@Suite struct HostedLoopTests {
  /// Whether the calling thread does not hear SIGPIPE.
  private static var isDeaf: Bool {
    var blocked = sigset_t()
    unsafe pthread_sigmask(SIG_BLOCK, nil, &blocked)
    return unsafe sigismember(&blocked, SIGPIPE) == 1
  }

  @Test func onlyItsThreadIgnoresBrokenPipes() async throws {
    // A thread of its own, as the mask stays with it.
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
