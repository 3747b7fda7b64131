import Geodesy
import LocationDatabase
import PlacesCore

extension PlacesReader {
  /// The most features that a search looks at, and the most whose names are compared.
  private static let mostMatches: Int64 = 2000
  private static let mostCompared = 64
  /// Of a word with a typing error, the most corrections.
  private static let mostCorrections = 8

  /// A feature that may be what is looked for.
  private struct Candidate {
    var row: FeatureRow
    var score: MatchScore
    var number: NumberList.Entry?
    var total = 0.0
    var distance: Double?
  }

  /// The places that match a text, the best first.
  mutating func places(matching query: ForwardQuery) throws(DatabaseError) -> [Place] {
    let words = QueryWords(query.subject)
    let found = try answer(try candidates(query), words, query)
    if found.first?.match != .complete, let area = try postalArea(words, query) { return [area] }
    return found
  }

  /// The features that match a text completely, the best first.
  mutating func featureIDs(matching text: String) throws(DatabaseError) -> [Int64] {
    let words = QueryWords(.text(text)).words.indices
    return try candidates(ForwardQuery(.text(text))).filter { $0.score.explained.isSuperset(of: words) }.map(\.row.id)
  }

  private mutating func candidates(_ query: ForwardQuery) throws(DatabaseError) -> [Candidate] {
    let words = QueryWords(query.subject)
    guard !words.words.isEmpty else { return [] }
    var spellings = words.words.map { [$0.word] }
    var isCorrected = [Bool](repeating: false, count: spellings.count)
    // A word that no name has is misspelled, or says nothing here, as the name of a country.
    var required: [Int] = []
    var halved: [String] = []
    for (index, word) in words.words.enumerated() where !word.isOnlyNumber {
      if query.completesLastWord, index == words.words.count - 1 {
        spellings[index] += try completions(of: word.word)
        let isKnown = try exists(word.word)
        if spellings[index].count > 1 || isKnown { required.append(index) }
      } else if try exists(word.word) {
        if !word.isNumber { required.append(index) }
      } else if !word.isNumber {
        var corrections = try corrections(of: word.folded)
        if corrections.isEmpty, let (first, second) = try halves(of: word.folded) {
          // The longer half is looked for; the other one is accepted in the name.
          corrections = [second]
          halved.append(first)
        }
        guard !corrections.isEmpty else { continue }
        spellings[index] = corrections
        isCorrected[index] = true
        required.append(index)
      }
    }
    // "9490" alone is a postal code, or a street that consists of a number.
    if required.isEmpty {
      required = words.words.indices.filter { words.words[$0].isNumber && !words.words[$0].isOnlyNumber }
    }
    guard !required.isEmpty else { return [] }

    var ids = try matching(required.map { spellings[$0] })
    if ids.isEmpty { ids = try relaxed(required, words, &spellings, &isCorrected) }
    var candidates = try compare(ids, words, spellings, halved, query)
    rank(&candidates, words, isCorrected, query)
    return candidates
  }

  private mutating func exists(_ word: String) throws(DatabaseError) -> Bool {
    try hasWord.bind([.text(word)])
    return try hasWord.step()
  }

  /// The features whose names or towns contain one spelling of each word.
  mutating func matching(_ words: [[String]]) throws(DatabaseError) -> [Int64] {
    let all = words.map { spellings in
      "(" + spellings.map { "\"\(Self.quoted($0))\" OR \"_\(Self.quoted($0))\"" }.joined(separator: " OR ") + ")"
    }
    // One word alone is looked for in names only: every street of a town contains the name of the town.
    let expression =
      words.count == 1
      ? words[0].map { "\"\(Self.quoted($0))\"" }.joined(separator: " OR ") : all.joined(separator: " AND ")
    try matches.bind([.text(expression), .integer(Self.mostMatches)])
    var ids: [Int64] = []
    while try matches.step() { ids.append(try matches.integer(0)) }
    if ids.isEmpty, words.count == 1 {
      try matches.bind([.text(all[0]), .integer(64)])
      while try matches.step() { ids.append(try matches.integer(0)) }
    }
    return ids
  }

  /// Folded words contain no quotation marks; a text in FTS5's syntax doubles them all the same (fts5.html, "FTS5 Strings").
  private static func quoted(_ word: String) -> String { word.substituting("\"", with: "\"\"") }

  /// Nothing has all words: one of them may be a typing error that is another word, or be left out.
  private mutating func relaxed(
    _ required: [Int], _ words: QueryWords, _ spellings: inout [[String]], _ isCorrected: inout [Bool]
  ) throws(DatabaseError) -> [Int64] {
    for left in required where !isCorrected[left] && !words.words[left].isNumber {
      let corrections = try corrections(of: words.words[left].folded)
      guard !corrections.isEmpty else { continue }
      let ids = try matching(required.map { $0 == left ? corrections : spellings[$0] })
      guard !ids.isEmpty else { continue }
      spellings[left] = corrections
      isCorrected[left] = true
      return ids
    }
    guard required.count > 1 else { return [] }
    var ids: Set<Int64> = []
    for left in required where ids.count < Self.mostCompared {
      ids.formUnion(try matching(required.filter { $0 != left }.map { spellings[$0] }).prefix(Self.mostCompared))
    }
    if ids.isEmpty {
      for index in required { ids.formUnion(try matching([spellings[index]]).prefix(8)) }
    }
    return ids.sorted()
  }

