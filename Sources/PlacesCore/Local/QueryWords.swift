/// The words of a query for an address, and which of them may be what.
package struct QueryWords: Sendable {
  package struct Word: Sendable {
    /// As folded: "109th", "strasse".
    package var folded: String
    /// As searched (`SearchWords`).
    package var word: String
    /// It may be a house number or its beginning.
    package var isNumber: Bool
    /// It is part of a number that was given separately, and of nothing else.
    package var isOnlyNumber: Bool
  }

  package private(set) var words: [Word] = []

  package init(_ subject: ForwardQuery.Subject) {
    switch subject {
    case .text(let text): add(text)
    case .parts(let parts):
      var line = parts
      line.subThoroughfare = nil
      add(line.line)
      if let number = parts.subThoroughfare {
        for word in TextFolding.words(number) where words.count < SearchWords.most {
          words.append(Word(folded: word, word: word, isNumber: true, isOnlyNumber: true))
        }
      }
    }
  }

  private mutating func add(_ text: String) {
    guard text.utf8.count <= ForwardQuery.longestText else { return }
    for folded in TextFolding.words(SearchWords.joiningPossessives(text)) {
      for word in SearchWords.of(folded) where words.count < SearchWords.most {
        words.append(
          Word(folded: folded, word: word, isNumber: HouseNumber.isPossible(folded), isOnlyNumber: false))
      }
    }
  }

  /// The possible house numbers: each with the words that it consists of, the longest first.
  package var numbers: [(text: String, range: Range<Int>)] {
    var numbers: [(text: String, range: Range<Int>)] = []
    for start in words.indices where words[start].isNumber {
      for count in (1...HouseNumber.mostWords).reversed() where start + count <= words.count {
        let parts = words[start..<(start + count)].map(\.folded)
        // "10 a" and "12 bis" are numbers, "10 vaduz" is none.
        let isNumber = parts.dropFirst().allSatisfy { $0.utf8.count <= 3 || HouseNumber.isPossible($0) }
        if isNumber { numbers.append((HouseNumber.joined(parts[...]), start..<(start + count))) }
      }
    }
    return numbers
  }
}

/// How well a name with its town explains a query.
package struct MatchScore: Hashable, Sendable {
  /// The words of the query that the name or its town explains.
  package var explained: Set<Int> = []
  /// Higher is better.
  package var value = 0.0
  /// Whether at least one word is in the name itself.
  package var touchesName = false

  /// - Parameters:
  ///   - query: the words, each with its spellings: more than one after a correction.
  ///   - name: the words of one name.
  ///   - context: the words of the town and the postal code.
  package init(query: [[String]], name: [String], context: Set<String>) {
    var left = name
    for (index, spellings) in query.enumerated() {
      if let at = left.firstIndex(where: { spellings.contains($0) }) {
        left.remove(at: at)
        explained.insert(index)
        touchesName = true
        value += 1
      } else if spellings.contains(where: context.contains) {
        explained.insert(index)
        value += 0.9
      }
    }
    // "Vaduz" is the town rather than "Vaduz Post".
    value -= 0.25 * Double(left.count)
  }
}
