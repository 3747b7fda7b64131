import Geodesy
import Glibc
import LinuxIO
import LocationPolicy
import LocationStore

/// Logs the fixes of a file into a folder, `count` of them, repeating the file, and syncs after each half minute of their time,
/// so that the caller can count the bytes that reach the disk. `pace`: microseconds between two fixes; 0: as fast as possible,
/// which leaves out what the file system writes at intervals of the clock. `key`: the key to which the log is encrypted; `-`: it
/// is not encrypted.
///
/// A line of the file is a fix: seconds since 1970, latitude, longitude, horizontal radius, height above the ellipsoid and above
/// sea level, vertical radius, speed, its radius, course, its radius, satellites, kind; `-` if unknown.
func trackBenchmark(fixesPath: String, folder: String, count: Int, pace: UInt32, key: String) -> Int32 {
  do {
    let fixes = try text(of: fixesPath).split(separator: "\n").compactMap(fix)
    guard let first = fixes.first, let last = fixes.last else {
      print("no fixes in \(fixesPath)")
      return 65
    }
    let length = last.time - first.time + .seconds(1)
    var settings = TrackWriter.Settings(
      log: "bench", bootID: ProcessEnvironment.bootID, retention: .megabytes(1000))
    settings.publicKey = key == "-" ? nil : try LogPublicKey(key)
    var writer = try TrackWriter(folder: TrackFolder(folder), settings)
    try writer.append(.interruption(.started))
    let start = ProcessTime.nanoseconds()
    for number in 0..<count {
      var fix = fixes[number % fixes.count]
      fix.time = fix.time + length * (number / fixes.count)
      fix.receivedAt = Instant(nanoseconds: fix.time.nanosecondsSince1970 % 1_000_000_000_000_000 + 80_000_000)
      try writer.append(.fix(fix))
      if number % 30 == 29 { try writer.sync() }
      if pace > 0 { usleep(pace) }
    }
    try writer.close()
    print("{\"cpu\":\((ProcessTime.nanoseconds() - start) / Int64(max(1, count)))}")
    return 0
  } catch {
    print("failed: \(error)")
    return 1
  }
}

private func text(of path: String) throws -> String {
  let file = try InputFile(path: path)
  var (buffer, bytes) = ([UInt8](repeating: 0, count: 65_536), [UInt8]())
  while case let count = try file.read(into: &buffer), count > 0 { bytes += buffer[..<count] }
  return String(decoding: bytes, as: UTF8.self)
}

private func fix(_ line: Substring) -> PositionFix? {
  let numbers = line.split(separator: " ").map { Double($0) }
  guard numbers.count == 13, let time = numbers[0], let latitude = numbers[1], let longitude = numbers[2],
    let radius = numbers[3], let kind = numbers[12].flatMap({ FixKind(rawValue: UInt8($0)) })
  else { return nil }
  var fix = PositionFix(
    time: GNSSTime(nanosecondsSince1970: Int64((time * 1000).rounded()) * 1_000_000), timeValidity: .confirmed,
    receivedAt: Instant(nanoseconds: 0),
    coordinate: Coordinate(latitude: Angle(degrees: latitude), longitude: Angle(degrees: longitude)),
    horizontalRadius68: Meters(radius), kind: kind, technologies: .gnss)
  fix.heightAboveEllipsoid = numbers[4].map { Meters($0) }
  fix.heightAboveMeanSeaLevel = numbers[5].map { Meters($0) }
  fix.verticalRadius68 = numbers[6].map { Meters($0) }
  fix.speedMetersPerSecond = numbers[7]
  fix.speedRadius68MetersPerSecond = numbers[8]
  fix.course = numbers[9].map { Angle(degrees: $0) }
  fix.courseRadius68 = numbers[10].map { Angle(degrees: $0) }
  fix.satellitesUsed = numbers[11].map { Int($0) }
  fix.device = "/dev/ttyACM0"
  fix.receiver = "usb-u-blox_AG_u-blox_GNSS_receiver"
  return fix
}
