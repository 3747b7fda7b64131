import CCoreLocation
import Foundation
import Geodesy
import LocationIPC

// Standard updates and one location.
extension CLLocationManager {
  /// What the manager's settings come to.
  var updateOptions: UpdateOptions {
    // `desiredAccuracy` chooses sources and filters nothing: a client sees what there is.
    UpdateOptions(
      desiredRadius68: nil,
      distanceFilter: distanceFilter > 0 ? Meters(distanceFilter) : nil,
      activity: Activity(activityType), waitsForSource: true, ifUndecided: .waits,
      allowsBackground: allowsBackgroundLocationUpdates,
      pausesAutomatically: pausesLocationUpdatesAutomatically,
      sufficientRadius68: desiredAccuracy > 0 && desiredAccuracy.isFinite ? Meters(desiredAccuracy) : nil)
  }

  var oneShotOptions: OneShotOptions {
    OneShotOptions(
      desiredRadius68: desiredAccuracy > 0 && desiredAccuracy.isFinite ? Meters(desiredAccuracy) : nil,
      // Documentation/Behavior.md, "One fix": 10 s after the first fix, else 60 s; a receiver may be plugged in, or enumerated
      // after boot, meanwhile.
      timeout: .seconds(60), waitsForSource: true, ifUndecided: .waits)
  }

  /// Tells what has come meanwhile, in its order.
  func deliver() {
    // First of all: what is announced from here on calls the manager anew, and is not left lying.
    guard let count = engine.beginTelling() else { return }
    // Before everything else, completions too.
    if let delegate, engine.introduce() { delegate.locationManagerDidChangeAuthorization(self) }
    for announcement in announcements.takeAll() { announcement() }
    for _ in 0..<count {
      // It may be taken back, and the delegate may go, or come, in any of these calls.
      guard let outcome = engine.nextOutcome() else { return }
      if case .fullAccuracy(let number, let answer) = outcome {
        completions.take(number)?(CLError(answer))
        continue
      }
      guard let delegate else {
        if case .monitored(let notice) = outcome { keep(notice) }
        if hasRequested, outcome.isOfALocation { Complaint.noDelegate.say() }
        continue
      }
      switch outcome {
      case .locations(let locations):
        delegate.locationManager(self, didUpdateLocations: locations)
        lastTold = locations.last
      case .failure(let code): delegate.locationManager(self, didFailWithError: CLError(code))
      case .authorization: delegate.locationManagerDidChangeAuthorization(self)
      case .paused: delegate.locationManagerDidPauseLocationUpdates(self)
      case .resumed: delegate.locationManagerDidResumeLocationUpdates(self)
      case .monitored(let notice): tell(notice, delegate)
      case .fullAccuracy: break
      }
    }
  }
}

extension ManagerEngine.Outcome {
  fileprivate var isOfALocation: Bool {
    switch self {
    case .locations, .failure: true
    case .authorization, .paused, .resumed, .fullAccuracy, .monitored: false
    }
  }
}

extension Activity {
  /// Apple's open enum in the service's terms; what is not known is `other`.
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

/// A manager's delegate, held weakly. An owner may take itself away on any thread, as in its `deinit`, while the manager's own
/// tells it something; a weak variable of Swift bears only readers at once.
final class DelegateReference {
  private let lock = NSLock()
  private weak var delegate: (any CLLocationManagerDelegate)?

  var value: (any CLLocationManagerDelegate)? {
    get { lock.withLock { delegate } }
    set { lock.withLock { delegate = newValue } }
  }
}

/// Completions of a manager's that wait for their answers; threads may share it, and the answers are told on its own.
final class WaitingCompletions {
  private let lock = NSLock()
  private var waiting: [UInt64: ((any Error)?) -> Void] = [:]
  private var next: UInt64 = 1

  /// The number under which it waits.
  func add(_ body: @escaping ((any Error)?) -> Void) -> UInt64 {
    lock.withLock {
      defer { next += 1 }
      waiting[next] = body
      return next
    }
  }

  /// What waits under that number; it waits no more.
  func take(_ number: UInt64) -> (((any Error)?) -> Void)? { lock.withLock { waiting.removeValue(forKey: number) } }
}
