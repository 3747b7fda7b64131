package import Geodesy
package import LocationIPC
package import LocationPolicy
import Regions
import TrackFormats

/// What the page shows, as JSON.
package enum MapJSON {
  /// The satellites of a receiver; unknown values are absent.
  package static func sky(_ report: SkyReport) -> [UInt8] {
    var object = JSONObject()
    object.add("device", .text(report.device))
    object.add("hdop", .number(report.hdop, decimals: 2))
    object.add("used", .number(report.satellitesUsed))
    let satellites = (report.satellites ?? []).map { satellite in
      var object = JSONObject()
      object.add("constellation", .text(satellite.constellation.name))
      object.add("id", .number(satellite.number))
      object.add("elevation", .number(satellite.elevationDegrees))
      object.add("azimuth", .number(satellite.azimuthDegrees))
      object.add("cn0", .number(satellite.signalDecibelHertz))
      object.add("used", satellite.isUsed.map { .flag($0) })
      return object
    }
    object.add("satellites", rawValue: JSONObject.list(satellites))
    return object.closed
  }

  /// What the stream is waiting for, or what has ended it: a word for the page and a sentence for the user.
  package static func state(_ word: String, _ sentence: String) -> [UInt8] {
    var object = JSONObject()
    object.add("state", .text(word))
    object.add("text", .text(sentence))
    return object.closed
  }

  package static func event(_ event: MonitoringEvent, list: String) -> [UInt8] {
    EventJSON.object(event, list: list).closed
  }

  /// The files of tiles, by their index.
  package static func basemap(_ files: [TileDescription]) -> [UInt8] {
    let list = files.enumerated().map { index, file in
      var object = JSONObject()
      object.add("index", .number(index))
      object.add("content", .text(file.content.rawValue))
      object.add("schema", .text(file.schema.rawValue))
      object.add("minzoom", .number(file.leastZoom))
      object.add("maxzoom", .number(file.mostZoom))
      object.add("attribution", .text(file.attribution))
      if let area = file.area {
        object.add(
          "bounds", rawValue: Array("[\(area.west),\(area.south),\(area.east),\(area.north)]".utf8))
      }
      return object
    }
    var object = JSONObject()
    object.add("files", rawValue: JSONObject.list(list))
    return object.closed
  }

  /// The lines of an address, and whom they come from; both are empty if nothing is known.
  package static func address(_ lines: [String], sources: [String]) -> [UInt8] {
    var object = JSONObject()
    object.add("lines", .list(lines))
    object.add("sources", .list(sources))
    return object.closed
  }

  package static func logs(_ logs: [LogDescription]) -> [UInt8] {
    JSONObject.list(
      logs.map { log in
        var object = JSONObject()
        object.add("name", .text(log.name))
        object.add("running", .flag(log.isRunning))
        object.add("encrypted", .flag(log.publicKey != nil))
        object.add("points", .number(log.points))
        object.add("distance", .meters(log.distance?.value))
        object.add("begin", .text(iso8601(log.begin)))
        object.add("end", .text(iso8601(log.end)))
        return object
      })
  }

  /// The regions of all lists of the user; the page changes only those of its own list.
  package static func regions(_ regions: [(region: MonitoredRegion, list: String)], own: String) -> [UInt8] {
    JSONObject.list(
      regions.map { entry in
        var object = JSONObject()
        object.add("name", .text(entry.region.region.identifier))
        object.add("list", .text(entry.list))
        object.add("own", .flag(entry.list == own))
        object.add("state", .text("\(entry.region.state)"))
        object.add("since", .text(iso8601(entry.region.receivedAt)))
        switch entry.region.region.shape {
        case .circle(let circle):
          object.add("points", rawValue: points([circle.center]))
          object.add("radius", .meters(circle.radius.value))
        case .polygon(let polygon): object.add("points", rawValue: points(polygon.corners))
        }
        return object
      })
  }

  package static func visits(_ visits: [Visit]) -> [UInt8] {
    JSONObject.list(visits.map { EventJSON.object($0) })
  }

  /// Names and positions, the largest town first.
  package static func towns(_ towns: [(name: String, population: Int, place: Coordinate)]) -> [UInt8] {
    JSONObject.list(
      towns.map { town in
        var object = JSONObject()
        object.add("name", .text(town.name))
        object.add("population", .number(town.population))
        object.add("at", rawValue: points([town.place]))
        return object
      })
  }

  /// `[[LONGITUDE,LATITUDE],…]`, as GeoJSON orders them.
  private static func points(_ places: [Coordinate]) -> [UInt8] {
    var bytes = [UInt8(ascii: "[")]
    for place in places {
      guard let longitude = FixedDecimal(place.longitude.degrees, decimals: 7),
        let latitude = FixedDecimal(place.latitude.degrees, decimals: 7)
      else { continue }
      if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
      bytes.append(UInt8(ascii: "["))
      longitude.append(to: &bytes)
      bytes.append(UInt8(ascii: ","))
      latitude.append(to: &bytes)
      bytes.append(UInt8(ascii: "]"))
    }
    return bytes + [UInt8(ascii: "]")]
  }

  private static func iso8601(_ time: GNSSTime?) -> String? { time.flatMap { Timestamp($0)?.iso8601 } }
}
