/// What a distance filter lets through (Documentation/Behavior.md, "Streams"): the one place that says so, for whoever filters.
extension PositionFix {
  /// A radius below this share of the delivered one is an improvement that the distance filter lets through.
  package static let improvementShare = 0.9

  /// Whether it is worth telling to who was told `told` before and wants to hear of `distance`: far enough, or better.
  package func isNews(after told: PositionFix, beyond distance: Meters) -> Bool {
    isNews(after: told.coordinate, told.horizontalRadius68, beyond: distance)
  }

  /// The same, where of the delivered fix no more is kept than its place and radius.
  package func isNews(after place: Coordinate, _ radius68: Meters, beyond distance: Meters) -> Bool {
    if horizontalRadius68 < radius68 * Self.improvementShare { return true }
    return Geodesic.inverse(from: place, to: coordinate).distance >= distance
  }
}
