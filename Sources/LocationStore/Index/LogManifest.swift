import Geodesy
import LinuxIO
import LocationPolicy
import WireFormats

/// The configuration of a log, stored in the log's folder while it is recorded, so that the log can be restored if the
/// index is lost.
///
/// One fact per line, `key value` or a key alone; the last line is a checksum of the others. A damaged manifest is
/// ignored.
struct LogManifest: Hashable {
  /// Name of the file, which exists in the log's folder while the log is recorded.
  static let fileName = "recorded"
  private static let maximumSize = 1024

  var name: String
  var configuration: LogConfiguration

  // MARK: Its file

  static func path(in folder: TrackFolder) -> String { "\(folder.path)/\(fileName)" }

  /// Reads the manifest in a folder; `nil` if there is none, or if it is invalid.
  init?(in folder: TrackFolder) {
    guard let bytes = try? StateFile.read(Self.path(in: folder), maximumSize: Self.maximumSize),
      let note = LogManifest(text: String(decoding: bytes, as: UTF8.self))
    else { return nil }
    self = note
  }

  func write(in folder: TrackFolder) throws(SystemError) {
    try StateFile.write(Self.path(in: folder), Array(text.utf8))
  }

  /// Deletes the manifest; a missing manifest or folder is no error.
  static func remove(in folder: TrackFolder) throws(SystemError) {
    try FileChange.remove(path(in: folder))
    do throws(SystemError) {
      try PrivateFolder.synchronize(folder.path)
    } catch {
      guard error.isAbsence else { throw error }
    }
  }

  // MARK: Its text

  init(name: String, configuration: LogConfiguration) {
    self.name = name
    self.configuration = configuration
  }

  var text: String {
    var lines = ["name \(name)"]
    if let distance = configuration.options.distanceFilter { lines.append("distance \(distance.value)") }
    if let interval = configuration.options.interval { lines.append("interval \(interval.inSeconds)") }
    if let radius = configuration.options.desiredRadius68 { lines.append("radius \(radius.value)") }
    if configuration.options.keepsSuspects { lines.append("suspects") }
    if configuration.options.keepsStandstill { lines.append("standstill") }
    switch configuration.options.retention {
    case .days(let count)?: lines.append("days \(count)")
    case .megabytes(let count)?: lines.append("megabytes \(count)")
    case nil: break
    }
    if let owner = configuration.owner {
      lines.append("owner \(owner.identity.userID)")
      if owner.identity.realm != .own { lines.append("realm \(owner.identity.realm.text)") }
      if owner.isEntitled { lines.append("entitled") }
    }
    if let publicKey = configuration.publicKey { lines.append("seal \(publicKey.text)") }
    return (lines + ["checksum \(Self.checksum(lines))"]).joined(separator: "\n") + "\n"
  }

  init?(text: String) {
    var lines = text.split(separator: "\n").map { String($0) }
    guard let last = lines.popLast(), last == "checksum \(Self.checksum(lines))" else { return nil }
    var name: String?
    var configuration = LogConfiguration()
    for line in lines {
      let key = line.prefix { $0 != " " }
      let value = String(line.dropFirst(key.count + 1))
      switch key {
      case "name": name = value
      case "distance": configuration.options.distanceFilter = Double(value).map { Meters($0) }
      case "interval":
        configuration.options.interval = Double(value).map { .milliseconds(Int64(min(max($0, 0), 1e9) * 1000)) }
      case "radius": configuration.options.desiredRadius68 = Double(value).map { Meters($0) }
      case "suspects": configuration.options.keepsSuspects = true
      case "standstill": configuration.options.keepsStandstill = true
      case "days": configuration.options.retention = Int(value).map { .days($0) }
      case "megabytes": configuration.options.retention = Int(value).map { .megabytes($0) }
      case "owner":
        guard let owner = UInt32(value) else { return nil }
        configuration.owner = LogOwner(ClientIdentity(userID: owner))
      case "realm":
        // A sandboxed program's log must not become its user's.
        guard configuration.owner != nil, let realm = ClientIdentity.Realm(parsing: value) else { return nil }
        configuration.owner?.identity.realm = realm
      case "entitled": configuration.owner?.isEntitled = true
      case "seal":
        // An encrypted log must not be restored as an unencrypted one.
        guard let publicKey = try? LogPublicKey(value) else { return nil }
        configuration.publicKey = publicKey
      // An option of a later version would be lost; not restoring the log is better than restoring it with another
      // configuration.
      default: return nil
      }
    }
    guard let name, configuration.options.retention?.isAllowed ?? true else { return nil }
    self.init(name: name, configuration: configuration)
  }

  private static func checksum(_ lines: [String]) -> String {
    var checksum = CRC32C()
    let bytes = Array(lines.joined(separator: "\n").utf8)
    checksum.add(bytes.span)
    return String(checksum.value, radix: 16)
  }
}

/// The name of a renamed log, in its folder: the headers of its segments still contain the previous name.
enum LogNameFile {
  private static let fileName = "name"

  static func name(in folder: TrackFolder) -> String? {
    guard
      let bytes = try? StateFile.read(path(in: folder), maximumSize: SegmentHeader.maximumNameLength),
      let name = String(validating: bytes, as: UTF8.self), (try? LogIndex.check(name)) != nil
    else { return nil }
    return name
  }

  static func write(_ name: String, in folder: TrackFolder) throws(SystemError) {
    try StateFile.write(path(in: folder), Array(name.utf8))
  }

  static func remove(in folder: TrackFolder) throws(SystemError) { try FileChange.remove(path(in: folder)) }

  private static func path(in folder: TrackFolder) -> String { "\(folder.path)/\(fileName)" }
}
