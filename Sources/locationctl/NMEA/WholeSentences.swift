/// Writes sentences to a buffer that may be full: a sentence of which it has no room for the beginning is dropped, and one that it takes only
/// in part is completed before the next, so that every line that the reader gets is whole.
package struct WholeSentences {
  /// The part of the last sentence that the buffer has not taken yet.
  private var rest: ArraySlice<UInt8> = []

  package init() {}

  /// Writes `sentence` with `take`, which is given bytes and returns how many of them, from the first, it has taken.
  package mutating func write(_ sentence: [UInt8], _ take: (ArraySlice<UInt8>) -> Int) {
    if !rest.isEmpty { rest = rest.dropFirst(take(rest)) }
    guard rest.isEmpty else { return }
    let count = take(sentence[...])
    rest = count > 0 ? sentence[count...] : []
  }

  /// Forgets an incomplete sentence, because its reader has gone.
  package mutating func forget() { rest = [] }
}
