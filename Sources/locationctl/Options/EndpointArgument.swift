import ArgumentParser
package import Geodesy

/// One end of a measured path, as an argument: a position, or one of the user's regions.
package enum EndpointArgument: Hashable {
  case place(Coordinate)
  /// The name of a region. `isMarked`: whether it was given as `region:NAME`, which cannot be a position.
  case region(String, isMarked: Bool = false)

  /// The prefix that marks the name of a region. It is needed if the name could also be read as a position.
  private static let mark = "region:"

  package static func parse(_ text: String) throws -> EndpointArgument {
    guard text.contains(where: { !$0.isWhitespace }) else {
      throw ValidationError("The position is empty: \(PlaceArgument.examples), or the name of a region.")
    }
    if text.hasPrefix(mark), text.utf8.count > mark.utf8.count {
      return .region(String(text.dropFirst(mark.count)), isMarked: true)
    }
    return Coordinate(parsing: text).map { .place($0) } ?? .region(text)
  }

  /// The value's name in the help of options.
  static let valueName = "lat,lon|region"
}
