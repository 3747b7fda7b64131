internal import CLinux
import Glibc

/// Signals read from a descriptor instead of interrupting the program.
final class SignalDescriptor {
  private let descriptor: OwnedDescriptor

  var rawValue: Int32 { descriptor.rawValue }

  /// Blocks `signals` in the calling thread and collects them.
  init(_ signals: [Int32]) throws(SystemError) {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    for signal in signals { try SystemCall.run("sigaddset") { unsafe sigaddset(&set, signal) } }
    let failure = unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    guard failure == 0 else { throw SystemError(operation: "pthread_sigmask", errno: failure) }
    let flags = Int32(SFD_CLOEXEC) | Int32(SFD_NONBLOCK)
    descriptor = OwnedDescriptor(rawValue: try SystemCall.run("signalfd") { unsafe signalfd(-1, &set, flags) })
  }

  /// The next signal that has arrived.
  func next() -> Int32? {
    var information = signalfd_siginfo()
    let size = MemoryLayout<signalfd_siginfo>.size
    return unsafe read(descriptor.rawValue, &information, size) == size ? Int32(information.ssi_signo) : nil
  }
}

/// A write to a pipe without a reader is to fail, not to end the program.
enum BrokenPipeSignal {
  private static let once: Void = {
    _ = signal(SIGPIPE, SIG_IGN)
    _ = signal(SIGXFSZ, SIG_IGN)
  }()

  /// Ignores SIGPIPE in this process, and SIGXFSZ, the same for a file that may not grow: both are errors of the write.
  static func ignore() { once }

  /// The same on the calling thread alone: both signals come to the thread that writes.
  static func block() throws(SystemError) {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    for signal in [SIGPIPE, SIGXFSZ] { try SystemCall.run("sigaddset") { unsafe sigaddset(&set, signal) } }
    let failure = unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    guard failure == 0 else { throw SystemError(operation: "pthread_sigmask", errno: failure) }
  }
}

/// The signals that end a program in an orderly way, and those that tell of its terminal.
package enum SignalNumber {
  /// SIGINT: Ctrl-C.
  package static let interrupt = SIGINT
  /// SIGHUP: the terminal has gone.
  package static let hangUp = SIGHUP
  /// SIGTERM.
  package static let terminate = SIGTERM
  /// SIGKILL: no program hears it.
  package static let kill = SIGKILL
  /// SIGWINCH: the terminal has another size.
  package static let windowChanged = SIGWINCH
  /// SIGCONT: it runs again after it was stopped.
  package static let continued = SIGCONT
}
