import CCoreLocation
import Foundation
import Geodesy
import LocationIPC
import LocationPolicy

// Standard updates and one location.
extension CLLocationManager {
  /// The manager's settings as options of the service.
  var updateOptions: UpdateOptions {
    // `desiredAccuracy` selects sources and filters nothing: a client receives every location.
    UpdateOptions(
      desiredRadius68: nil,
      distanceFilter: distanceFilter > 0 ? Meters(distanceFilter) : nil,
      activity: Activity(activityType), waitsForSource: true, whenNotDetermined: .waits,
      allowsBackground: allowsBackgroundLocationUpdates,
      pausesAutomatically: pausesLocationUpdatesAutomatically,
      sufficientRadius68: desiredAccuracy > 0 && desiredAccuracy.isFinite ? Meters(desiredAccuracy) : nil)
  }

  var oneShotOptions: OneShotOptions {
    OneShotOptions(
      desiredRadius68: desiredAccuracy > 0 && desiredAccuracy.isFinite ? Meters(desiredAccuracy) : nil,
      // Documentation/Behavior.md, "One fix": 10 s after the first fix, or 60 s without one. In that time, a receiver may be
      // connected, or enumerated after boot.
      timeout: .seconds(60), waitsForSource: true, whenNotDetermined: .waits)
  }

  /// Delivers the pending outcomes, in order.
  func deliver() {
    // Called first, so that a callback queued from here on wakes the manager again and is not left in the queue.
    guard let count = engine.beginDelivery() else { return }
    // The authorization comes before everything else, including completion handlers.
    if let delegate, engine.introduce() { delegate.locationManagerDidChangeAuthorization(self) }
    for announcement in announcements.takeAll() { announcement() }
    for _ in 0..<count {
      // Each of these calls may discard an outcome, or remove or set the delegate.
      guard let outcome = engine.nextOutcome() else { return }
      if case .fullAccuracy(let number, let answer) = outcome {
        completions.take(number)?(CLError(answer))
        continue
      }
      guard let delegate else {
        if case .monitored(let notice) = outcome { keep(notice) }
        if hasRequested, outcome.isOfALocation { UsageWarning.noDelegate.emit() }
        continue
      }
      switch outcome {
      case .locations(let locations), .deferredLocations(let locations):
        delegate.locationManager(self, didUpdateLocations: locations)
        lastReported = locations.last
      case .deferralFinished(let code):
        delegate.locationManager(self, didFinishDeferredUpdatesWithError: code.map { CLError($0) })
      case .failure(let code): delegate.locationManager(self, didFailWithError: CLError(code))
      case .authorization: delegate.locationManagerDidChangeAuthorization(self)
      case .paused: delegate.locationManagerDidPauseLocationUpdates(self)
      case .resumed: delegate.locationManagerDidResumeLocationUpdates(self)
      case .monitored(let notice): deliver(notice, delegate)
      case .fullAccuracy: break
      }
    }
  }
}

extension ManagerEngine.Outcome {
  fileprivate var isOfALocation: Bool {
    switch self {
    case .locations, .deferredLocations, .failure: true
    case .deferralFinished, .authorization, .paused, .resumed, .fullAccuracy, .monitored: false
    }
  }
}

extension DeferralLimits {
  /// From this distance, meters, and time, seconds, there is no limit: a thousand million meters, or a century.
  private static let (endless, eternal) = (1e9, 3_155_760_000.0)

  /// The limits of `allowDeferredLocationUpdates`; `nil` if an argument is negative or not a number.
  init?(untilTraveled distance: CLLocationDistance, timeout: TimeInterval) {
    guard distance >= 0, timeout >= 0 else { return nil }
    self.init(
      distance: distance < Self.endless ? Meters(distance) : nil,
      timeout: timeout < Self.eternal ? .seconds(timeout) : nil)
  }
}

extension CLError.Code {
  /// Why deferred updates have ended; `nil`: their distance or time was reached.
  init?(_ outcome: DeferralOutcome) {
    switch outcome {
    case .reached: return nil
    case .denied: self = .denied
    case .failed(.failed): self = .deferredFailed
    case .failed(.notUpdating): self = .deferredNotUpdatingLocation
    case .failed(.accuracyTooLow): self = .deferredAccuracyTooLow
    case .failed(.distanceFiltered): self = .deferredDistanceFiltered
    case .failed(.canceled): self = .deferredCanceled
    }
  }
}

extension Activity {
  /// Converts Apple's open enum to the service's type; unknown values become `other`.
  fileprivate init(_ type: CLActivityType) {
    switch type {
    case .automotiveNavigation: self = .automotiveNavigation
    case .fitness: self = .fitness
    case .otherNavigation: self = .otherNavigation
    case .airborne: self = .airborne
    case .maritime: self = .maritime
    default: self = .other
    }
  }
}

/// A manager's delegate, held weakly. Its owner may remove it on any thread, for example in a `deinit`, while the manager's thread
/// calls it; Swift's weak variables allow concurrent reads, but no concurrent write.
final class DelegateReference {
  private let lock = NSLock()
  private weak var delegate: (any CLLocationManagerDelegate)?

  var value: (any CLLocationManagerDelegate)? {
    get { lock.withLock { delegate } }
    set { lock.withLock { delegate = newValue } }
  }
}

/// The completion handlers of a manager that wait for answers. Several threads may share the manager; the handlers are
/// called on its own thread.
final class WaitingCompletions {
  private let lock = NSLock()
  private var waiting: [UInt64: ((any Error)?) -> Void] = [:]
  private var next: UInt64 = 1

  /// Adds a handler; returns its number.
  func add(_ body: @escaping ((any Error)?) -> Void) -> UInt64 {
    lock.withLock {
      defer { next += 1 }
      waiting[next] = body
      return next
    }
  }

  /// Removes and returns the handler with that number.
  func take(_ number: UInt64) -> (((any Error)?) -> Void)? { lock.withLock { waiting.removeValue(forKey: number) } }
}
