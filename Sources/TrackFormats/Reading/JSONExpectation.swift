/// What had to come next in a JSON text (RFC 8259), where something else came.
package enum JSONExpectation: Hashable, Sendable {
  case value, key, colon, commaOrEnd, number, escape
  /// No control character.
  case textCharacter
  /// A number of no more characters than so.
  case shorterNumber(most: Int)
  /// An object: others than that hold nothing that is looked for.
  case object
}
