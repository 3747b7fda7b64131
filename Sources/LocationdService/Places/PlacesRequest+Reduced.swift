import Geodesy
package import LocationIPC
import LocationPolicy
import PlacesCore

extension PlacesRequest {
  /// A grid of its own: by the grid of positions, which is secret, a client could find the borders of the cells.
  private static let grid = CoarseGrid(key: (low: 0, high: 0))

  /// The query of a client with reduced accuracy: positions are points of a grid of about 5 km, so that no server gets the exact ones.
  package var reduced: PlacesRequest {
    switch self {
    case .at(var query):
      let cell = Self.grid.cell(at: query.coordinate)
      let reach = Self.grid.reach(of: cell)
      (query.coordinate, query.accuracy) = (Self.grid.point(of: cell), max(query.accuracy ?? reach, reach))
      return .at(query)
    case .find(var query):
      guard let hint = query.hint else { return self }
      let cell = Self.grid.cell(at: hint.center)
      let reach = Self.grid.reach(of: cell)
      query.hint = ForwardQuery.Hint(center: Self.grid.point(of: cell), radius: max(hint.radius ?? reach, reach))
      return .find(query)
    }
  }
}
