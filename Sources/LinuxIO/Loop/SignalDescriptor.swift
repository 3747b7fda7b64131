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

  /// The next pending signal; `nil` if there is none.
  func next() -> Int32? {
    var information = signalfd_siginfo()
    let size = MemoryLayout<signalfd_siginfo>.size
    return unsafe read(descriptor.rawValue, &information, size) == size ? Int32(information.ssi_signo) : nil
  }
}

/// Makes a write to a pipe without a reader fail instead of ending the program.
enum BrokenPipeSignal {
  private static let once: Void = {
    _ = signal(SIGPIPE, SIG_IGN)
    _ = signal(SIGXFSZ, SIG_IGN)
  }()

  /// Ignores SIGPIPE in this process, and SIGXFSZ, its equivalent for the file size limit: both become errors of the write.
  static func ignore() { once }

  /// Blocks SIGPIPE and SIGXFSZ in the calling thread alone, with the same effect: the kernel sends them to the thread
  /// that writes.
  static func block() throws(SystemError) {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    for signal in [SIGPIPE, SIGXFSZ] { try SystemCall.run("sigaddset") { unsafe sigaddset(&set, signal) } }
    let failure = unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    guard failure == 0 else { throw SystemError(operation: "pthread_sigmask", errno: failure) }
  }
}

/// Signals that end a program, and signals about its terminal.
package enum SignalNumber {
  /// SIGINT: Ctrl-C.
  package static let interrupt = SIGINT
  /// SIGHUP: the terminal was closed.
  package static let hangUp = SIGHUP
  /// SIGTERM: a request to end the program.
  package static let terminate = SIGTERM
  /// SIGKILL: no program can handle it.
  package static let kill = SIGKILL
  /// SIGBUS: for a mapped file, the disk is full.
  package static let busError = SIGBUS
  /// SIGWINCH: the terminal's size has changed.
  package static let windowChanged = SIGWINCH
  /// SIGTSTP: Ctrl-Z.
  package static let suspended = SIGTSTP
  /// SIGCONT: the program continues after it was stopped.
  package static let continued = SIGCONT
}
