package import Geodesy

/// A town of `world.towns`.
package struct Town: Hashable, Sendable {
  package var name: String
  package var coordinate: Coordinate
  /// ISO 3166-1 alpha-2; `XK` is Kosovo.
  package var country: String
  /// The state, province or canton; empty if it is not known.
  package var region: String
  /// The postal abbreviation of the region in the United States, Canada and Australia; else empty.
  package var regionAbbreviation: String
  /// The county or district; empty if it is not known.
  package var county: String
  /// The population with an error of up to 5 %; 0 if it is not known.
  package var population: Int
}

/// The towns of the world with at least 500 people: `world.towns`. They are in rows of 0.1° from south to north, from west to
/// east in each row.
package struct TownTable: Sendable {
  package let file: WorldFile
  package let count: Int
  let rows: Range<Int>
  let longitudes: Range<Int>
  let latitudes: Range<Int>
  let countyNumbers: Range<Int>
  let populations: Range<Int>
  let blocks: Range<Int>
  let names: Range<Int>
  let counties: Range<Int>
  let regions: Range<Int>
  let pool: Range<Int>
  let countries: Range<Int>
  let keys: TownKeys
  /// Quarters of large cities with the number of their city, in order; three bytes each.
  let quarters: Range<Int>

  static let rowCount = 1801
  /// Units of a degree.
  static let unit = 100_000.0

  /// Reads the header of the file.
  package init(_ bytes: Span<UInt8>) throws(WorldFile.Problem) {
    file = try WorldFile(bytes, magic: "LOCTOWNS")
    (rows, longitudes, latitudes, countyNumbers) = (file[0], file[1], file[2], file[3])
    (populations, blocks, names, counties, regions) = (file[4], file[5], file[6], file[7], file[8])
    (pool, countries, quarters) = (file[9], file[12], file[13])
    keys = TownKeys(blocks: file[10], entries: file[11])
    count = populations.count
    guard rows.count >= 4 * (Self.rowCount + 1), longitudes.count == 4 * count, latitudes.count == 2 * count,
      countyNumbers.count == 2 * count, blocks.count == 4 * ((count + 15) / 16), count < 1 << 24
    else { throw .damaged("towns") }
  }

  /// The number of the nearest town that `isWanted` accepts; `nil` if there is none within `limit`.
  package func nearest(
    to coordinate: Coordinate, within limit: Meters, in bytes: Span<UInt8>,
    where isWanted: (Int) -> Bool = { _ in true }
  ) -> Int? {
    guard file.isOf(bytes) else { return nil }
    let (latitude, longitude) = (coordinate.latitude.degrees, coordinate.longitude.degrees)
    guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
    let cosine = max(Math.cos(coordinate.latitude.radians), 0.001)
    // Degrees of latitude. Distances are compared on a plane, which is exact enough to tell the nearest of towns.
    var best = limit.value / 111_200
    var found: Int?
    let row = Int((latitude + 90) * 10)
    for step in 0...Self.rowCount {
      var isBeyond = true
      for candidate in step == 0 ? [row] : [row - step, row + step] {
        let south = Double(candidate) / 10 - 90
        let gap = max(south - latitude, latitude - (south + 0.1), 0)
        guard gap <= best else { continue }
        isBeyond = false
        guard (0..<Self.rowCount).contains(candidate) else { continue }
        let range = towns(inRow: candidate, bytes)
        // The row again on the other side of the 180th meridian, where it is within reach.
        let reach = best / cosine
        for turn in [0.0, 360, -360] where turn == 0 || abs(longitude + turn) - 180 <= reach {
          search(range, candidate, latitude, longitude + turn, cosine, &best, &found, bytes, isWanted)
        }
      }
      if isBeyond { break }
    }
    return found
  }

  /// Improves `best` with the towns of a row.
  private func search(
    _ range: Range<Int>, _ row: Int, _ latitude: Double, _ longitude: Double, _ cosine: Double,
    _ best: inout Double, _ found: inout Int?, _ bytes: Span<UInt8>, _ isWanted: (Int) -> Bool
  ) {
    let target = Int(min(max(longitude * Self.unit, -1e9), 1e9))
    var (low, high) = (range.lowerBound, range.upperBound)
    while low < high {
      let middle = low + (high - low) / 2
      if bytes.i32(longitudes.lowerBound + 4 * middle) < target { low = middle + 1 } else { high = middle }
    }
    func consider(_ town: Int) -> Bool {
      let east = (Double(bytes.i32(longitudes.lowerBound + 4 * town)) / Self.unit - longitude) * cosine
      guard abs(east) <= best else { return false }
      let north = Double(row) / 10 - 90 + Double(bytes.u16(latitudes.lowerBound + 2 * town)) / Self.unit - latitude
      let distance = (east * east + north * north).squareRoot()
      if distance <= best, isWanted(town) { (best, found) = (distance, town) }
      return true
    }
    var town = low
    while town < range.upperBound, consider(town) { town += 1 }
    town = low - 1
    while town >= range.lowerBound, consider(town) { town -= 1 }
  }

  /// The numbers of the towns of a row; empty if the file is damaged.
  func towns(inRow row: Int, _ bytes: Span<UInt8>) -> Range<Int> {
    let (first, end) = (bytes.u32(rows.lowerBound + 4 * row), bytes.u32(rows.lowerBound + 4 * row + 4))
    return first <= end && end <= count ? first..<end : 0..<0
  }

  /// The row of a town.
  private func row(of town: Int, _ bytes: Span<UInt8>) -> Int {
    var (low, high) = (0, Self.rowCount)
    while low < high {
      let middle = low + (high - low) / 2
      if bytes.u32(rows.lowerBound + 4 * middle + 4) <= town { low = middle + 1 } else { high = middle }
    }
    return min(low, Self.rowCount - 1)
  }

  /// The position of a town.
  package func coordinate(of town: Int, in bytes: Span<UInt8>) -> Coordinate? {
    guard town >= 0, town < count, file.isOf(bytes) else { return nil }
    let row = self.row(of: town, bytes)
    // In units, so that the result has the digits of the source.
    let latitude = Double(row * 10_000 + bytes.u16(latitudes.lowerBound + 2 * town) - 9_000_000) / Self.unit
    let longitude = Double(bytes.i32(longitudes.lowerBound + 4 * town)) / Self.unit
    return Coordinate(checkingLatitude: latitude, longitude: longitude)
  }

  /// The city of which a town is a quarter; `nil` if it is none.
  package func city(ofQuarter town: Int, in bytes: Span<UInt8>) -> Int? {
    guard file.isOf(bytes) else { return nil }
    var (low, high) = (0, quarters.count / 6)
    while low < high {
      let middle = low + (high - low) / 2
      let at = quarters.lowerBound + 6 * middle
      let quarter = bytes.u16(at) | Int(bytes[at + 2]) << 16
      if quarter == town {
        let city = bytes.u16(at + 3) | Int(bytes[at + 5]) << 16
        return city < count ? city : nil
      }
      if quarter < town { low = middle + 1 } else { high = middle }
    }
    return nil
  }

  /// The country of a town.
  package func country(of town: Int, in bytes: Span<UInt8>) -> String? {
    guard let region = region(of: town, bytes) else { return nil }
    return bytes.country(at: region)
  }

  /// Eight steps for each power of two.
  func populationStep(of town: Int, _ bytes: Span<UInt8>) -> Int { Int(bytes[populations.lowerBound + town]) }

  /// The position of the region's entry: country, name, abbreviation.
  private func region(of town: Int, _ bytes: Span<UInt8>) -> Int? {
    guard let county = county(of: town, bytes) else { return nil }
    let region = regions.lowerBound + 10 * bytes.u16(county)
    return region + 10 <= regions.upperBound ? region : nil
  }

  /// The position of the county's entry: region, name.
  private func county(of town: Int, _ bytes: Span<UInt8>) -> Int? {
    guard town >= 0, town < count, file.isOf(bytes) else { return nil }
    let county = counties.lowerBound + 6 * bytes.u16(countyNumbers.lowerBound + 2 * town)
    return county + 6 <= counties.upperBound ? county : nil
  }

  /// The town with a number; `nil` if the file is damaged.
  package func town(_ number: Int, in bytes: Span<UInt8>) -> Town? {
    guard let place = coordinate(of: number, in: bytes), let county = county(of: number, bytes),
      let region = region(of: number, bytes), let country = bytes.country(at: region),
      let name = name(of: number, bytes)
    else { return nil }
    func pooled(_ at: Int) -> String {
      bytes.text(at: pool.lowerBound + bytes.u32(at), before: pool.upperBound) ?? ""
    }
    let step = populationStep(of: number, bytes)
    return Town(
      name: name, coordinate: place, country: country, region: pooled(region + 2),
      regionAbbreviation: pooled(region + 6),
      county: pooled(county + 2), population: step == 0 ? 0 : Int(Math.exp(Double(step) / 8 * Math.log(2)).rounded()))
  }

  /// The name of a town, without an allocation for the others of its block.
  private func name(of town: Int, _ bytes: Span<UInt8>) -> String? {
    var position = names.lowerBound + bytes.u32(blocks.lowerBound + 4 * (town / 16))
    for _ in 0..<town % 16 {
      guard position < names.upperBound else { return nil }
      position += 1 + Int(bytes[position])
    }
    return bytes.text(at: position, before: names.upperBound)
  }

  /// The code of the country with this English name or this code, as `TextFolding.fold` writes it; `nil` if there is none.
  package func countryCode(named name: String, in bytes: Span<UInt8>) -> String? {
    guard file.isOf(bytes) else { return nil }
    for at in stride(from: countries.lowerBound, to: countries.upperBound - 5, by: 6) {
      guard let code = bytes.country(at: at) else { continue }
      if code.lowercased() == name { return code }
      if let text = bytes.text(at: pool.lowerBound + bytes.u32(at + 2), before: pool.upperBound),
        TextFolding.fold(text) == name
      {
        return code
      }
    }
    return nil
  }

  /// The English name of a country; `nil` if the code is not known.
  package func countryName(_ code: String, in bytes: Span<UInt8>) -> String? {
    guard file.isOf(bytes) else { return nil }
    for at in stride(from: countries.lowerBound, to: countries.upperBound - 5, by: 6)
    where bytes.country(at: at) == code {
      return bytes.text(at: pool.lowerBound + bytes.u32(at + 2), before: pool.upperBound)
    }
    return nil
  }
}
