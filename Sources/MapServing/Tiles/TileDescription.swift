import TrackFormats

/// What a file of tiles contains.
package struct TileDescription: Hashable, Sendable {
  /// The content of a tile.
  package enum Content: String, Hashable, Sendable {
    /// Mapbox Vector Tiles.
    case vector
    case png, jpeg, webp
  }

  /// How the layers of vector tiles are named, which decides how they are drawn.
  package enum Schema: String, Hashable, Sendable {
    /// Those that the import of places writes.
    case places
    /// openmaptiles.org/schema.
    case openMapTiles
    case unknown
  }

  package var content: Content
  package var schema: Schema
  package var leastZoom, mostZoom: Int
  /// `nil`: the world.
  package var area: MapArea?
  /// Whom the data comes from, as plain text.
  package var attribution: String

  package init(
    content: Content, schema: Schema, leastZoom: Int, mostZoom: Int, area: MapArea?, attribution: String
  ) {
    (self.content, self.schema, self.area) = (content, schema, area)
    self.leastZoom = min(max(leastZoom, TileAddress.zooms.lowerBound), TileAddress.zooms.upperBound)
    self.mostZoom = min(max(mostZoom, self.leastZoom), TileAddress.zooms.upperBound)
    self.attribution = Self.plain(attribution)
  }

  /// The schema by the JSON that lists the layers.
  package static func schema(ofMetadata json: [UInt8]) -> Schema {
    var layers: Set<String> = []
    forEachText(json) { depth, key, text in if key == "id", depth == 3 { layers.insert(text) } }
    if layers.isSuperset(of: ["transportation", "water"]) { return .openMapTiles }
    return layers.isSuperset(of: ["land", "road", "label"]) ? .places : .unknown
  }

  /// The notice in the JSON of a PMTiles archive; empty if there is none.
  package static func attribution(inMetadata json: [UInt8]) -> String {
    var found = ""
    forEachText(json) { depth, key, text in if key == "attribution", depth == 1 { found = text } }
    return found
  }

  /// The texts of a JSON text up to its first error, with the nesting and the name of each.
  private static func forEachText(_ json: [UInt8], _ body: (_ depth: Int, _ key: String, _ text: String) -> Void) {
    var tokenizer = JSONTokenizer()
    var (offset, key) = (0, "")
    while let token = try? tokenizer.next(in: json.span, at: &offset) {
      switch token {
      case .key(let name): key = name
      case .text(let text): body(tokenizer.depth, key, text)
      default: break
      }
    }
  }

  /// A notice without its markup: files have links to their origin in it, and nothing of a file reaches the page as markup.
  private static func plain(_ text: String) -> String {
    var result = ""
    var rest = text.prefix(1000)
    while let character = rest.popFirst() {
      switch character {
      case "<": rest = rest.drop { $0 != ">" }.dropFirst()
      case "&":
        let name = rest.prefix(6).prefix { $0 != ";" }
        let isEntity = rest.dropFirst(name.count).first == ";"
        let found = isEntity ? ["copy": "©", "amp": "&", "quot": "\"", "apos": "'"][String(name)] : nil
        result += found ?? "&"
        if found != nil { rest = rest.dropFirst(name.count + 1) }
      case _ where character.isNewline: result += " "
      default: result.append(character)
      }
    }
    return String(result.prefix(200))
  }
}
