/// A piece of a JSON text (RFC 8259), as it comes.
enum JSONToken: Hashable {
  case objectStart
  case objectEnd
  case listStart
  case listEnd
  /// A member's name; its value is next.
  case key(String)
  case text(String)
  /// Infinite where no `Double` is as great; `JSONTokenizer.numberText` has it as it is written.
  case number(Double)
  case flag(Bool)
  case null
}
