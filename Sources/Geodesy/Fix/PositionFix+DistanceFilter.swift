/// What a distance filter lets through (spec/behaviour-details.md §2.2): the one place that says so, for whoever filters.
extension PositionFix {
  /// A radius below this share of the delivered one is an improvement that the distance filter lets through.
  package static let improvementShare = 0.9

  /// Whether it is worth telling to who was told `told` before and wants to hear of `distance`: far enough, or better.
  package func isNews(after told: PositionFix, beyond distance: Meters) -> Bool {
    if horizontalRadius68 < told.horizontalRadius68 * Self.improvementShare { return true }
    return Geodesic.inverse(from: told.coordinate, to: coordinate).distance >= distance
  }
}
