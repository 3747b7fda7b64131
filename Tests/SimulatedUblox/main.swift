import Glibc
import LinuxIO

// A u-blox without a battery, with its factory settings, at the other end of a pseudo-terminal:
//
//     simulated-ublox DIALECT [hot] [SECONDS] [FAULT...]
//
// It starts cold, or hot if that is requested; the time of its satellites is that of this machine, or SECONDS since 1970. Faults are
// described in Arguments.swift. It prints its path, and loses power when its standard input ends.

guard let arguments = Arguments(CommandLine.arguments.dropFirst()) else {
  print(Arguments.usage)
  exit(64)
}
do {
  let loop = try EventLoop()
  let receiver = try PoweredReceiver(arguments, loop: loop)
  _ = try loop.watch(0) { _ in loop.stop() }
  print(receiver.path)
  _ = fflush(nil)
  try loop.run()
} catch {
  print("failed: \(error.operation), \(error.errno)")
  exit(1)
}
