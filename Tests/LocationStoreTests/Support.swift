import Foundation
import Geodesy
import LocationPolicy
import LocationStore
import TestSupport
import Testing

/// A folder that is removed with this value.
struct TemporaryFolder: ~Copyable {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "store-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}

extension SmallFileSystem {
  static let whatIsMissing: Comment = "mounting a file system needs root, and a machine that lets it"
}

extension TrackWriter.Settings {
  /// Settings that keep everything, however full the disk is on which the tests run.
  static func test(
    _ kind: TrackKind = .open, _ retention: LogRetention = .megabytes(1000), freeShare: Double = 0
  ) -> Self {
    var settings = Self(log: "test", bootID: "00112233-4455-6677-8899-aabbccddeeff", retention: retention)
    settings.freeShare = freeShare
    settings.publicKey = kind.key?.publicKey
    return settings
  }
}

/// Who can read a track.
enum TrackKind: CaseIterable {
  case open, sealed

  private static let owner = OwnerKey().text

  /// The distance between two bytes that are tried, because decrypting an encrypted track takes long.
  var step: Int { self == .open ? 1 : 17 }

  /// The owner's key for an encrypted track.
  var key: OwnerKey? { self == .open ? nil : try? OwnerKey(Self.owner) }
}

/// The content of the track in a folder: for an encrypted track too, and the same however it is read.
func read(
  _ folder: TrackFolder, from: GNSSTime? = nil, to: GNSSTime? = nil, _ kind: TrackKind = .open
) throws -> (entries: [TrackEntry], damage: TrackDamage) {
  var reader = try TrackReader(folder: folder, from: from, to: to, key: kind.key)
  var entries: [TrackEntry] = []
  while let entry = reader.next() { entries.append(entry) }
  let damage = reader.damage
  if let key = kind.key {
    let opened = try open(folder, from: from, to: to, key)
    #expect(opened.entries == entries && opened.damage == damage)
  }
  return (entries, damage)
}

/// The same for an encrypted track, piece by piece.
func open(
  _ folder: TrackFolder, from: GNSSTime? = nil, to: GNSSTime? = nil, _ key: OwnerKey
) throws -> (entries: [TrackEntry], damage: TrackDamage) {
  var reader = try EncryptedTrackReader(folder: folder, from: from, to: to)
  var opener = EncryptedTrackDecryptor(key: key, from: from, to: to)
  var entries: [TrackEntry] = []
  while let piece = reader.next() { entries += try opener.decrypt(piece) }
  return (entries, opener.damage)
}

/// Writes a track of `count` fixes after the start of its log, with a sync after each `batch` of them.
@discardableResult
func write(
  _ count: Int, from first: Int = 0, batch: Int = 10, to folder: TrackFolder,
  _ settings: TrackWriter.Settings = .test(), closes: Bool = true
) throws -> [TrackEntry] {
  var writer = try TrackWriter(folder: folder, settings)
  let entries = [.interruption(.started)] + (first..<first + count).map { TrackEntry.fix(LoggedDrive.fix($0)) }
  for (index, entry) in entries.enumerated() {
    try writer.append(entry)
    if index > 0, index % batch == 0 { try writer.sync() }
  }
  if closes { try writer.close() } else { try writer.sync() }
  return entries
}

func bytes(of path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) }

func mode(_ path: String) -> mode_t {
  var status = stat()
  #expect(unsafe stat(path, &status) == 0)
  return status.st_mode & 0o777
}
