import Geodesy
import LinuxIO
import LocationIPC
import MapDrawing
import MapServing
import MapTiles
import PlacesCore
import PlacesData
import TrackFormats

/// Makes the scene of a picture from the data.
struct SnapshotScene {
  private let options: SnapshotOptions
  private let tileFiles: [any TileFile]
  private(set) var scene: MapScene

  init(_ options: SnapshotOptions, _ tileFiles: [any TileFile], width: Int, height: Int) {
    (self.options, self.tileFiles) = (options, tileFiles)
    scene = MapScene(width: width, height: height)
    (scene.appearance, scene.units) = (options.appearance, options.units)
  }

  /// The complete scene.
  mutating func fill(_ data: SnapshotData?, _ overlays: [OverlayFile]) {
    var legend = MapLegend()
    var names: [String] = []
    scene.elements = (data?.regions ?? []).map { RegionPicture.element($0) }
    for overlay in overlays {
      scene.elements += overlay.elements
      names.append(overlay.name)
    }
    let tracks = (data?.tracks ?? []) + overlays.filter { $0.track.count > 0 }.map { ($0.name, $0.track) }
    for (name, track) in tracks {
      scene.elements += track.elements(options.appearance)
      if !names.contains(name) { names.append(name) }
      if let line = summary(track) { legend.lines.append(line) }
      legend.hasDoubtful = legend.hasDoubtful || track.hasDoubtful
    }
    // Several tracks have colors of their own, each by its own speeds: there is no scale for all of them.
    if tracks.count == 1, let ramp = tracks[0].1.ramp(in: options.units) {
      (legend.ramp, legend.rampTitle) = (ramp.steps, ramp.title)
    }
    if let position = data?.position {
      scene.elements += PositionPicture.elements(position.fix, options.appearance)
      scene.viewport = .automatic(leastWidth: tracks.isEmpty ? PositionPicture.leastWidth(position.fix) : 1000)
      legend.lines += text(of: position)
    }
    legend.title = options.title ?? (names.isEmpty ? nil : names.joined(separator: ", "))
    if legend.title == nil { legend.title = data?.position == nil ? "Regions" : "Position" }
    scene.legend = legend
    addBase()
  }

  private mutating func addBase() {
    if let outline = PageFolder.find()?.outline() {
      scene.outline = outline
      scene.attributions.append("Natural Earth")
    }
    let hasNames = addTiles()
    guard scene.showsText, !hasNames,
      let world = try? WorldPlaces.open(WorldPlaces.folders(ProcessEnvironment.value("LOCATIOND_WORLD")))
    else { return }
    let most = min(max(scene.width * scene.height / 9000, 12), 400)
    let towns = scene.areas.flatMap { world.largestTowns(most, latitudes: $0.latitudes, longitudes: $0.longitudes) }
    scene.towns = towns.map { MapTown(name: $0.name, at: MapCoordinate($0.coordinate), population: $0.population) }
    if !towns.isEmpty { scene.attributions.append("© GeoNames (CC BY 4.0)") }
  }

  /// Streets, where this machine has them; whether they have names of towns.
  private mutating func addTiles() -> Bool {
    let projection = scene.projection
    for file in tileFiles where file.description.content == .vector && file.description.schema != .unknown {
      let zooms = file.description.leastZoom...file.description.mostZoom
      let before = scene.tiles.count
      for (zoom, column, row) in projection.tiles(zooms: zooms) {
        guard let address = TileAddress(zoom: zoom, column: column, row: row), let tile = file.tile(address),
          let content = tile.isGzip ? Gzip.content(of: tile.bytes, most: VectorTile.largest) : tile.bytes
        else { continue }
        scene.tiles.append(VectorTile(zoom: zoom, column: column, row: row, bytes: content))
      }
      if scene.tiles.count > before, !file.description.attribution.isEmpty,
        !scene.attributions.contains(file.description.attribution)
      {
        scene.attributions.append(file.description.attribution)
      }
    }
    guard scene.showsText else { return false }
    let ranks = ["city": 4, "town": 3, "village": 2, "suburb": 1, "hamlet": 1]
    for tile in scene.tiles {
      tile.forEach({ $0 == "place" }) { feature in
        guard let name = feature.name, let kind = feature.kind, let rank = ranks[kind],
          let point = feature.parts.first?.first
        else { return }
        let population = [0, 200, 2000, 20_000, 200_000][rank]
        scene.towns.append(
          MapTown(name: MapText.sanitized(name), at: projection.coordinate(of: point, in: tile), population: population)
        )
      }
    }
    scene.towns.sort { $0.population > $1.population }
    return !scene.towns.isEmpty
  }

  /// Without names: a terminal that shows characters has no room for them.
  mutating func leaveOutText() { scene.showsText = false }

  // MARK: - Text

  /// `2026-11-01 13:00 – 14:05 CET · 12.4 km`
  private func summary(_ track: TrackPicture) -> String? {
    guard let period = track.period else { return nil }
    let cut = track.isCut ? ", cut" : ""
    return "\(Self.text(period)) · \(options.units.text(meters: track.length))\(cut)"
  }

  private func text(of reply: LocateReply) -> [String] {
    let fix = reply.fix
    func degrees(_ angle: Angle, _ positive: String, _ negative: String) -> String {
      let number = FixedDecimal(angle.degrees.magnitude, decimals: 5).map { "\($0)" } ?? ""
      return "\(number)° \(angle.degrees < 0 ? negative : positive)"
    }
    let place =
      degrees(fix.coordinate.latitude, "N", "S") + ", " + degrees(fix.coordinate.longitude, "E", "W")
    let time = Self.local(fix.time).map { "\($0.date) \($0.clock) \($0.zone)" }
    return [
      "\(place) ± \(options.units.text(meters: fix.horizontalRadius68.value))",
      (reply.isCached ? "last known position, " : "") + (time ?? ""),
    ].filter { !$0.isEmpty }
  }

  static func text(_ period: ClosedRange<GNSSTime>) -> String {
    guard let begin = local(period.lowerBound), let end = local(period.upperBound) else { return "" }
    let (first, last) = (begin.clock.prefix(5), end.clock.prefix(5))
    let zone = begin.zone == end.zone ? "" : " \(begin.zone)"
    let day = begin.date == end.date ? "" : "\(end.date) "
    return "\(begin.date) \(first)\(zone) – \(day)\(last) \(end.zone)"
  }

  /// The date, the time of day with seconds, and the abbreviation of this machine's zone.
  private static func local(_ time: GNSSTime) -> (date: Substring, clock: Substring, zone: String)? {
    guard let local = LocalTime.clock(of: time), let text = Timestamp(local.clock)?.iso8601 else { return nil }
    return (text.prefix(10), text.dropFirst(11).prefix(8), local.zone)
  }
}
