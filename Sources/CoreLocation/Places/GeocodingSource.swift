import Dispatch
import Foundation
import Synchronization

/// Who knows places and addresses.
package protocol GeocodingSource: Sendable {
  /// The places that a query means, the most likely first and at least one; a cancelled task's answer is not used.
  func placemarks(for query: GeocodingQuery) async throws(CLError) -> [CLPlacemark]
}

/// Nobody does: as on a device without a network.
struct UnservedGeocoding: GeocodingSource {
  func placemarks(for query: GeocodingQuery) async throws(CLError) -> [CLPlacemark] { throw CLError(.network) }
}

/// What a geocoder is asked.
package enum GeocodingQuery: Sendable {
  /// What is at a place.
  case place(CLLocation, locale: Locale?)
  /// Where an address is; places near a circle come first.
  case address(String, near: GeocodingArea?, locale: Locale?)
}

/// Where an address is looked for first.
package struct GeocodingArea: Sendable {
  /// The middle.
  package var center: CLLocation
  /// Metres.
  package var radius: CLLocationDistance
}

/// A geocoder's one request at a time. Answers come on the main thread, also after the geocoder itself is gone: a program need
/// not keep it.
final class GeocodeRequests: Sendable {
  private enum State {
    case idle
    case busy(number: Int, PendingGeocode, Task<Void, Never>)
  }

  private let source: any GeocodingSource
  private let state = Mutex((latest: 0, State.idle))

  init(source: any GeocodingSource) { self.source = source }

  /// Whether a request is under way.
  var isBusy: Bool {
    if case .busy = state.withLock({ $0.1 }) { true } else { false }
  }

  /// Begins a request; while another is under way it fails as cancelled, and the other goes on.
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

  /// Ends the request that is under way, if there is one: it fails as cancelled.
  func cancel() {
    guard case .busy(_, let pending, let task) = take(where: { _ in true }) else { return }
    task.cancel()
    pending.answer(.failure(CLError(.geocodeCanceled)))
  }

  private func finish(_ number: Int, _ answer: Result<[CLPlacemark], CLError>) {
    guard case .busy(_, let pending, _) = take(where: { $0 == number }) else { return }
    pending.answer(answer)
  }

  /// Takes the request that is under way, so that nobody else can answer it.
  private func take(where isMeant: (Int) -> Bool) -> State {
    state.withLock { state in
      guard case .busy(let number, _, _) = state.1, isMeant(number) else { return .idle }
      defer { state.1 = .idle }
      return state.1
    }
  }
}

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
