import Geodesy
import Glibc
import LinuxIO
import LocationReplay

// A u-blox without a battery, with its factory settings, at the other end of a pseudo-terminal:
//
//     simulated-ublox DIALECT [hot] [SECONDS]
//
// It starts cold, or hot if that is requested; the time of its satellites is that of this machine, or SECONDS since 1970. It
// prints its path, and loses power when its standard input ends.

let words = CommandLine.arguments.dropFirst()
guard let dialect = words.first.flatMap(Dialect.init(rawValue:)),
  words.dropFirst().allSatisfy({ $0 == "hot" || Int64($0) != nil })
else {
  print("usage: simulated-ublox \(Dialect.allCases.map(\.rawValue).joined(separator: "|")) [hot] [SECONDS]")
  exit(64)
}
var configuration = SimulatedReceiver.Configuration()
configuration.dialect = dialect
configuration.isFactorySet = true
configuration.coldStart = words.contains("hot") ? .hot : .cold
configuration.announcesSimulation = false
let clock = WallClock.now().nanosecondsSince1970
configuration.startTime = GNSSTime(nanosecondsSince1970: clock - clock % 1_000_000_000)
if let seconds = words.lazy.compactMap({ Int64($0) }).first {
  configuration.startTime = GNSSTime(nanosecondsSince1970: seconds * 1_000_000_000)
}
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
