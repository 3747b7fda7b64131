internal import CLinux
import Glibc

/// Reports this process's state to systemd or a compatible program (sd_notify(3)): datagrams to the socket that the
/// environment names. Does nothing without one.
package struct NotifySocket: Sendable {
  package enum Notification: Hashable, Sendable {
    case ready(status: String)
    case reloading
    case stopping
    case alive
    case status(String)

    var text: String {
      switch self {
      case .ready(let status): "READY=1\nSTATUS=\(status)"
      case .reloading: "RELOADING=1\nMONOTONIC_USEC=\(clinux_clock_nanoseconds(CLOCK_MONOTONIC) / 1000)"
      case .stopping: "STOPPING=1"
      case .alive: "WATCHDOG=1"
      case .status(let status): "STATUS=\(status)"
      }
    }
  }

  private let address: UnixAddress?

  /// The interval at which to send `.alive`, half of the watchdog's timeout; `nil` if there is no watchdog.
  package let watchdogInterval: Duration?

  /// Reads the configuration from the environment.
  package init() {
    address = ProcessEnvironment.value("NOTIFY_SOCKET").flatMap { try? UnixAddress(path: $0) }
    let process = ProcessEnvironment.value("WATCHDOG_PID").map { Int32($0) == getpid() } ?? true
    let microseconds = ProcessEnvironment.value("WATCHDOG_USEC").flatMap { Int64($0) } ?? 0
    watchdogInterval = process && microseconds > 0 ? .microseconds(microseconds / 2) : nil
  }

  /// Sends `event`. An event that cannot be sent is dropped, because its receiver is gone.
  package func send(_ event: Notification) {
    guard let address else { return }
    let type = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    guard let fd = try? SystemCall.run("socket", { socket(AF_UNIX, type, 0) }) else { return }
    let owned = OwnedDescriptor(rawValue: fd)
    let bytes = Array(event.text.utf8)
    _ = unsafe address.with { pointer, length in
      unsafe bytes.withUnsafeBytes {
        unsafe sendto(
          owned.rawValue, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL),
          __CONST_SOCKADDR_ARG(__sockaddr__: pointer), length)
      }
    }
  }
}
