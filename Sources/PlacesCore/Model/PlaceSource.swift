/// Data that answers queries: the towns of the world, or the streets and addresses of an imported file. It asks no network
/// and needs no permission.
///
/// A source fills only the fields that its own data has. `PlaceFinder` joins the sources: it adds time zone, country and
/// town from the world's data, and orders the results of several sources.
package protocol PlaceSource: Sendable {
  /// The origin of the data.
  var provenance: PlaceProvenance { get }

  /// The place at a position, or `nil` if the data has none there. Fields that are not probable at the accuracy of the
  /// query are `nil`: first the house number, then the street, then the quarter.
  func place(at query: ReverseQuery) throws(PlaceError) -> Place?

  /// The places that match a text, the best first, without duplicates within 100 m, at most `query.limit`; empty if there
  /// is none. Every word of the text must be explained, or the match is partial.
  func places(matching query: ForwardQuery) throws(PlaceError) -> [Place]

  /// The code of a country by its name, as `TextFolding.fold` writes it; `nil` if it is no country, or if this data does not know the
  /// names of countries.
  func countryCode(named name: String) -> String?
}

extension PlaceSource {
  package func countryCode(named name: String) -> String? { nil }
}

/// Why data cannot answer. Paths are as given to the function that opened the file.
package enum PlaceError: Error, Hashable, Sendable {
  /// The file cannot be opened or read: the operation and its `errno`.
  case unreadable(path: String, operation: String, code: Int32)
  /// The file is of another kind.
  case wrongFormat(path: String)
  /// The file was written by another version of this program.
  case wrongVersion(path: String, found: Int)
  /// The file is damaged; `part` is the part in which that was detected.
  case damaged(path: String, part: String)
}
