import Geodesy
package import LocationPolicy
package import Regions

/// What a program that monitors keeps step by step, so that all that was kept follows from how many steps there were.
package enum MonitoredSteps {
  package static let list = MonitoringList(ClientIdentity(userID: 1000, realm: .own), name: "steps")
  /// So many events are left that were not told.
  package static let pending = 5

  package enum Change {
    case add(Region, RegionState)
    case remove(String)
    case state(String, RegionState)
    case removeAll
  }

  /// What the regions come to with a step: of 200 identifiers, each one added, moved and removed in turn.
  package static func changes(_ step: Int) throws -> [Change] {
    let identifier = "region \(step * 7 % 200)"
    let state = RegionState.allCases[step % 3]
    if step % 1000 == 999 { return [.removeAll] }
    return switch step % 5 {
    case 0, 1, 2:
      [
        .add(try region(identifier, Double(step % 17)), state), .state("region \(step % 200)", .inside),
        .remove("region \(step % 13)"),
      ]
    case 3: [.state(identifier, state)]
    default: [.remove(identifier), .state(identifier, .outside)]
    }
  }

  package static func region(_ identifier: String, _ place: Double) throws -> Region {
    let center = Coordinate(latitude: Angle(degrees: place), longitude: Angle(degrees: -place))
    return try Region(
      identifier: identifier, shape: .circle(CircleShape(center: center, radius: Meters(100 + place))),
      notifiesOnExit: place < 8)
  }

  /// A region and where the device is.
  package struct Entry: Hashable {
    package var region: Region
    package var state: RegionState

    package init(_ region: Region, _ state: RegionState) {
      self.region = region
      self.state = state
    }
  }

  /// All regions once a step is over.
  package static func execute(_ step: Int, on regions: inout [String: Entry]) throws {
    for change in try changes(step) {
      switch change {
      case .add(let region, let state): regions[region.identifier] = Entry(region, state)
      case .remove(let identifier): regions[identifier] = nil
      case .state(let identifier, let state): regions[identifier]?.state = state
      case .removeAll: regions = [:]
      }
    }
  }

  /// What is to be told of a step.
  package static func body(_ step: Int) -> [UInt8] { Array("step \(step)".utf8) }
}
