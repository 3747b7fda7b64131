import LinuxIO
import LocationDatabase
import PlacesCore
package import PlacesStore

/// Makes a file of places from an extract of OpenStreetMap, in a folder of its own.
///
/// It reads the extract twice. Nodes, addresses, streets and points of interest go to temporary files; the names and the simplified borders
/// of towns and areas stay in memory.
package enum PlacesImporter {
  /// What an import found.
  package struct Summary: Sendable {
    package var addresses: Int
    package var streets: Int
    package var incompleteAreas: Int
    package var header: PlacesHeader
  }

  /// The usual memory for pages, bytes.
  package static let cacheSize = 16 << 20

  /// The descriptors of empty files without a name.
  package struct Scratch: Sendable {
    /// For the locations of nodes.
    package var locations: Int32
    /// For what is drawn on the map, and for its distribution to tiles.
    package var features, entries: Int32

    package init(locations: Int32, features: Int32, entries: Int32) {
      (self.locations, self.features, self.entries) = (locations, features, entries)
    }
  }

  /// - Parameters:
  ///   - file: the extract; standard input is replaced.
  ///   - path: the file to make, in a folder that contains nothing else.
  ///   - header: what is known about the extract; the rest is added.
  ///   - cacheSize: the most memory for pages of SQLite's file and of its temporary tables each, bytes.
  ///   - progress: gets the share that is done, and returns `false` to stop.
  package static func run(
    file: Int32, scratch: Scratch, path: String, header: PlacesHeader, cacheSize: Int = PlacesImporter.cacheSize,
    progress: @escaping (Double) -> Bool
  ) throws(ImportError) -> Summary {
    let result: Result<Summary, ImportError>
    do throws(DatabaseError) {
      let database = try Database(building: path, identity: PlacesFormat.identity, cacheSize: cacheSize)
      for statement in PlacesFormat.schema { try database.run(statement) }
      try database.run("BEGIN")
      result = try fill(database, file: file, scratch: scratch, header: header, progress: progress)
    } catch {
      throw .database("\(error)")
    }
    return try result.get()
  }

  private static func fill(
    _ database: consuming Database, file: Int32, scratch: Scratch, header: PlacesHeader,
    progress: @escaping (Double) -> Bool
  ) throws(DatabaseError) -> Result<Summary, ImportError> {
    let box = SorterBox(try ExtractSorter(database))
    let summary: ExtractSummary
    let tiles: TileBuilder
    do throws(ImportError) {
      tiles = try TileBuilder(
        features: scratch.features, entries: scratch.entries, sourceSize: Int(header[.sourceSize]) ?? 0)
      summary = try ExtractReader.read(
        file: file, locations: scratch.locations, keys: ObjectClass.keys,
        receive: { (object) throws(ImportError) in
          try tiles.receive(object)
          guard !ObjectClass.isDrawnOnly(object) else { return }
          do throws(DatabaseError) { try box.sorter.receive(object) } catch { throw .database("\(error)") }
        },
        progress: { progress($0 * 0.5) })
    } catch {
      return .failure(error)
    }
    // What reading has freed goes back to the system before the outlines are sorted.
    Heap.trim()
    let country = box.sorter.finish()
    // Moved: the assembly changes them.
    let towns = box.sorter.takeTowns()
    func step(_ from: Double, _ to: Double) -> (Double) throws(ImportError) -> Void {
      { (share) throws(ImportError) in guard progress(from + share * (to - from)) else { throw .cancelled } }
    }
    do throws(ImportError) {
      var assembly: AddressAssembly
      do throws(DatabaseError) { assembly = try AddressAssembly(database, towns) } catch { throw .database("\(error)") }
      try assembly.run(step(0.5, 0.7))
      let assembled = assembly.towns
      var writer: FileWriter
      do throws(DatabaseError) {
        writer = try FileWriter(assembly.finish(), assembled)
      } catch {
        throw .database("\(error)")
      }
      try writer.run(step(0.7, 0.85))
      var header = header
      header.values[.country] = country
      if let time = summary.timestamp { header.values[.dataDate] = CalendarDay.text(seconds: time) }
      let result = Summary(
        addresses: writer.addressCount, streets: writer.streetCount, incompleteAreas: summary.incompleteAreas,
        header: header)
      try complete(writer, header, tiles) { progress(0.85 + $0 * 0.15) }
      return .success(result)
    } catch {
      return .failure(error)
    }
  }

  private static func complete(
    _ writer: consuming FileWriter, _ header: PlacesHeader, _ tiles: TileBuilder, progress: @escaping (Double) -> Bool
  ) throws(ImportError) {
    let database = writer.finish()
    do throws(DatabaseError) {
      for (key, value) in header.values {
        try database.run("INSERT INTO header VALUES (?, ?)", [.text(key.rawValue), .text(value)])
      }
      try database.run("INSERT INTO layer VALUES ('places', 1)")
    } catch {
      throw .database("\(error)")
    }
    Heap.trim()
    try TileTable.write(tiles, header, to: database, progress: progress)
    do throws(DatabaseError) { try database.run("COMMIT") } catch { throw .database("\(error)") }
  }

  /// What the reader's callback changes.
  private final class SorterBox {
    var sorter: ExtractSorter
    init(_ sorter: consuming ExtractSorter) { self.sorter = sorter }
  }
}

/// Days of the Gregorian calendar.
enum CalendarDay {
  /// "2024-03-04" (Howard Hinnant, chrono-Compatible Low-Level Date Algorithms, civil_from_days).
  static func text(seconds: Int64) -> String {
    let days = Int((Double(seconds) / 86_400).rounded(.down)) + 719_468
    let era = (days >= 0 ? days : days - 146_096) / 146_097
    let ofEra = days - era * 146_097
    let year = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
    let ofYear = ofEra - (365 * year + year / 4 - year / 100)
    let shifted = (5 * ofYear + 2) / 153
    let day = ofYear - (153 * shifted + 2) / 5 + 1
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(year + era * 400 + (month <= 2 ? 1 : 0))-\(two(month))-\(two(day))"
  }
}
