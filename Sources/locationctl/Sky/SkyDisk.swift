import Glibc
import LocationIPC

/// The sky as a disk that is oriented like a map: north at the top and east on the right, although an observer who
/// looks up sees east on the left of north. The zenith is in the middle, the horizon is the outer ring, and satellites
/// are drawn as their names.
struct SkyDisk {
  /// The distance from the middle to the horizon in rows; in columns it is twice as large, which results in a circle on
  /// most terminals.
  let radius: Int

  /// A name may extend one column beyond the disk on either side.
  var columns: Int { 4 * radius + 3 }
  var rows: Int { 2 * radius + 1 }

  static let smallestRadius = 5
  static let largestRadius = 20

  /// Draws the disk with its upper left corner at a position of the canvas; returns the number of satellites that did
  /// not fit.
  func draw(
    _ satellites: [SatelliteReport], on canvas: inout SkyCanvas, column: Int = 0, row: Int, usesUnicode: Bool
  ) -> Int {
    let dot = usesUnicode ? "·" : "."
    for elevation in [0, 30, 60] {
      // A multiple of four, so that all four quadrants look the same.
      let dots = (90 - elevation) * radius / 40 * 4
      for index in 0..<dots {
        let place = place(elevation: elevation, azimuth: Double(index) * 360 / Double(dots))
        canvas.put(dot, column: column + place.column, row: row + place.row, .faint)
      }
    }
    canvas.put("+", column: column + 2 * radius + 1, row: row + radius, .faint)
    var taken: Set<Place> = []
    for (letter, azimuth) in [("N", 0.0), ("E", 90), ("S", 180), ("W", 270)] {
      let place = place(elevation: 0, azimuth: azimuth)
      canvas.put(letter, column: column + place.column, row: row + place.row, .bold)
      taken.insert(place)
    }
    var left = 0
    for satellite in satellites.sorted(by: Self.isDrawnBefore) {
      guard let elevation = satellite.elevationDegrees, let azimuth = satellite.azimuthDegrees else { continue }
      let wanted = place(elevation: elevation, azimuth: Double(azimuth))
      guard let free = freePlace(near: wanted, taken) else {
        left += 1
        continue
      }
      for offset in -1...1 { taken.insert(Place(column: free.column + offset, row: free.row)) }
      canvas.put(satellite.shownName, column: column + free.column - 1, row: row + free.row, satellite.paint)
    }
    return left
  }

  /// The position of a character in the disk.
  private struct Place: Hashable {
    var column: Int
    var row: Int
  }

  /// The position of a satellite. One below the horizon is drawn on the horizon.
  private func place(elevation: Int, azimuth: Double) -> Place {
    let share = Double(90 - min(90, max(0, elevation))) / 90
    let angle = azimuth * .pi / 180
    return Place(
      column: 2 * radius + 1 + Int((share * Double(2 * radius) * sin(angle)).rounded()),
      row: radius - Int((share * Double(radius) * cos(angle)).rounded()))
  }

  /// The nearest position with three free characters, at most the length of a name away; preferably with spaces around
  /// it.
  private func freePlace(near wanted: Place, _ taken: Set<Place>) -> Place? {
    freePlace(near: wanted, margin: 1, taken) ?? freePlace(near: wanted, margin: 0, taken)
  }

  private func freePlace(near wanted: Place, margin: Int, _ taken: Set<Place>) -> Place? {
    let shifts = [
      (0, 0), (0, -1), (0, 1), (-1, 0), (1, 0), (-2, 0), (2, 0), (-1, -1), (1, -1), (-1, 1), (1, 1), (-3, 0), (3, 0),
      (-2, -1), (2, -1), (-2, 1), (2, 1), (-3, -1), (3, -1), (-3, 1), (3, 1),
    ]
    for shift in shifts {
      let place = Place(column: wanted.column + shift.0, row: wanted.row + shift.1)
      guard (1...columns - 2).contains(place.column), (0..<rows).contains(place.row) else { continue }
      let columns = place.column - 1 - margin...place.column + 1 + margin
      if columns.allSatisfy({ !taken.contains(Place(column: $0, row: place.row)) }) { return place }
    }
    return nil
  }

  /// Used satellites come first, then those with the strongest signals, so that these are drawn at their exact
  /// positions.
  private static func isDrawnBefore(_ a: SatelliteReport, _ b: SatelliteReport) -> Bool {
    let (usedA, usedB) = (a.isUsed ?? false, b.isUsed ?? false)
    return usedA == usedB ? (a.signalDecibelHertz ?? 0) > (b.signalDecibelHertz ?? 0) : usedA
  }
}

extension SatelliteReport {
  /// The name; in lower case if the satellite is not used, so that this is visible without colors too.
  var shownName: String { isUsed == false ? name.lowercased() : name }

  var paint: SkyCanvas.Paint { .satellite(constellation, isUsed: isUsed == true) }
}
