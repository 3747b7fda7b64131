import Geodesy
import Glibc
import LinuxIO
import Replay

// A u-blox without a battery, as it comes out of the box, at the far end of a pseudo-terminal:
//
//     simulated-ublox DIALECT
//
// It starts cold, prints its path, and loses power when its standard input ends.

guard let dialect = CommandLine.arguments.dropFirst().first.flatMap(Dialect.init(rawValue:)) else {
  print("usage: simulated-ublox \(Dialect.allCases.map(\.rawValue).joined(separator: "|"))")
  exit(64)
}
var configuration = SimulatedReceiver.Configuration()
configuration.dialect = dialect
configuration.isFactorySet = true
configuration.coldStart = .cold
configuration.announcesSimulation = false
let clock = WallClock.now().nanosecondsSince1970
configuration.startTime = GNSSTime(nanosecondsSince1970: clock - clock % 1_000_000_000)
do {
  let loop = try EventLoop()
  let receiver = try PoweredReceiver(configuration, loop: loop)
  _ = try loop.watch(0) { _ in loop.stop() }
  print(receiver.path)
  _ = fflush(nil)
  try loop.run()
} catch {
  print("failed: \(error.operation), \(error.errno)")
  exit(1)
}
