import Geodesy
package import LocationPolicy
package import Regions

/// The steps that a monitoring program stores, so that everything stored follows from the number of steps.
package enum MonitoredSteps {
  package static let list = MonitoringList(ClientIdentity(userID: 1000, realm: .own), name: "steps")
  /// The number of events that are left unacknowledged.
  package static let pending = 5

  package enum Change {
    case add(Region, RegionState)
    case remove(String)
    case state(String, RegionState)
    case removeAll
  }

  /// The changes of the regions in a step: each of 200 identifiers is added, moved and removed in turn.
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

  /// A region and the state of the device.
  package struct Entry: Hashable {
    package var region: Region
    package var state: RegionState

    package init(_ region: Region, _ state: RegionState) {
      self.region = region
      self.state = state
    }
  }

  /// Changes the regions to those after a step.
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

  /// The content of a step's event.
  package static func body(_ step: Int) -> [UInt8] { Array("step \(step)".utf8) }
}
