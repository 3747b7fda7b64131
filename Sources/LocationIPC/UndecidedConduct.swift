/// What a request for locations does where nobody has decided yet whether its client may have any.
package enum UndecidedConduct: Hashable, Sendable, CaseIterable {
  /// It fails.
  case fails
  /// It asks for while-in-use, waits where somebody can answer, and fails where nobody can.
  case asks
  /// It waits without a word, and asks nobody.
  case waits
}
