import Geodesy
import LinuxIO
import LocationPolicy
import LocationStore
import TestSupport

/// An encrypted log in a separate process, which executes one step at a time, so that a test can examine its memory between the
/// steps.
func tellLogger(folder: String, publicKey: LogPublicKey) throws {
  var settings = TrackWriter.Settings(log: "told", bootID: nil, retention: .megabytes(1000))
  settings.freeShare = 0
  settings.publicKey = publicKey
  var writer = try TrackWriter(folder: TrackFolder(folder), settings)
  var next = 0
  while let line = readLine() {
    let words = line.split(separator: " ")
    switch words.first {
    case "add":
      let count = words.last.flatMap { Int($0) } ?? 0
      for number in next..<next + count { try writer.append(.fix(LoggedDrive.fix(number))) }
      next += count
    default: try writer.sync()
    }
    _ = StandardOutput.write(Array("done\n".utf8))
  }
}
