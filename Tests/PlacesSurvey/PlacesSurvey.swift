import Geodesy
import LocationDatabase
package import PlacesCore
package import PlacesStore
import TestSupport

/// The addresses of a file of places, read without its search, and questions about them whose answers are known.
package struct PlacesSurvey {
  package struct Address: Sendable {
    package var street: String
    package var number: String
    package var town: String?
    package var postcode: String?
    package var outline: [LocalPoint]
    package var isClosed: Bool
  }

  /// Of the questions: how many were answered with a number, and how many of those with the right one.
  package struct Numbers: Sendable {
    package var asked = 0
    package var reported = 0
    package var right = 0
    package var rightStreet = 0

    package var reportedShare: Double { Double(reported) / Double(max(asked, 1)) }
    package var rightShare: Double { Double(right) / Double(max(reported, 1)) }
  }

  package let addresses: [Address]
  package let country: String

  package init(path: String) throws {
    let database = try Database(immutable: path, identity: PlacesFormat.identity, checks: false)
    var streets: [Int: (name: String, town: String?, postcode: String?)] = [:]
    var rows = try database.prepare(
      """
      SELECT f.id, f.name, p.name, f.postcode FROM feature f LEFT JOIN feature p ON p.id = f.parent WHERE f.kind = 0
      """)
    while try rows.step() {
      streets[Int(try rows.integer(0))] = (try rows.text(1), try rows.optionalText(2), try rows.optionalText(3))
    }
    var addresses: [Address] = []
    var blocks = try database.prepare("SELECT data FROM block ORDER BY id")
    let plane = LocalPlane(around: LocalPoint(x: 0, y: 0))
    while try blocks.step() {
      var items = NearbyItems()
      let bytes = try blocks.blob(0)
      guard items.read(bytes.span, block: 0, on: plane) else { continue }
      for item in items.items where item.kind == .address && !item.isInterpolated {
        guard let street = streets[item.feature] else { continue }
        let points = items.points[item.first..<(item.first + item.count)].map { point in
          LocalPoint(
            x: Int32((Double(point.x) / plane.scaleX).rounded()), y: Int32((Double(point.y) / plane.scaleY).rounded()))
        }
        addresses.append(
          Address(
            street: street.name, number: PackedReader(bytes.span).text(in: item.number), town: street.town,
            postcode: street.postcode, outline: points, isClosed: item.isClosed))
      }
    }
    self.addresses = addresses
    var header = try database.prepare("SELECT value FROM header WHERE key = 'country'")
    country = try header.step() ? try header.text(0) : ""
  }

  /// Points in buildings with an address, with an error of this standard deviation in each direction, meters, and that accuracy.
  package func numbers(
    in file: PlacesFile, noise: Double, count: Int, seed: UInt64, where isWanted: (Int) -> Bool = { _ in true }
  ) throws -> Numbers {
    var random = SplitMix64(seed: seed)
    let buildings = addresses.indices.filter { addresses[$0].isClosed && isWanted($0) }
    var result = Numbers()
    guard !buildings.isEmpty else { return result }
    for _ in 0..<count {
      let address = addresses[buildings[Int.random(in: 0..<buildings.count, using: &random)]]
      guard let point = Self.pointInside(address.outline, &random) else { continue }
      let plane = LocalPlane(around: point)
      let coordinate = Coordinate(
        latitude: Angle(degrees: (Double(point.y) + Self.normal(&random) * noise / plane.scaleY) / 1e6),
        longitude: Angle(degrees: (Double(point.x) + Self.normal(&random) * noise / plane.scaleX) / 1e6))
      let place = try file.place(at: ReverseQuery(coordinate, accuracy: noise > 0 ? Meters(noise * 1.515) : nil))
      result.asked += 1
      if place?.thoroughfare == address.street { result.rightStreet += 1 }
      guard let number = place?.subThoroughfare else { continue }
      result.reported += 1
      if number == address.number, place?.thoroughfare == address.street { result.right += 1 }
    }
    return result
  }

  /// The outcome of searches for addresses.
  package struct Searches: Sendable {
    package var asked = 0
    package var first = 0
    package var near = 0
    package var wrongNumber = 0
    package var misses: [String] = []

    package init() {}
  }

  /// Searches for addresses as people write them.
  ///
  /// - Parameter hasError: one typing error in a word of the street of at least five letters.
  package func searches(in file: PlacesFile, count: Int, hasError: Bool, seed: UInt64) throws -> Searches {
    var random = SplitMix64(seed: seed)
    var result = Searches()
    let candidates = addresses.indices.filter { index in
      !hasError || addresses[index].street.split(separator: " ").contains { $0.count >= TypingError.shortestWord }
    }
    guard !candidates.isEmpty else { return result }
    for _ in 0..<count {
      let address = addresses[candidates[Int.random(in: 0..<candidates.count, using: &random)]]
      let street = hasError ? Self.misspelled(address.street, &random) : address.street
      let text = "\(street) \(address.number)" + (address.town.map { ", \($0)" } ?? "")
      let found = try file.places(matching: ForwardQuery(.text(text)))
      result.asked += 1
      guard let place = found.first else {
        result.misses.append(text)
        continue
      }
      let isStreet = place.thoroughfare == address.street && (place.locality == address.town || address.town == nil)
      let wanted = HouseNumber.list(address.number).map(HouseNumber.canonical)
      let isNumber = place.subThoroughfare.map { wanted.contains(HouseNumber.canonical($0)) } ?? false
      if isStreet, isNumber {
        result.first += 1
      } else {
        result.misses.append("\(text) -> \(place.name ?? "?"), \(place.locality ?? "?")")
      }
      if place.subThoroughfare != nil, !isNumber { result.wrongNumber += 1 }
      let plane = LocalPlane(around: LocalPoint(place.coordinate))
      if address.outline.contains(where: { plane.distance(plane.origin, $0) < 30 }) { result.near += 1 }
    }
    return result
  }

  /// A text with one wrong, missing, additional or transposed letter in a long word; never the first letter of the text.
  static func misspelled(_ text: String, _ random: inout SplitMix64) -> String {
    var words = text.split(separator: " ").map(Array.init)
    let long = words.indices.filter { words[$0].count >= TypingError.shortestWord }
    guard !long.isEmpty else { return text }
    let word = long[Int.random(in: 0..<long.count, using: &random)]
    let at = Int.random(in: 1..<(words[word].count - 1), using: &random)
    let letter = Array("abcdefghijklmnopqrstuvwxyz")[Int.random(in: 0..<26, using: &random)]
    switch Int.random(in: 0..<4, using: &random) {
    case 0: words[word][at] = letter
    case 1: words[word].remove(at: at)
    case 2: words[word].insert(letter, at: at)
    default: words[word].swapAt(at, at + 1)
    }
    return words.map { String($0) }.joined(separator: " ")
  }

  private static func pointInside(_ ring: [LocalPoint], _ random: inout SplitMix64) -> LocalPoint? {
    guard let first = ring.first else { return nil }
    var (low, high) = (first, first)
    for point in ring {
      low = LocalPoint(x: min(low.x, point.x), y: min(low.y, point.y))
      high = LocalPoint(x: max(high.x, point.x), y: max(high.y, point.y))
    }
    let bytes = AreaOutline.encode([ring])
    for _ in 0..<100 {
      let point = LocalPoint(
        x: Int32.random(in: low.x...high.x, using: &random), y: Int32.random(in: low.y...high.y, using: &random))
      if AreaOutline.contains(point, bytes.span) == true { return point }
    }
    return nil
  }

  static func normal(_ random: inout SplitMix64) -> Double {
    // Box and Muller, 1958.
    let (first, second) = (Double.random(in: .ulpOfOne...1, using: &random), Double.random(in: 0...1, using: &random))
    return (-2 * Math.log(first)).squareRoot() * Math.cos(2 * Double.pi * second)
  }
}
