import ArgumentParser
import Geodesy
import LocationIPC
import LocationPolicy
import Regions

/// `--hide`: regions that a track must not show.
struct HideOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Leave out everything inside this region: the name of one of your regions, or LAT,LON,RADIUS in meters.",
      discussion: "May be repeated. The track ends at the border of the region, and begins again there.",
      valueName: "region"))
  var hide: [String] = []

  func validate() throws { try Self.check(hide) }

  /// The zones; an argument that is not a circle counts as the name of a region.
  func zones() throws(CommandStatus) -> PrivacyZones { PrivacyZones(try Self.regions(hide).map(\.shape)) }

  /// Rejects circles that are not valid.
  static func check(_ arguments: [String]) throws {
    for text in arguments where looksLikeCircle(text) { _ = try circle(text) }
  }

  /// The regions that arguments name or describe; an argument that is not a circle counts as the name of a region.
  static func regions(_ arguments: [String]) throws(CommandStatus) -> [(name: String, shape: RegionShape)] {
    var shapes: [(name: String, shape: RegionShape)] = []
    var names: [String] = []
    for text in arguments {
      if looksLikeCircle(text), let circle = try? circle(text) {
        shapes.append((text, circle))
      } else {
        names.append(text)
      }
    }
    guard !names.isEmpty else { return shapes }
    let regions = try UserRegions.read()
    for name in names {
      let found = regions.filter { $0.identifier == name }
      guard !found.isEmpty else {
        let known = regions.map { TerminalText.sanitized($0.identifier) }.sorted()
        let list =
          known.isEmpty ? "you have no regions" : "your regions are \(known.prefix(20).joined(separator: ", "))"
        throw Diagnostics.report(
          FailureMessage(
            "You have no region '\(TerminalText.sanitized(name))' to hide (\(list)): use one of them, or LAT,LON,RADIUS.",
            .usage))
      }
      shapes += found.map { (name, $0.shape) }
    }
    return shapes
  }

  private static func looksLikeCircle(_ text: String) -> Bool {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    return parts.count == 3 && parts.allSatisfy { Double(String($0.drop { $0 == " " })) != nil }
  }

  private static func circle(_ text: String) throws -> RegionShape {
    let numbers = text.split(separator: ",").compactMap { Double(String($0.drop { $0 == " " })) }
    guard numbers.count == 3, let center = Coordinate(checkingLatitude: numbers[0], longitude: numbers[1]),
      let circle = try? CircleShape(center: center, radius: Meters(numbers[2]))
    else {
      throw ValidationError(
        "--hide \(TerminalText.sanitized(text)) is not a circle: use LAT,LON,RADIUS, with the radius in meters.")
    }
    return .circle(circle)
  }
}

/// The regions that are monitored for this user.
enum UserRegions {
  /// All regions; throws the exit status if they cannot be read.
  static func read() throws(CommandStatus) -> [Region] {
    let reading = Reading()
    let status = MonitoringSession.open { $0.perform(reading.first, endsWithOutput: false) }
    guard status == .done else { throw status }
    return reading.regions
  }

  private final class Reading {
    private(set) var regions: [Region] = []

    var first: RequestStep {
      .send(.monitoringLists) { lists in self.read(lists.filter { $0.regions > 0 }.map(\.name)[...]) }
    }

    private func read(_ lists: ArraySlice<String>, from index: UInt32 = 0) -> RequestStep {
      guard let name = lists.first else { return .end(.done) }
      return .send(.regions(of: name, from: index)) { page in
        self.regions += page.regions.map(\.region)
        guard let next = page.next else { return self.read(lists.dropFirst()) }
        return self.read(lists, from: next)
      }
    }
  }
}
