/// A file of the page. There are no others, so that no path leads out of their folder.
package enum PageFile: String, CaseIterable, Hashable, Sendable {
  case page = "index.html"
  case style = "map.css"
  case main = "map.js"
  case basemap = "basemap.js"
  case tiles = "tiles.js"
  case geodesy = "geodesy.js"
  case live = "live.js"
  case sky = "sky.js"
  case tracks = "tracks.js"
  case regions = "regions.js"
  case visits = "visits.js"
  case overlays = "overlays.js"
  case spot = "spot.js"
  case panels = "panels.js"
  case icon = "icon.svg"
  case mapLibre = "vendor/maplibre-gl.js"
  case mapLibreStyle = "vendor/maplibre-gl.css"
  case world = "vendor/world.json"

  /// `/` is the page.
  init?(path: String) {
    if path.isEmpty { self = .page } else { self.init(rawValue: path) }
  }

  package var content: HTTPResponse.Content {
    if rawValue.utf8.suffix(5).elementsEqual(".html".utf8) { return .html }
    if rawValue.utf8.suffix(4).elementsEqual(".css".utf8) { return .style }
    if rawValue.utf8.suffix(4).elementsEqual(".svg".utf8) { return .svg }
    return rawValue.utf8.suffix(3).elementsEqual(".js".utf8) ? .script : .json
  }
}
