import Geodesy

/// Whether what was had from outside still holds.
enum FetchedAge {
  /// One of the future is of a clock that was wrong.
  private static let ahead: Duration = .seconds(86_400)

  /// - Parameters:
  ///   - time: when it was had; `nil`: the clock was not set.
  ///   - wall: now; `nil`: nobody knows. Then it holds.
  static func holds(_ time: GNSSTime?, for life: Duration, on wall: GNSSTime?) -> Bool {
    guard let wall, let time else { return true }
    return (.zero - ahead...life).contains(wall - time)
  }
}
