package import LocationDatabase

/// The format of a file of places: an SQLite database that `locationctl-places` writes once, from one extract of OpenStreetMap, and that
/// is only read afterwards.
///
/// | table | holds |
/// |---|---|
/// | `header` | texts by `PlacesHeader.Key`: origin, license, date of the data |
/// | `layer` | the layers that the file has: this version writes `places` |
/// | `feature` | streets, towns, quarters, areas and points of interest, the most important first |
/// | `block`, `block_box` | addresses, streets and points of interest by position (`SpatialBlock`), and an R*Tree of the blocks |
/// | `area`, `area_box`, `interest_box` | outlines of features (`AreaOutline`): of towns, quarters, regions and postal codes, and of named grounds |
/// | `words` | FTS5: the words of each feature's names, and with a leading `_` those of its town and postal code |
/// | `word`, `reversed` | each word, and each word from its end, for words with a typing error |
///
/// Coordinates are in units of `LocalPoint`.
package enum PlacesFormat {
  /// "LPLC"; a later version with another schema has the next number.
  package static let identity = Database.Identity(application: 0x4C50_4C43, version: 1)

  /// The ending of the files' names.
  package static let fileExtension = "places"

  /// The statements that create the tables of the layer `places`.
  package static let schema = [
    "CREATE TABLE header(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE layer(name TEXT PRIMARY KEY, version INTEGER NOT NULL) WITHOUT ROWID",
    """
    CREATE TABLE feature(id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, name TEXT NOT NULL, names TEXT, class TEXT,
      parent INTEGER, postcode TEXT, x INTEGER NOT NULL, y INTEGER NOT NULL, radius INTEGER NOT NULL, numbers BLOB)
    """,
    "CREATE TABLE block(id INTEGER PRIMARY KEY, data BLOB NOT NULL)",
    "CREATE VIRTUAL TABLE block_box USING rtree_i32(id, x0, x1, y0, y1)",
    "CREATE TABLE area(id INTEGER PRIMARY KEY, level INTEGER NOT NULL, data BLOB NOT NULL)",
    "CREATE VIRTUAL TABLE area_box USING rtree_i32(id, x0, x1, y0, y1)",
    "CREATE VIRTUAL TABLE interest_box USING rtree_i32(id, x0, x1, y0, y1)",
    """
    CREATE VIRTUAL TABLE words USING fts5(text, content='', detail=none, columnsize=0, tokenize="ascii tokenchars '_'")
    """,
    "CREATE TABLE word(word TEXT PRIMARY KEY) WITHOUT ROWID",
    "CREATE TABLE reversed(word TEXT PRIMARY KEY) WITHOUT ROWID",
  ]

  /// The kind of a row of `feature`; the numbers are part of the format.
  package enum FeatureKind: Int64, Hashable, Sendable, CaseIterable {
    case street = 0
    case pointOfInterest = 1
    case quarter = 2
    case town = 3
    /// An administrative area above the towns.
    case region = 4
    case postalArea = 5
    case water = 6
    /// A named ground: a park, a campus, a cemetery.
    case ground = 7
    case country = 8
  }

  /// Names in other languages, as in the column `names`: `de=Genf`, separated by the character U+001F.
  package static let nameSeparator: Character = "\u{1F}"
}

/// What a file of places says about itself.
package struct PlacesHeader: Hashable, Sendable {
  package enum Key: String, CaseIterable, Sendable {
    case name, source, sourceHash, sourceSize, dataDate, license, attribution, country, importer
  }

  package var values: [Key: String] = [:]

  package init() {}

  package subscript(key: Key) -> String { values[key] ?? "" }

  /// The license and the notice of OpenStreetMap (openstreetmap.org/copyright).
  package static let license = "ODbL-1.0"
  package static let attribution = "© OpenStreetMap contributors"
}
