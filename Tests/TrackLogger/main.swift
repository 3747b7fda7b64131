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
// logs the fixes of `LoggedDrive` from number FIRST on, and prints `synced N` when the disk has all before number N. It ends with its
// input, or by force. With KEY, a public one, the log is sealed.
//
//     track-logger told FOLDER KEY
//
// is told what to do by its input: `add N` logs the next N fixes, `sync` brings them to the disk; it answers `done`.
//
//     track-logger monitored FOLDER
//
// is a store of what is monitored that is killed: it prints `kept N` when the disk has the first N of `MonitoredSteps`.

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
