package import LocationDatabase

/// The format of a file of places: an SQLite database that `locationctl-places` writes once, from one extract of OpenStreetMap, and that
/// is only read afterwards.
///
/// | table | holds |
/// |---|---|
/// | `header` | texts by `PlacesHeader.Key`: origin, license, date of the data |
/// | `layer` | the layers that the file has: this version writes `places` and `map` |
/// | `feature` | streets, towns, quarters, areas and points of interest, the most important first |
/// | `block` | addresses, streets and points of interest by position (`SpatialBlock`) |
/// | `area` | outlines of features (`AreaOutline`): of towns, quarters, regions and postal codes, and of named grounds and waters |
/// | `box` | an R*Tree of the blocks and outlines: `BoxKind` says whose box it is |
/// | `words` | FTS5: the words of each feature's names, and with a leading `_` those of its town and postal code |
/// | `metadata`, `tiles` | the layer `map`: vector tiles, as in a file of the format MBTiles 1.3 |
/// | `word`, `reversed` | each word, and each word from its end, for words with a typing error |
///
/// Coordinates are in units of `LocalPoint`.
package enum PlacesFormat {
  /// "LPLC"; a later version with another schema has the next number.
  package static let identity = Database.Identity(application: 0x4C50_4C43, version: 2)

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
    "CREATE TABLE area(id INTEGER PRIMARY KEY, level INTEGER NOT NULL, data BLOB NOT NULL)",
    "CREATE VIRTUAL TABLE box USING rtree_i32(id, x0, x1, y0, y1)",
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

  /// What a row of `box` stands for. Its number is four times that of the block or of the feature, plus this.
  package enum BoxKind: Int64, Hashable, Sendable, CaseIterable {
    case block = 0
    /// A town, a quarter, a region, a country or a postal area.
    case area = 1
    /// A named ground or a water.
    case interest = 2

    /// The number in `box` of a block or of a feature.
    package func number(of id: Int64) -> Int64 { id * 4 + rawValue }
  }

  /// Names in other languages, as in the column `names`: `de=Genf`, separated by the character U+001F.
  package static let nameSeparator: Character = "\u{1F}"
}

/// What a file of places says about itself.
package struct PlacesHeader: Hashable, Sendable {
  package enum Key: String, CaseIterable, Sendable {
    /// `source` is a path or an address; `sourceTime` is the time of the file at that address, seconds since 1970.
    case name, source, sourceTime, sourceHash, sourceSize, dataDate, license, attribution, country, importer
  }

  package var values: [Key: String] = [:]

  package init() {}

  package subscript(key: Key) -> String { values[key] ?? "" }

  /// The license and the notice of OpenStreetMap (openstreetmap.org/copyright).
  package static let license = "ODbL-1.0"
  package static let attribution = "© OpenStreetMap contributors"
}
