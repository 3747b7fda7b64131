import Dispatch
import Foundation

/// A program's completion handler on its way to the main thread. Unchecked, as Apple does not ask that handlers can be sent: it
/// is only handed over, and called once, there.
struct PendingGeocode: @unchecked Sendable {
  private let handler: CLGeocodeCompletionHandler

  init(_ handler: @escaping CLGeocodeCompletionHandler) { self.handler = handler }

  /// Calls it on the main thread, later.
  func answer(_ answer: Result<[CLPlacemark], CLError>) {
    DispatchQueue.main.async {
      switch answer {
      case .success(let placemarks): handler(placemarks, nil)
      case .failure(let error): handler(nil, error)
      }
    }
  }
}
