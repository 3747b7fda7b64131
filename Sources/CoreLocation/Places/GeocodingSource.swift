import Dispatch
import Foundation
import Synchronization

/// A source of places and addresses.
protocol GeocodingSource: Sendable {
  /// The placemarks that match a query, at least one, the most likely first. The result of a canceled task is not used.
  func placemarks(for query: GeocodingQuery) async throws(CLError) -> [CLPlacemark]
}

/// A source that always fails, as on a device without a network.
struct UnavailableGeocoding: GeocodingSource {
  func placemarks(for query: GeocodingQuery) async throws(CLError) -> [CLPlacemark] { throw CLError(.network) }
}

/// A request of a geocoder.
enum GeocodingQuery: Sendable {
  /// The placemarks of a location.
  case place(CLLocation, locale: Locale?)
  /// The placemarks of an address; those in the area `near` come first.
  case address(String, near: GeocodingArea?, locale: Locale?)
  /// The placemarks of an address whose parts are known.
  case postalAddress(PostalAddressParts, locale: Locale?)

  /// The language of the answer; `nil`: the user's.
  var locale: Locale? {
    switch self {
    case .place(_, let locale), .address(_, _, let locale), .postalAddress(_, let locale): locale
    }
  }
}

/// The area that is searched for an address first.
struct GeocodingArea: Sendable {
  var center: CLLocation
  /// Meters.
  var radius: CLLocationDistance
}

/// The requests of a geocoder, one at a time. Answers are delivered on the main thread, even after the geocoder was
/// released, so that a program need not keep it.
final class GeocodeRequests: Sendable {
  private enum State {
    case idle
    case busy(number: Int, PendingGeocode, Task<Void, Never>)
  }

  private let source: any GeocodingSource
  private let state = Mutex((latest: 0, State.idle))

  init(source: any GeocodingSource) { self.source = source }

  /// Whether a request is in progress.
  var isBusy: Bool {
    if case .busy = state.withLock({ $0.1 }) { true } else { false }
  }

  /// Starts a request; it fails as canceled if another one is in progress, which continues.
  func begin(_ query: GeocodingQuery, _ pending: PendingGeocode) {
    let accepted = state.withLock { state in
      guard case .idle = state.1 else { return false }
      state.latest += 1
      let number = state.latest
      let task = Task {
        let answer: Result<[CLPlacemark], CLError>
        do throws(CLError) { answer = .success(try await source.placemarks(for: query)) } catch {
          answer = .failure(error)
        }
        self.finish(number, answer)
      }
      state.1 = .busy(number: number, pending, task)
      return true
    }
    if !accepted { pending.answer(.failure(CLError(.geocodeCanceled))) }
  }

  /// Cancels the request in progress, if there is one: it fails as canceled.
  func cancel() {
    guard case .busy(_, let pending, let task) = take(where: { _ in true }) else { return }
    task.cancel()
    pending.answer(.failure(CLError(.geocodeCanceled)))
  }

  private func finish(_ number: Int, _ answer: Result<[CLPlacemark], CLError>) {
    guard case .busy(_, let pending, _) = take(where: { $0 == number }) else { return }
    pending.answer(answer)
  }

  /// Removes the request in progress, so that it is answered only once.
  private func take(where isMeant: (Int) -> Bool) -> State {
    state.withLock { state in
      guard case .busy(let number, _, _) = state.1, isMeant(number) else { return .idle }
      defer { state.1 = .idle }
      return state.1
    }
  }
}

/// A program's completion handler on its way to the main thread. Unchecked, because Apple does not require handlers to
/// be sendable: the handler is only passed to the main thread and called once there.
struct PendingGeocode: @unchecked Sendable {
  private let handler: CLGeocodeCompletionHandler

  init(_ handler: @escaping CLGeocodeCompletionHandler) { self.handler = handler }

  /// Calls the handler later, on the main thread.
  func answer(_ answer: Result<[CLPlacemark], CLError>) {
    DispatchQueue.main.async {
      switch answer {
      case .success(let placemarks): handler(placemarks, nil)
      case .failure(let error): handler(nil, error)
      }
    }
  }
}