  /// The words that begin with a word, without itself.
  private mutating func completions(of word: String) throws(DatabaseError) -> [String] {
    guard word.utf8.count >= 2 else { return [] }
    try wordsFrom.bind([.text(word), .text(word + "\u{10FFFF}")])
    var found: [String] = []
    while found.count < 32, try wordsFrom.step() {
      let other = try wordsFrom.text(0)
      if other != word { found.append(other) }
    }
    return found
  }

  /// The words that differ from a word by one typing error. At least one half of it is then as typed: its first half is the beginning of
  /// the correct word, or its second half the end.
  private mutating func corrections(of word: String) throws(DatabaseError) -> [String] {
    let bytes = Array(word.utf8)
    let scalars = Array(word.unicodeScalars)
    // A letter may be missing.
    guard scalars.count >= TypingError.shortestWord - 1 else { return [] }
    var found: [String] = []
    // Two characters that changed places in the middle touch both halves.
    let half = (scalars.count - 1) / 2
    func text(_ part: some Sequence<Unicode.Scalar>) -> String {
      var view = String.UnicodeScalarView()
      view.append(contentsOf: part)
      return String(view)
    }
    let (start, end) = (text(scalars.prefix(half)), text(scalars.reversed().prefix(half)))
    try wordsFrom.bind([.text(start), .text(start + "\u{10FFFF}")])
    while found.count < Self.mostCorrections, try wordsFrom.step() {
      let other = try wordsFrom.text(0)
      if Self.isCorrection(other, of: bytes) { found.append(SearchWords.canonical(other)) }
    }
    try reversedFrom.bind([.text(end), .text(end + "\u{10FFFF}")])
    while found.count < Self.mostCorrections, try reversedFrom.step() {
      let other = text(try reversedFrom.text(0).unicodeScalars.reversed())
      let canonical = SearchWords.canonical(other)
      if Self.isCorrection(other, of: bytes), !found.contains(canonical) { found.append(canonical) }
    }
    return found
  }

  private static func isCorrection(_ word: String, of typed: [UInt8]) -> Bool {
    word.utf8.count >= TypingError.shortestWord && TypingError.isOne(typed, Array(word.utf8))
  }

  /// The two words of which a word consists if only the space between them is missing, or is another character: "saintmartin".
  private mutating func halves(of word: String) throws(DatabaseError) -> (String, String)? {
    let letters = Array(word.unicodeScalars)
    guard letters.count >= TypingError.shortestWord, letters.count <= 32 else { return nil }
    func text(_ range: Range<Int>) -> String { String(String.UnicodeScalarView(letters[range])) }
    for gap in 0...1 {
      for end in 1..<(letters.count - gap - 1) {
        let (first, second) = (
          SearchWords.canonical(text(0..<end)), SearchWords.canonical(text((end + gap)..<letters.count))
        )
        if second.utf8.count >= 3, try exists(second), try exists(first) { return (first, second) }
      }
    }
    return nil
  }

  private mutating func compare(
    _ ids: [Int64], _ words: QueryWords, _ spellings: [[String]], _ halved: [String], _ query: ForwardQuery
  ) throws(DatabaseError) -> [Candidate] {
    let text: String? = if case .text(let text) = query.subject { text } else { nil }
    var chosen = ids
    if ids.count > Self.mostCompared, let hint = query.hint {
      // Those nearest to the hint; without one, the first are the most important.
      let plane = LocalPlane(around: LocalPoint(hint.center))
      var distances: [(id: Int64, distance: Double)] = []
      for id in ids {
        try position.bind(integer: id)
        guard try position.step(),
          let point = LocalPoint(checkingX: Int(try position.integer(1)), y: Int(try position.integer(2)))
        else { continue }
        distances.append((id, plane.distance(plane.origin, point)))
      }
      chosen = distances.sorted { $0.distance < $1.distance }.prefix(Self.mostCompared).map(\.id)
    }
    var candidates: [Candidate] = []
    for id in chosen.prefix(Self.mostCompared) {
      guard let row = try row(id) else { continue }
      let context = try context(of: row)
      var best: MatchScore?
      for name in row.allNames {
        let own = SearchWords.of(name).filter { !halved.contains($0) }
        var score = MatchScore(query: spellings, name: own, context: context)
        // Two streets may differ in marks only.
        if let text, text.holds(name) { score.value += 0.05 }
        if score.value > best?.value ?? -.infinity { best = score }
      }
      guard let best, best.touchesName || ids.count == 1 || row.kind == .postalArea else { continue }
      var candidate = Candidate(row: row, score: best)
      if row.kind == .street { candidate.number = try number(of: id, words, &candidate.score) }
      candidates.append(candidate)
    }
    return candidates
  }

