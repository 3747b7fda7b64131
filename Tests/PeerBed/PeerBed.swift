import Glibc
import LinuxIO

/// Clients for the tests of a socket's peers: `peer-bed client SOCKET [WORD…]` connects with the properties in its arguments, and
/// stays until its input ends; `peer-bed tcp HOST PORT [WORD…]` does the same with a TCP port; `peer-bed reuse SOCKET TRIES` gives the process ID of a connected client to another process, again
/// and again; `peer-bed service SOCKET USER` prints who connects to it, as a user other than root; `peer-bed cost SOCKET TIMES`
/// prints how long that takes; `peer-bed confined FOLDER FILE USER` prints what a confined process can do; `peer-bed apart WORD…` does the rest in a separate PID namespace, where process IDs can be chosen.
@main enum PeerBed {
  static func main() {
    let words = Array(CommandLine.arguments.dropFirst())
    switch (words.first, words.count) {
    case ("client", 2...): ClientRole(words: Array(words.dropFirst(2))).play(socket: words[1])
    case ("tcp", 3...):
      ClientRole(words: Array(words.dropFirst(3))).play(host: words[1], port: UInt16(words[2]) ?? 0)
    case ("reuse", 3): NumberReuse(socket: words[1]).run(tries: Int(words[2]) ?? 1)
    case ("service", 3): Service(socket: words[1]).run(asUser: UInt32(words[2]) ?? 0)
    case ("cost", 3): Service(socket: words[1]).measure(times: Int(words[2]) ?? 1)
    case ("confined", 4): ConfinedRole(folder: words[1], file: words[2]).play(asUser: UInt32(words[3]) ?? 0)
    case ("apart", 2...): runApart(Array(words.dropFirst()))
    default: exit(64)
    }
  }

  private static func runApart(_ words: [String]) {
    let own = unsafe realpath("/proc/self/exe", nil).map { unsafe String(cString: $0) } ?? ""
    let arguments = ["/usr/bin/unshare", "--pid", "--fork", "--mount-proc", "--kill-child", own] + words
    var pointers = unsafe arguments.map { unsafe strdup($0) } + [nil]
    _ = unsafe execv(arguments[0], &pointers)
    exit(69)
  }
}
