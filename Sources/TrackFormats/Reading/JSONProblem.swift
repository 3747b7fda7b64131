/// Why bytes are no JSON text that can be read.
struct JSONProblem: Error, Hashable {
  enum Reason: Hashable {
    case expected(JSONExpectation)
    /// Lists and objects stand deeper in each other than so.
    case tooDeep(most: Int)
    /// The text ends in its midst.
    case cutOff
  }

  let reason: Reason
  let place: TextPlace
}
