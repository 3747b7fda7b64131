import Glibc
import LinuxIO

/// Clients for the tests of who is at the other end of a socket:
/// `peer-bed client SOCKET [WORD…]` connects as the words say, and stays until its input ends;
/// `peer-bed reuse SOCKET TRIES` gives the number of a client that has connected to another process, again and again;
/// `peer-bed apart WORD…` does that in a namespace of processes of its own, where numbers can be chosen.
@main enum PeerBed {
  static func main() {
    let words = Array(CommandLine.arguments.dropFirst())
    switch (words.first, words.count) {
    case ("client", 2...): ClientRole(words: Array(words.dropFirst(2))).play(socket: words[1])
    case ("reuse", 3): NumberReuse(socket: words[1]).run(tries: Int(words[2]) ?? 1)
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
