import Geodesy
import LocationDatabase
import PlacesCore

/// House numbers and postal codes of searches.
extension PlacesReader {
  /// The house number of the query in a street; its words count as explained.
  mutating func number(
    of street: Int64, _ words: QueryWords, _ score: inout MatchScore
  ) throws(DatabaseError) -> NumberList.Entry? {
    let free = words.numbers.filter { number in number.range.allSatisfy { !score.explained.contains($0) } }
    // A number beside the name comes first: that of "Flat 2, 19 King Street" is 19.
    let explained = score.explained
    func isBeside(_ range: Range<Int>) -> Bool {
      explained.contains(range.lowerBound - 1) || explained.contains(range.upperBound)
    }
    let wanted = free.filter { isBeside($0.range) } + free.filter { !isBeside($0.range) }
    guard !wanted.isEmpty else { return nil }
    try numbers.bind(integer: street)
    guard try numbers.step() else { return nil }
    var found: (entry: NumberList.Entry, order: Int)?
    // A house with several numbers, such as 12-14, if none has the wanted number alone.
    var (joint, hasSpans): ((entry: NumberList.Entry, order: Int)?, Bool) = (nil, true)
    let single = wanted.map { Int($0.text) }
    let isSound = try numbers.withBlob(0) { bytes in
      bytes.isEmpty
        || NumberList.read(bytes) { entry in
          let text = HouseNumber.canonical(entry.number)
          if let order = wanted.firstIndex(where: { $0.text == text }), order < found?.order ?? .max {
            if !(entry.isInterpolated && found?.order == order) { found = (entry, order) }
          }
          if text.utf8.contains(UInt8(ascii: "-")) {
            if HouseNumber.isOfCrossStreet(entry.number) { hasSpans = false }
            if let span = HouseNumber.span(entry.number),
              let order = single.firstIndex(where: { $0.map { Self.isNumber($0, in: span) } ?? false }),
              order < joint?.order ?? .max
            {
              joint = (entry, order)
            }
          }
          return found?.order != 0 || found?.entry.isInterpolated == true
        }
    }
    guard isSound else { throw .value(expected: "house numbers", found: "damaged ones") }
    if hasSpans, let joint, joint.order < found?.order ?? .max { found = joint }
    guard let found else { return nil }
    score.explained.formUnion(wanted[found.order].range)
    score.value += 1.5
    return found.entry
  }

  private static func isNumber(_ number: Int, in span: (numbers: ClosedRange<Int>, isOneSide: Bool)) -> Bool {
    span.numbers.contains(number) && (!span.isOneSide || (number - span.numbers.lowerBound) % 2 == 0)
  }

  /// The streets with a postal code, as one area, if the query names nothing else: few extracts have outlines of postal codes.
  mutating func postalArea(_ words: QueryWords, _ query: ForwardQuery) throws(DatabaseError) -> Place? {
    let wanted = words.words.map(\.word)
    guard !wanted.isEmpty, !query.completesLastWord else { return nil }
    var streets: [FeatureRow] = []
    for id in try matching(wanted.map { [$0] }) {
      guard let row = try row(id), row.kind == .street, let postcode = row.postcode else { continue }
      let own = Set(SearchWords.of(postcode))
      guard own.isSubset(of: wanted), try context(of: row).isSuperset(of: wanted) else { continue }
      streets.append(row)
    }
    guard let first = streets.first, streets.allSatisfy({ $0.postcode == first.postcode }) else { return nil }
    let plane = LocalPlane(around: first.point)
    let all = streets.map { plane.meters($0.point) }
    let middle = all.reduce(SIMD2<Float>(0, 0), +) / Float(all.count)
    let radius = all.map { (($0 - middle) * ($0 - middle)).sum().squareRoot() }.max() ?? 0
    var place = Place(
      coordinate: Self.coordinate(middle, plane), radius: Meters(max(Double(radius), Double(first.radius))), kind: .area
    )
    place.name = first.postcode
    place.postalCode = first.postcode
    place.sources = [provenance]
    try addTown(first.parent, to: &place, query.languages)
    return place
  }
}