  /// The words of the towns and regions around a feature, and of its postal code.
  mutating func context(of row: FeatureRow) throws(DatabaseError) -> Set<String> {
    var words: Set<String> = []
    if let parent = row.parent {
      if let known = contexts[parent] {
        words = known
      } else {
        words = try context(from: parent)
        if contexts.count >= Self.mostContexts { contexts.removeAll() }
        contexts[parent] = words
      }
    }
    if let postcode = row.postcode { words.formUnion(SearchWords.of(postcode)) }
    if !country.isEmpty { words.insert(country.lowercased()) }
    return words
  }

  private mutating func context(from parent: Int64) throws(DatabaseError) -> Set<String> {
    var words: Set<String> = []
    var next: Int64? = parent
    for _ in 0..<4 {
      guard let id = next, let parent = try self.row(id) else { break }
      for name in parent.allNames { words.formUnion(SearchWords.of(name)) }
      next = parent.parent
    }
    return words
  }

  private func rank(
    _ candidates: inout [Candidate], _ words: QueryWords, _ isCorrected: [Bool], _ query: ForwardQuery
  ) {
    let plane = query.hint.map { LocalPlane(around: LocalPoint($0.center)) }
    for index in candidates.indices {
      let candidate = candidates[index]
      var total = candidate.score.value
      for word in words.words.indices where !candidate.score.explained.contains(word) {
        total -= words.words[word].isNumber ? 0.6 : 1
      }
      for word in candidate.score.explained where isCorrected[word] { total -= 0.2 }
      switch candidate.row.kind {
      case .town: total += 0.2
      case .region, .quarter, .country: total += 0.1
      case .street: total += 0.05
      case .pointOfInterest, .postalArea, .water, .ground: break
      }
      if let plane, let hint = query.hint {
        let point = candidate.number?.point ?? candidate.row.point
        let distance = plane.distance(plane.origin, point)
        candidates[index].distance = distance
        // Inside the hint's circle first; then a tenth for each doubling of the distance.
        if distance <= hint.radius?.value ?? 0 { total += 0.4 }
        total += 0.4 / (1 + distance / 2000)
      }
      candidates[index].total = total
    }
    candidates.sort { ($0.total, -Double($0.row.id)) > ($1.total, -Double($1.row.id)) }
  }

  private mutating func answer(
    _ candidates: [Candidate], _ words: QueryWords, _ query: ForwardQuery
  ) throws(DatabaseError) -> [Place] {
    var places: [Place] = []
    guard let best = candidates.first else { return [] }
    for candidate in candidates where places.count < query.limit {
      // A worse match than the best is no alternative.
      guard candidate.total > best.total - 1.2 else { break }
      let place = try place(of: candidate, words, query)
      let plane = LocalPlane(around: LocalPoint(place.coordinate))
      let isKnown = places.contains { other in
        other.name == place.name && other.locality == place.locality
          && (other.kind == place.kind || other.kind == .town && place.kind == .area)
          && (place.kind != .pointOfInterest || plane.distance(plane.origin, LocalPoint(other.coordinate)) < 100)
      }
      if !isKnown { places.append(place) }
    }
    return places
  }

  private mutating func place(
    of candidate: Candidate, _ words: QueryWords, _ query: ForwardQuery
  ) throws(DatabaseError) -> Place {
    let row = candidate.row
    let name = row.name(in: query.languages)
    var place = Place(
      coordinate: (candidate.number?.point ?? row.point).coordinate,
      radius: Meters(candidate.number == nil ? Double(row.radius) : 0), kind: .area)
    place.name = name
    place.postalCode = row.postcode
    place.sources = [provenance]
    place.distance = candidate.distance.map { Meters($0) }
    switch row.kind {
    case .street:
      place.kind = candidate.number == nil ? .street : .address
      place.thoroughfare = name
      if let number = candidate.number {
        place.subThoroughfare = number.number
        place.name = AddressOrder.line(street: name, number: number.number, country: country)
      }
    case .pointOfInterest: place.kind = .pointOfInterest
    case .quarter:
      place.kind = .quarter
      place.subLocality = name
    case .town: place.kind = .town
    case .region:
      place.kind = .area
      place.administrativeArea = name
    case .country: place.kind = .area
    case .postalArea: place.postalCode = row.name
    case .water:
      place.kind = .inlandWater
      place.inlandWater = name
    case .ground:
      place.kind = .pointOfInterest
      place.areasOfInterest = [name]
    }
    try addTown(row.kind == .town ? row.id : row.parent, to: &place, query.languages)
    let unexplained = words.words.indices.filter { !candidate.score.explained.contains($0) }
    place.match = unexplained.isEmpty ? .complete : .partial
    place.unexplained = unexplained.map { words.words[$0].folded }
    return place
  }
}
