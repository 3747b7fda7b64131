import Geodesy
import Glibc
import LinuxIO
import LocationPolicy
import LocationStore
import TestSupport

// A log that is killed:
//
//     track-logger FOLDER FIRST HERTZ SYNC-MILLISECONDS
//
// logs the fixes of `LoggedDrive` from number FIRST on, and prints `synced N` when the disk has all before number N. It ends with its
// input, or by force.

let arguments = CommandLine.arguments.dropFirst()
let numbers = arguments.dropFirst().compactMap { Int($0) }
guard let folder = arguments.first, numbers.count == 3, numbers[1] > 0 else {
  _ = StandardError.write(Array("usage: track-logger FOLDER FIRST HERTZ SYNC-MILLISECONDS\n".utf8))
  exit(64)
}
do {
  var pace = LogPace()
  pace.sync = .milliseconds(numbers[2])
  let logger = try TrackLogger(folder: folder, first: numbers[0], period: .seconds(1) / numbers[1], pace: pace)
  try logger.run()
} catch {
  _ = StandardError.write(Array("failed: \(error)\n".utf8))
  exit(1)
}
