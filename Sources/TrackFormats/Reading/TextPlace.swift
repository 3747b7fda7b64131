/// Where in a text something is wrong.
package struct TextPlace: Hashable, Sendable {
  /// From 1.
  package let line: Int
  /// From 0, at the text's beginning.
  package let byte: Int

  package init(line: Int, byte: Int) {
    self.line = line
    self.byte = byte
  }
}
