import LinuxIO
package import Geodesy
package import LocationDatabase
package import PlacesCore
import Synchronization

/// The streets, addresses, towns and points of interest of one imported file. It asks no network, and needs no permission but to
/// read the file.
package final class PlacesFile: PlaceSource {
  package let path: String
  package let header: PlacesHeader
  package let provenance: PlaceProvenance
  private let reader: Mutex<PlacesReader>

  /// Opens a file, which must not change: it is replaced only by renaming another file to its name.
  ///
  /// - Parameter checks: `nil`: the whole file is checked if another user than root and this one could have changed it.
  package init(path: String, checks: Bool? = nil) throws(PlaceError) {
    self.path = path
    do throws(DatabaseError) {
      let isChecked = checks ?? !FileStatus.isOwn(path)
      let database = try Database(immutable: path, identity: PlacesFormat.identity, checks: isChecked)
      header = try Self.header(of: database)
      provenance = PlaceProvenance(
        name: Self.name(of: path), license: header[.license], attribution: header[.attribution],
        dataDate: header[.dataDate])
      reader = Mutex(try PlacesReader.reading(database, provenance: provenance, country: header[.country]))
    } catch {
      throw PlaceError(error, path: path)
    }
  }

  package func place(at query: ReverseQuery) throws(PlaceError) -> Place? {
    do throws(DatabaseError) {
      return try reader.withLock { (reader) throws(DatabaseError) in try reader.place(at: query) }
    } catch {
      throw PlaceError(error, path: path)
    }
  }

  package func places(matching query: ForwardQuery) throws(PlaceError) -> [Place] {
    do throws(DatabaseError) {
      return try reader.withLock { (reader) throws(DatabaseError) in try reader.places(matching: query) }
    } catch {
      throw PlaceError(error, path: path)
    }
  }

  /// The outline of the town, quarter, region or ground that matches a text best, of at most `mostCorners` corners; `nil` if the data has
  /// no such area with an outline.
  package func area(
    named text: String, mostCorners: Int
  ) throws(PlaceError) -> (name: String, corners: [Coordinate])? {
    do throws(DatabaseError) {
      return try reader.withLock { (reader) throws(DatabaseError) in
        try reader.area(named: text, mostCorners: mostCorners)
      }
    } catch {
      throw PlaceError(error, path: path)
    }
  }

  /// The number of addresses and of features, for lists.
  package func counts() throws(PlaceError) -> (features: Int, blocks: Int) {
    do throws(DatabaseError) {
      return try reader.withLock { (reader) throws(DatabaseError) in
        (Int(try reader.number("SELECT count(*) FROM feature")), Int(try reader.number("SELECT count(*) FROM block")))
      }
    } catch {
      throw PlaceError(error, path: path)
    }
  }

  /// The name of a file without its folder and its ending.
  package static func name(of path: String) -> String {
    let last = path.split(separator: "/").last.map(String.init) ?? path
    let ending = "." + PlacesFormat.fileExtension
    return last.hasSuffix(ending) ? String(last.dropLast(ending.count)) : last
  }

  private static func header(of database: borrowing Database) throws(DatabaseError) -> PlacesHeader {
    var header = PlacesHeader()
    var rows = try database.prepare("SELECT key, value FROM header LIMIT 64")
    while try rows.step() {
      if let key = PlacesHeader.Key(rawValue: try rows.text(0)) { header.values[key] = try rows.text(1) }
    }
    return header
  }
}

extension PlaceError {
  package init(_ error: DatabaseError, path: String) {
    switch error {
    // SQLITE_CANTOPEN_SYMLINK
    case .sqlite(let operation, 1550, _):
      self = .unreadable(path: path, operation: operation, code: SystemError.symbolicLink)
    case .sqlite(let operation, let code, let message):
      switch code & 0xFF {
      // SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_IOERR (sqlite.org/rescode.html).
      case 14: self = .unreadable(path: path, operation: operation, code: SystemError.noSuchThing)
      case 3, 23: self = .unreadable(path: path, operation: operation, code: SystemError.denials.first ?? 0)
      case 10: self = .unreadable(path: path, operation: operation, code: SystemError.unreadable)
      case 26: self = .wrongFormat(path: path)
      default: self = .damaged(path: path, part: message)
      }
    case .otherApplication: self = .wrongFormat(path: path)
    case .otherSchema(let found, _): self = .wrongVersion(path: path, found: found)
    case .system(let error): self = .unreadable(path: path, operation: error.operation, code: error.errno)
    case .column, .noRow, .notAFile, .value: self = .damaged(path: path, part: "\(error)")
    }
  }
}
