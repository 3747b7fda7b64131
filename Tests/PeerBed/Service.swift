import Geodesy
import Glibc
import LinuxIO

/// A service that prints who connects.
struct Service {
  private let path: String

  init(socket path: String) { self.path = path }

  /// Prints one line for each client, until it is killed.
  func run(asUser user: UInt32) {
    guard let listener = try? UnixListener(at: path, UnixListener.Access(mode: 0o666)) else { exit(73) }
    Kernel.check(setgroups(0, nil), "setgroups")
    Kernel.check(setgid(user), "setgid")
    Kernel.check(setuid(user), "setuid")
    Kernel.say("listening")
    while let stream = next(listener) {
      do throws(PeerError) {
        let process = try ConnectedPeer(stream).identify()
        Kernel.say("user \(process.credentials.userID) own \(process.hasOwnNamespaces)")
      } catch {
        Kernel.say("\(error)")
      }
    }
  }

  /// This process connects and is identified, with everything that is read for that; in microseconds.
  func measure(times: Int) {
    guard let listener = try? UnixListener(at: path, UnixListener.Access(mode: 0o600)),
      let address = try? UnixAddress(path: path)
    else { exit(73) }
    for best in ConnectedPeer.Hold.allCases {
      var spent: [Int64] = []
      for _ in 0..<times {
        guard let client = try? UnixStream(connectingTo: address), let stream = try? listener.accept() else { exit(74) }
        let begin = MonotonicClock.now()
        guard let peer = try? ConnectedPeer(stream, best: best), let process = try? peer.identify() else { exit(75) }
        _ = AccountFiles("/etc").groups(of: process, among: ["location", "dialout", "uucp"])
        _ = LoginFolder("/run/systemd").session("1")
        spent.append(MonotonicClock.now().nanoseconds - begin.nanoseconds)
        _ = client.descriptor
      }
      spent.sort()
      Kernel.say("\(best) median \(spent[times / 2] / 1000) p99 \(spent[times * 99 / 100] / 1000)")
    }
  }

  private func next(_ listener: borrowing UnixListener) -> UnixStream? {
    var wait = pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&wait, 1, -1) == 1 else { return nil }
    return try? listener.accept()
  }
}
