internal import CLinux
import Glibc

/// Properties of a terminal.
package enum Terminal {
  /// Whether the descriptor is a terminal.
  package static func isTerminal(_ fd: Int32) -> Bool { isatty(fd) == 1 }

  /// Its size in characters; `nil` if it is unknown.
  package static func size(_ fd: Int32) -> (columns: Int, rows: Int)? {
    let size = clinux_window_size(fd)
    return size == 0 ? nil : (Int(size & 0xFFFF), Int(size >> 16))
  }

  /// Whether this process may draw on the terminal: it is in the foreground, or the terminal does not control its
  /// session.
  package static func isInForeground(_ fd: Int32) -> Bool {
    let group = tcgetpgrp(fd)
    return group < 0 || group == getpgrp()
  }
}

/// The terminal on standard input in a mode without echo and line editing: each key can be read as soon as it is typed.
/// Ctrl-C, Ctrl-Z and Ctrl-S keep their meanings.
package final class KeyInput {
  private var before: termios
  private var isSwitched = false

  /// `nil`: standard input is not a terminal.
  package init?() {
    var settings = termios()
    guard unsafe tcgetattr(STDIN_FILENO, &settings) == 0 else { return nil }
    before = settings
  }

  deinit { restore() }

  /// Switches echo and line editing off. Does nothing in the background, because the process would be stopped.
  package func begin() {
    guard !isSwitched, Terminal.isInForeground(STDIN_FILENO) else { return }
    var settings = termios()
    guard unsafe tcgetattr(STDIN_FILENO, &settings) == 0 else { return }
    before = settings
    settings.c_lflag &= ~tcflag_t(ECHO | ICANON)
    isSwitched = unsafe tcsetattr(STDIN_FILENO, TCSANOW, &settings) == 0
  }

  /// Restores the settings, and drops typed keys that were not read.
  package func restore() {
    guard isSwitched else { return }
    isSwitched = false
    guard Terminal.isInForeground(STDIN_FILENO) else { return }
    tcflush(STDIN_FILENO, TCIFLUSH)
    _ = unsafe tcsetattr(STDIN_FILENO, TCSANOW, &before)
  }
}

/// Stops this process as Ctrl-Z does.
package enum ProcessStop {
  /// Returns when the process continues, or at once if no shell could continue it. The caller has blocked the signal,
  /// and it is blocked again afterwards.
  package static func stop() {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    _ = unsafe sigaddset(&signals, SIGTSTP)
    raise(SIGTSTP)
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
  }
}
