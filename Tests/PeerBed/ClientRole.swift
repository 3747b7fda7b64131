import Glibc
import LinuxIO

/// A client with the properties in its arguments: `user=N`, `group=N`, `groups=N,N…`; `own=users` and `own=processes`: in a
/// separate namespace of that kind, as its root; a user namespace is created by that user; `name=TEXT`: its name for itself;
/// `cgroup=FOLDER`: its control group; `then=N`: it changes to that user after it has connected. `quit`: it ends then.
struct ClientRole {
  private let words: [String]

  init(words: [String]) { self.words = words }

  /// Connects to a Unix socket.
  func play(socket path: String) {
    play {
      let fd = Kernel.makeSocket()
      Kernel.connect(fd, to: path)
    }
  }

  /// Connects to a TCP port of this machine, and never closes the connection itself.
  func play(host: String, port: UInt16) {
    play {
      guard let address = NetworkAddress(numeric: host, port: port), let connection = try? TCPConnection(to: address)
      else { exit(72) }
      // A copy that outlives the connection's own descriptor.
      Kernel.check(dup(connection.descriptor), "dup")
    }
  }

  private func play(_ connect: () -> Void) {
    if let folder = value("cgroup") { Kernel.write("0", to: folder + "/cgroup.procs") }
    if let name = value("name") { Kernel.write(name, to: "/proc/self/comm") }
    let user = number("user")
    if words.contains("own=processes"), !words.contains("own=users") { Kernel.unshare(Kernel.newProcesses) }
    if let groups = value("groups") {
      let numbers = groups.split(separator: ",").compactMap { UInt32($0) }
      Kernel.check(unsafe setgroups(numbers.count, numbers), "setgroups")
    }
    if let group = number("group") { Kernel.check(setgid(group), "setgid") }
    if let user { Kernel.check(setuid(user), "setuid") }
    if words.contains("own=users") {
      Kernel.makeDumpable()
      Kernel.unshare(Kernel.newUsers | (words.contains("own=processes") ? Kernel.newProcesses : 0))
      Kernel.write("0 \(user ?? 0) 1", to: "/proc/self/uid_map")
    }
    // A new PID namespace only applies to the children.
    if words.contains("own=processes") {
      let child = Kernel.fork()
      guard child == 0 else {
        var status: Int32 = 0
        _ = unsafe waitpid(child, &status, 0)
        exit(0)
      }
    }
    connect()
    if let then = number("then") { Kernel.check(setuid(then), "setuid") }
    Kernel.say("connected \(getpid())")
    if words.contains("quit") { exit(0) }
    var byte: UInt8 = 0
    while unsafe read(STDIN_FILENO, &byte, 1) > 0 {}
  }

  private func number(_ key: String) -> UInt32? { value(key).flatMap { UInt32($0) } }

  private func value(_ key: String) -> String? {
    words.first { $0.hasPrefix("\(key)=") }.map { String($0.dropFirst(key.count + 1)) }
  }
}
