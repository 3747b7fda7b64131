/// A number with its noun, in sentences for people.
package enum CountedNoun {
  /// `1 fix` or `2 fixes`.
  ///
  /// - Parameters:
  ///   - one: the noun for one, `fix`.
  ///   - several: the noun for every other number; `nil`: `one` with an `s`.
  package static func text(_ count: some BinaryInteger, _ one: String, _ several: String? = nil) -> String {
    count == 1 ? "1 \(one)" : "\(count) \(several ?? one + "s")"
  }
}
