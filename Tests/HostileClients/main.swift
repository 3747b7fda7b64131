import Geodesy
import Glibc
import LinuxIO
import LocationIPC
import LocationPolicy
import Regions

/// Clients of one user that try to deny the service to everybody else:
/// `hostile-clients SOCKET USER KIND CONNECTIONS` becomes that user and attacks until its input ends.
///
/// - `silent`: greet, and say nothing any more
/// - `mute`: connect, and do not even greet
/// - `updates`, `fixes`, `skies`: as many requests on each connection as the service takes
/// - `churn`: begin and cancel requests, as fast as the service takes them
/// - `connects`: connect and close
/// - `regions`: have as many regions watched as the service takes, with identifiers of 990 bytes
///
/// It says "ready" with what came of the beginning, `served=N refused=N failed=N`, and the same with "done" at the end.
@MainActor
func run(_ words: [String]) {
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

func say(_ line: String) { _ = StandardOutput.write(Array("\(line)\n".utf8)) }

func inputHasEnded() -> Bool {
  var byte: UInt8 = 0
  return unsafe read(STDIN_FILENO, &byte, 1) == 0
}

run(CommandLine.arguments)
