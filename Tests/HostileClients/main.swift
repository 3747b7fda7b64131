import Geodesy
import Glibc
import LinuxIO
import LocationIPC
import LocationPolicy
import Regions

/// Clients of one user that try to deny the service to all others: `hostile-clients SOCKET USER KIND CONNECTIONS`
/// switches to that user and attacks until its input ends.
///
/// - `silent`: greet, and send nothing more
/// - `mute`: connect without a greeting
/// - `updates`, `fixes`, `skies`: as many requests on each connection as the service accepts
/// - `churn`: begin and cancel requests, as fast as the service accepts them
/// - `connects`: connect and close
/// - `regions`: add as many regions as the service accepts, with identifiers of 990 bytes
///
/// With `HOST:PORT` instead of a socket's path: see `NetworkAttack`, and `tcp-copy`, which only copies its input to the port, and what
/// comes from there to its output.
///
/// It prints "ready" with the result of the beginning, `served=N refused=N failed=N`, and "done" with the same counts
/// at the end.
@MainActor
func run(_ words: [String]) {
  if words.count == 5, !words[1].hasPrefix("/"), let user = UInt32(words[2]), let count = Int(words[4]) {
    return runAtPort(words[1], user: user, kind: words[3], connections: count)
  }
  guard words.count == 5, let user = UInt32(words[2]), let kind = HostileKind(rawValue: words[3]),
    let count = Int(words[4]), let address = try? UnixAddress(path: words[1])
  else { exit(64) }
  if user != 0, setgid(user) != 0 || setuid(user) != 0 { exit(71) }
  _ = fcntl(STDIN_FILENO, F_SETFL, O_NONBLOCK)
  var attack = HostileAttack(kind, address: address, connections: count)
  attack.begin()
  say("ready \(attack.outcome)")
  while !inputHasEnded() { attack.advance() }
  say("done \(attack.outcome)")
}

@MainActor
func runAtPort(_ place: String, user: UInt32, kind: String, connections: Int) {
  if user != 0, setgid(user) != 0 || setuid(user) != 0 { exit(71) }
  if kind == "tcp-copy" { return NetworkAttack.copy(place) }
  guard var attack = NetworkAttack(kind, at: place, connections: connections) else { exit(64) }
  say("ready \(attack.outcome)")
  _ = fcntl(STDIN_FILENO, F_SETFL, O_NONBLOCK)
  while !inputHasEnded() {
    attack.receive()
    usleep(20_000)
  }
  attack.receive()
  say("done \(attack.outcome)")
}

func say(_ line: String) { _ = StandardOutput.write(Array("\(line)\n".utf8)) }

func inputHasEnded() -> Bool {
  var byte: UInt8 = 0
  return unsafe read(STDIN_FILENO, &byte, 1) == 0
}

run(CommandLine.arguments)
