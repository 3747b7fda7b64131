import Geodesy
import Regions

/// A feature of a file while it is read: its name and its shapes.
struct RegionFeature: Sendable {
  enum Shape: Sendable {
    case point(Coordinate)
    case polygon([Coordinate])
    case leftOut(SkippedRegion.Reason)
  }

  /// The properties that may contain a name, the best first.
  enum NameSource: Int, Comparable {
    case name, title, identifier, id, feature, none

    static func < (a: NameSource, b: NameSource) -> Bool { a.rawValue < b.rawValue }

    init?(property: String) {
      switch property {
      case "name": self = .name
      case "title": self = .title
      case "identifier": self = .identifier
      case "id": self = .id
      default: return nil
      }
    }
  }

  private enum Radius {
    case none
    case known(Meters)
    case unreadable
  }

  /// The greatest total number of corners in one feature, because its shapes are all kept until it ends.
  static let mostCorners = 65_536

  let number: Int
  let line: Int
  private var name = ""
  private var nameSource = NameSource.none
  private var radius = Radius.none
  private var shapes: [Shape] = []
  private var corners = 0
  private var isFull = false

  init(number: Int, line: Int) {
    self.number = number
    self.line = line
  }

  mutating func offer(name: String, from source: NameSource) {
    guard source < nameSource, !name.isEmpty else { return }
    self.name = name
    nameSource = source
  }

  /// Handles a property. Its name is not case-sensitive, because programs derive names from the columns of tables.
  ///
  /// - Parameter number: the value of the property if it is a number or a text that contains one.
  mutating func offer(property: String, text: String, number: Double?) {
    // The longest property name that is known is "identifier".
    guard property.utf8.count <= 10 else { return }
    let property = property.lowercased()
    if let source = NameSource(property: property) {
      offer(name: text, from: source)
    } else if property == "radius", !text.isEmpty {
      radius = number.map { .known(Meters($0)) } ?? .unreadable
    }
  }

  mutating func add(_ shape: Shape) {
    let more =
      switch shape {
      case .point, .leftOut: 1
      case .polygon(let corners): corners.count
      }
    guard !isFull else { return }
    guard corners + more <= Self.mostCorners else {
      // One entry represents this shape and all that follow.
      isFull = true
      return shapes.append(.leftOut(.tooManyCorners(most: Self.mostCorners)))
    }
    corners += more
    shapes.append(shape)
  }

  /// Ends the feature and returns its regions.
  func regions(defaultRadius: Meters?, remarks: inout RegionFileSummary) -> [FoundRegion] {
    let name = nameSource == .none ? "feature \(number)" : self.name
    func leaveOut(_ reason: SkippedRegion.Reason) {
      remarks.leaveOut(SkippedRegion(feature: number, line: line, name: name, reason: reason))
    }
    if shapes.isEmpty { leaveOut(.noShape) }
    var found: [FoundRegion] = []
    for shape in shapes {
      switch (shape, radius) {
      case (.polygon(let corners), _):
        found.append(FoundRegion(name: name, border: .polygon(corners), feature: number, line: line))
      case (.point(let center), .known(let radius)):
        found.append(
          FoundRegion(name: name, border: .circle(center: center, radius: radius), feature: number, line: line))
      case (.point(let center), .none):
        guard let defaultRadius else {
          leaveOut(.noRadius)
          continue
        }
        found.append(
          FoundRegion(name: name, border: .circle(center: center, radius: defaultRadius), feature: number, line: line))
      case (.point, .unreadable): leaveOut(.unreadable)
      case (.leftOut(let reason), _): leaveOut(reason)
      }
    }
    return found
  }
}

/// Gives each region of a file a unique name: duplicates get " 2", " 3" and so on appended.
///
/// It stores 64 bits of each name, not the name: in a file of a million names, two different ones collide once in 40 million files,
/// and then the later one has a number appended.
struct RegionNames: Sendable {
  /// The highest number that a name has received, by the name's hash; 1 for a name without a number.
  private var uses: [Int: UInt32] = [:]

  mutating func unique(_ name: String) -> String {
    let hash = name.hashValue
    guard var count = uses[hash] else {
      uses[hash] = 1
      return name
    }
    var numbered: String
    repeat {
      count += 1
      numbered = "\(name) \(count)"
    } while uses[numbered.hashValue] != nil
    uses[hash] = count
    uses[numbered.hashValue] = 1
    return numbered
  }
}

/// What was read from a file besides the regions.
package struct RegionFileSummary: Hashable, Sendable {
  /// Features or placemarks, including those that were omitted.
  package var features = 0
  /// Holes in polygons, which the regions do not have.
  package var holes = 0
  /// Regions with a duplicate name, to which a number was appended.
  package var renamed = 0
  package private(set) var otherShapes = 0
  package private(set) var withoutShape = 0
  package private(set) var withoutRadius = 0
  package private(set) var tooManyCorners = 0
  package private(set) var unreadable = 0
  package private(set) var refused = 0
  /// The first feature that was omitted, for whatever reason.
  package private(set) var firstLeftOut: SkippedRegion?

  package init() {}

  /// The number of features, or parts of one, that were omitted.
  package var leftOut: Int {
    otherShapes + withoutShape + withoutRadius + tooManyCorners + unreadable + refused
  }

  package mutating func leaveOut(_ region: SkippedRegion) {
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

  /// The sum of two summaries of the same file.
  package func joined(with others: RegionFileSummary) -> RegionFileSummary {
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
