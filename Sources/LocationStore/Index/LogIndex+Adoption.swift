import Geodesy
import LinuxIO
import LocationPolicy

/// Tracks that the index does not know.
extension LogIndex {
  /// Numbers beyond it are none that we have given, and the next one after the greatest of all could not be (AUTOINCREMENT).
  private static let greatestNumber: Int64 = 1 << 40

  /// Makes logs again of tracks that the index does not know, by their notes or else by the names in their headers; and has
  /// those recorded again that the index knows as stopped against their notes, as one that has lost its last changes does.
  static func adoptTracks(in tracks: String, _ database: borrowing Database) throws(DatabaseError) -> [KeptLog] {
    // No folder, no tracks.
    guard let names = try? PrivateFolder.folders(in: tracks) else { return [] }
    let numbers = names.compactMap { name in
      Int64(name).flatMap { (1...greatestNumber).contains($0) && String($0) == name ? $0 : nil }
    }.sorted()
    let known = try logs(database)
    guard numbers.contains(where: { stray($0, in: tracks, known: known) != nil }) else { return [] }
    // Once more when nobody else can change it: another process may have begun or stopped a log meanwhile.
    return try database.transaction { () throws(DatabaseError) in
      var adopted: [KeptLog] = []
      for id in numbers {
        let known = try logs(database)
        guard let stray = stray(id, in: tracks, known: known) else { continue }
        let name = known.first { $0.id == id }?.name ?? freeName(stray.name, id, known)
        try keep(
          name, stray.wish, id: id, isRunning: stray.note != nil,
          at: GNSSTime(nanosecondsSince1970: stray.changedAt), database)
        if let log = try logs(database).first(where: { $0.id == id }) { adopted.append(log) }
      }
      return adopted
    }
  }

  /// A folder with a track that the index does not know, or does not know to be recorded.
  private struct Stray {
    var name: String
    var note: LogNote?
    var wish: LogWish
    var changedAt: Int64
  }

  private static func stray(_ id: Int64, in tracks: String, known: [KeptLog]) -> Stray? {
    let folder = TrackFolder("\(tracks)/\(id)")
    let log = known.first { $0.id == id }
    if log?.isRunning ?? false { return nil }
    let note = LogNote(in: folder)
    if log != nil, note == nil { return nil }
    let newest = (try? folder.segments())?.last
    guard newest != nil || note != nil else { return nil }
    let header = newest.flatMap { folder.header(of: $0.sequence) }
    var wish = note?.wish ?? LogWish()
    // What was sealed stays so.
    wish.seal = wish.seal ?? header?.seal?.owner
    return Stray(
      name: note?.name ?? header?.log ?? "", note: note, wish: wish, changedAt: header?.time.nanosecondsSince1970 ?? 0)
  }

  /// The name where it is one that nobody has, else one made of the number.
  private static func freeName(_ name: String, _ id: Int64, _ known: [KeptLog]) -> String {
    func isTaken(_ name: String) -> Bool { known.contains { $0.name == name } }
    if (try? check(name)) != nil, !isTaken(name) { return name }
    var (free, number) = ("recovered-\(id)", 1)
    while isTaken(free) {
      number += 1
      free = "recovered-\(id)-\(number)"
    }
    return free
  }
}
