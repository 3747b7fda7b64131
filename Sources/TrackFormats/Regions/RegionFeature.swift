import Geodesy
import Regions

/// A feature of a file while it is read: what it is called and what shapes it has.
struct RegionFeature: Sendable {
  enum Shape: Sendable {
    case point(Coordinate)
    case polygon([Coordinate])
    case leftOut(LeftOutRegion.Reason)
  }

  /// Where a name may stand, the best first.
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

  /// Corners in all; the shapes of one feature are kept until its end.
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

  /// A property whose name may be in letters of any size, as programs make them from the columns of tables.
  ///
  /// - Parameter number: where it is one, or a text that is one.
  mutating func offer(property: String, text: String, number: Double?) {
    // The longest name that is known.
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
      // One remark stands for all that follow.
      isFull = true
      return shapes.append(.leftOut(.tooManyCorners(most: Self.mostCorners)))
    }
    corners += more
    shapes.append(shape)
  }

  /// Ends the feature: what regions it has.
  func regions(defaultRadius: Meters?, remarks: inout RegionRemarks) -> [FoundRegion] {
    let name = nameSource == .none ? "feature \(number)" : self.name
    func leaveOut(_ reason: LeftOutRegion.Reason) {
      remarks.leaveOut(LeftOutRegion(feature: number, line: line, name: name, reason: reason))
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
