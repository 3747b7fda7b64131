/// Finds the word that a mistyped one probably meant.
package enum Suggestion {
  /// The nearest of `words`: the one that needs the fewest edits. The limit is one edit for every three bytes of
  /// `word`, but at least one and at most three. `nil`: no word is within the limit, or two are equally near.
  package static func nearest(to word: String, in words: [String]) -> String? {
    let limit = min(3, max(1, word.utf8.count / 3))
    let near = words.map { (word: $0, edits: edits(from: Array(word.utf8), to: Array($0.utf8))) }
      .filter { $0.edits <= limit }
    guard let best = near.min(by: { $0.edits < $1.edits }) else { return nil }
    return near.count(where: { $0.edits == best.edits }) == 1 ? best.word : nil
  }

  /// The number of insertions, deletions, replacements and exchanges of neighbors that turn `a` into `b`: the optimal
  /// string alignment distance (Damerau, CACM 7(3), 1964). A word of more than 64 bytes is infinitely far from every
  /// other.
  private static func edits(from a: [UInt8], to b: [UInt8]) -> Int {
    guard a.count <= 64, b.count <= 64 else { return .max }
    var (before, last) = ([Int](), Array(0...b.count))
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var least = min(row[j] + 1, last[j + 1] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { least = min(least, before[j - 1] + 1) }
        row.append(least)
      }
      (before, last) = (last, row)
    }
    return last[b.count]
  }
}
