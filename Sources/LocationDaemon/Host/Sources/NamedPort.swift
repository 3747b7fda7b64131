import LinuxIO

/// The one port that the user has named; gpsd's where gpsd lists it, since opening it would be the end of gpsd's.
final class NamedPort {
  private let sighting: DeviceSighting
  private let neighbour: GPSDNeighbour
  private unowned let runner: ServiceRunner
  private var hasBegun = false

  init(_ sighting: DeviceSighting, neighbour: GPSDNeighbour, runner: ServiceRunner) {
    self.sighting = sighting
    self.neighbour = neighbour
    self.runner = runner
  }

  func begin() {
    neighbour.onChange = { [unowned self] in tell() }
    neighbour.ask()
  }

  private func tell() {
    runner.feed(.deviceAppeared(neighbour.route(to: sighting.path).map(sighting.owned) ?? sighting))
    guard !hasBegun else { return }
    hasBegun = true
    runner.feed(.inventoryComplete)
  }
}
