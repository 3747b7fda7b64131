/// What a file has besides the regions that were read from it.
package struct RegionRemarks: Hashable, Sendable {
  /// Features or placemarks, among them those that were left out.
  package var features = 0
  /// Holes in polygons: the regions are without them.
  package var holes = 0
  /// Regions whose name another one has, which have got a number behind it.
  package var renamed = 0
  package private(set) var otherShapes = 0
  package private(set) var withoutShape = 0
  package private(set) var withoutRadius = 0
  package private(set) var tooManyCorners = 0
  package private(set) var unreadable = 0
  package private(set) var refused = 0
  /// The first that was left out, for whatever reason.
  package private(set) var firstLeftOut: LeftOutRegion?

  package init() {}

  /// How many regions there might have been more.
  package var leftOut: Int {
    otherShapes + withoutShape + withoutRadius + tooManyCorners + unreadable + refused
  }

  package mutating func leaveOut(_ region: LeftOutRegion) {
    if firstLeftOut == nil { firstLeftOut = region }
    switch region.reason {
    case .otherShape: otherShapes += 1
    case .noShape: withoutShape += 1
    case .noRadius: withoutRadius += 1
    case .tooManyCorners: tooManyCorners += 1
    case .unreadable: unreadable += 1
    case .refused: refused += 1
    }
  }

  /// These and others, of the same file.
  package func joined(with others: RegionRemarks) -> RegionRemarks {
    var all = self
    all.features += others.features
    all.holes += others.holes
    all.renamed += others.renamed
    all.otherShapes += others.otherShapes
    all.withoutShape += others.withoutShape
    all.withoutRadius += others.withoutRadius
    all.tooManyCorners += others.tooManyCorners
    all.unreadable += others.unreadable
    all.refused += others.refused
    if let own = firstLeftOut, let other = others.firstLeftOut {
      all.firstLeftOut = own.feature <= other.feature ? own : other
    } else {
      all.firstLeftOut = firstLeftOut ?? others.firstLeftOut
    }
    return all
  }
}
