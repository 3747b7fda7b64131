package import Geodesy

/// The forward search for towns: "Vaduz", "Springfield, IL", "Landstrasse 5, 9490 Vaduz, Liechtenstein", with one typing error.
package struct TownSearch {
  private let towns: TownTable
  private let query: ForwardQuery
  /// The folded words of the text, and where a comma separates them.
  private var words: [String] = []
  private var starts: Set<Int> = []
  private var ends: Set<Int> = []

  /// The most words that are searched.
  private static let mostWords = 16
  /// The most towns of one name that are compared.
  private static let mostCandidates = 400
  /// A word of fewer letters is not searched with a typing error.
  private static let shortestTypo = 5

  /// A town that the text names.
  package struct Found: Hashable, Sendable {
    package var number: Int
    package var town: Town
    package var match: Place.Match
    package var distance: Meters?
    /// Whether its name has a typing error in the text.
    package var isTypo: Bool
  }

  package init(_ query: ForwardQuery, in towns: TownTable) {
    (self.query, self.towns) = (query, towns)
    let text =
      switch query.subject {
      case .text(let text): text
      case .parts(let parts): parts.line
      }
    guard text.utf8.count <= ForwardQuery.longestText else { return }
    for part in text.split(whereSeparator: { $0 == "," || $0 == ";" || $0.isNewline }) {
      let next = TextFolding.words(String(part))
      guard !next.isEmpty, words.count + next.count <= Self.mostWords else { continue }
      starts.insert(words.count)
      words += next
      ends.insert(words.count)
    }
  }

  /// The towns, the best first, at most `query.limit`.
  package func run(_ bytes: Span<UInt8>) -> [Found] {
    guard !words.isEmpty else { return [] }
    var candidates: [Int: Candidate] = [:]
    for first in words.indices {
      for end in first + 1...words.count {
        let key = Array(words[first..<end].joined(separator: " ").utf8)
        // A number or a single letter is part of something else.
        guard key.count > 1, key.contains(where: { $0 > UInt8(ascii: "9") }) else { continue }
        add(
          key, asPrefix: query.completesLastWord && end == words.count, first..<end, isTypo: false, &candidates, bytes)
      }
    }
    if candidates.values.allSatisfy({ !$0.isComplete }) {
      for (first, end) in zip(starts.sorted(), ends.sorted()) { addTypos(first..<end, &candidates, bytes) }
    }
    let ordered = candidates.values.sorted { $0.precedes($1) }
    return ordered.prefix(query.limit * 4).compactMap { candidate in
      towns.town(candidate.number, in: bytes).map {
        Found(
          number: candidate.number, town: $0, match: candidate.isComplete ? .complete : .partial,
          distance: candidate.distance.map { Meters($0) }, isTypo: candidate.isTypo)
      }
    }.reduce(into: []) { result, found in
      // The same town under two numbers.
      guard result.count < query.limit,
        !result.contains(where: {
          $0.town.name == found.town.name
            && Geodesic.distance(from: $0.town.coordinate, to: found.town.coordinate).value < 100
        })
      else { return }
      result.append(found)
    }
  }

  private struct Candidate {
    var number: Int
    var isComplete: Bool
    var isTypo: Bool
    /// How many words of the text are explained.
    var explained: Int
    var isInHint: Bool
    var population: Int
    var distance: Double?

    func precedes(_ other: Candidate) -> Bool {
      if isComplete != other.isComplete { return isComplete }
      if explained != other.explained { return explained > other.explained }
      if isInHint != other.isInHint { return isInHint }
      if isTypo != other.isTypo { return !isTypo }
      if population != other.population { return population > other.population }
      return number < other.number
    }
  }

  /// Adds the towns with a name. The other words have to name the region, the county or the country, or be a postal code.
  private func add(
    _ key: [UInt8], asPrefix: Bool, _ range: Range<Int>, isTypo: Bool, _ candidates: inout [Int: Candidate],
    _ bytes: Span<UInt8>
  ) {
    var seen = 0
    towns.keys.each(key, asPrefix: asPrefix, in: bytes) { number in
      seen += 1
      guard seen <= Self.mostCandidates, number < towns.count else { return seen <= Self.mostCandidates }
      let rest = words.indices.filter { !range.contains($0) }
      var explained = range.count
      var isComplete = true
      if !rest.isEmpty, let town = towns.town(number, in: bytes) {
        let known = contextWords(of: town, bytes)
        let count = rest.count(where: { known.contains(words[$0]) })
        isComplete = count == rest.count
        explained += count
      }
      let old = candidates[number]
      guard old.map({ $0.explained < explained }) ?? true else { return true }
      var distance: Double?
      if let hint = query.hint, let place = towns.coordinate(of: number, in: bytes) {
        distance = Geodesic.distance(from: hint.center, to: place).value
      }
      candidates[number] = Candidate(
        number: number, isComplete: isComplete, isTypo: isTypo, explained: explained,
        isInHint: distance.map { $0 <= query.hint?.radius?.value ?? 50_000 } ?? false,
        population: towns.populationStep(of: number, bytes), distance: distance)
      return true
    }
  }

  /// The words that may stand beside the name of a town.
  private func contextWords(of town: Town, _ bytes: Span<UInt8>) -> Set<String> {
    var texts = [town.name, town.country, town.region, town.regionAbbreviation, town.county]
    if let name = towns.countryName(town.country, in: bytes) { texts.append(name) }
    if town.country == "US" { texts.append("USA") }
    if town.country == "GB" { texts.append("UK England Scotland Wales") }
    return Set(texts.flatMap { TextFolding.words($0) })
  }

  /// Adds the towns whose name differs in one letter: left out, added, replaced, or exchanged with the next one.
  private func addTypos(_ range: Range<Int>, _ candidates: inout [Int: Candidate], _ bytes: Span<UInt8>) {
    let key = Array(words[range].joined(separator: " ").utf8)
    guard (Self.shortestTypo...40).contains(key.count), key.allSatisfy({ $0 < 0x80 }) else { return }
    var tried: Set<[UInt8]> = [key]
    func look(_ variant: [UInt8]) {
      if tried.insert(variant).inserted {
        add(variant, asPrefix: false, range, isTypo: true, &candidates, bytes)
      }
    }
    let letters = Array(UInt8(ascii: "a")...UInt8(ascii: "z")) + [UInt8(ascii: " ")]
    for index in key.indices {
      var variant = key
      variant.remove(at: index)
      look(variant)
      if index + 1 < key.count {
        variant = key
        variant.swapAt(index, index + 1)
        look(variant)
      }
    }
    for index in 0...key.count {
      for letter in letters {
        var variant = key
        variant.insert(letter, at: index)
        look(variant)
        if index < key.count {
          variant = key
          variant[index] = letter
          look(variant)
        }
      }
    }
  }
}
