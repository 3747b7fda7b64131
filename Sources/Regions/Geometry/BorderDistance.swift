/// Where a place lies with regard to a border, as far as quick arithmetic tells: metres.
struct BorderDistance: Hashable, Sendable {
  /// `nil`: too near to tell which side.
  var isInside: Bool?
  /// The way to the border is no shorter; ≥ 0.
  var atLeast: Double
}
