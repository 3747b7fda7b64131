import Geodesy
import Glibc
import LinuxIO
import LocationPolicy
import LocationStore
import TestSupport

// A log that is killed:
//
//     track-logger FOLDER FIRST HERTZ SYNC-MILLISECONDS [KEY]
//
// logs the fixes of `LoggedDrive` from number FIRST on, and prints `synced N` when everything before number N is on the disk. It
// ends with its input, or when it is killed. With KEY, a public key, the log is encrypted.
//
//     track-logger told FOLDER KEY
//
// executes the commands on its input: `add N` logs the next N fixes, `sync` writes them to the disk; it answers `done`.
//
//     track-logger monitored FOLDER
//
// is a store for monitoring that is killed: it prints `kept N` when the first N of `MonitoredSteps` are on the disk.

let arguments = CommandLine.arguments.dropFirst()
if arguments.first == "told", arguments.count == 3 {
  do {
    try tellLogger(folder: CommandLine.arguments[2], publicKey: try LogPublicKey(CommandLine.arguments[3]))
  } catch {
    _ = StandardError.write(Array("failed: \(error)\n".utf8))
    exit(1)
  }
  exit(0)
}
if arguments.first == "monitored", arguments.count == 2 {
  do {
    try keepSteps(folder: CommandLine.arguments[2])
  } catch {
    _ = StandardError.write(Array("failed: \(error)\n".utf8))
    exit(1)
  }
}
let numbers = arguments.dropFirst().prefix(3).compactMap { Int($0) }
guard let folder = arguments.first, numbers.count == 3, numbers[1] > 0 else {
  _ = StandardError.write(
    Array("usage: track-logger FOLDER FIRST HERTZ SYNC-MILLISECONDS [KEY] | told FOLDER KEY | monitored FOLDER\n".utf8))
  exit(64)
}
do {
  var pace = LogSyncPolicy()
  pace.sync = .milliseconds(numbers[2])
  let logger = try TrackLogger(
    folder: folder, first: numbers[0], period: .seconds(1) / numbers[1], pace: pace,
    publicKey: try arguments.dropFirst(4).first.map { try LogPublicKey($0) })
  try logger.run()
} catch {
  _ = StandardError.write(Array("failed: \(error)\n".utf8))
  exit(1)
}
