import Foundation
import LocationIPC
import LocationPolicy
import Synchronization

/// A mistake by the program, or a state of the service, that prevents delivery; reported once on standard error. None
/// is fatal: the program may have worked in spite of it.
enum UsageWarning: Hashable, Sendable {
  /// The run loop of the manager's thread does not run, or the thread has ended.
  case deafThread
  /// There is an answer to a request for one location, but no delegate.
  case noDelegate
  /// There is an answer to a request for one location, but the delegate lacks the method for it.
  case deafDelegate(type: String, method: String)
  /// Something cannot be monitored, and Apple has no error for the reason.
  case unmonitored(MonitoringFailure)
  /// `locationd` supports none of the protocol versions that this module supports; the range is that of `locationd`.
  case otherVersion(ClosedRange<UInt16>)
  /// `locationd` has reached its maximum number of clients.
  case fullService(limit: Int)
  /// `locationd` has disconnected this process because of what it sent.
  case refusingService
  /// The server at the socket is not `locationd`; the reason, as a clause.
  case unreadableService(String)
  /// `locationd` exists, but this user has no access to its socket.
  case forbiddenService(path: String)
  /// A request for authorization lacks its description: this key in the Info.plist of `folder`.
  case undescribed(key: String, folder: String)
  /// A request for full accuracy names a purpose that the Info.plist of `folder` does not describe.
  case undescribedPurpose(key: String, folder: String)
  /// There are no prompts for a program in the background.
  case askedInBackground
  /// `locationd` has reached one of its limits for prompts and decisions (`IgnoredRequest.full`).
  case fullOfGrants
  /// Updates have paused automatically, and the program may not have noticed.
  case paused
  /// Updates are suspended while the program is in the background.
  case resting
  /// The authorization is not determined, and the program has not requested it.
  case undecided

  /// The reason why a stream delivers nothing; `nil` if there is nothing to report.
  init?(_ event: RequestEvent<FixEvent>) {
    guard case .reply(.change(let change)) = event else { return nil }
    switch change {
    case .paused: self = .paused
    case .suspended: self = .resting
    case .lost, .back, .resumed, .unpaused: return nil
    }
  }

  /// The reason why the service disconnects this process; `nil`: it may be available again in a moment, and there is nothing to
  /// report.
  init?(_ refusal: DisconnectReason) {
    switch refusal {
    case .unsupportedVersion(let oldest, let newest): self = .otherVersion(oldest...max(oldest, newest))
    case .tooManyClients(let limit): self = .fullService(limit: limit)
    case .brokenProtocol, .tooManyMessages: self = .refusingService
    case .tooQuiet, .tooSlow, .stopping: return nil
    }
  }

  /// The reason why there is no prompt; `nil` if there is nothing to report.
  init?(_ reason: IgnoredRequest, always: Bool) {
    switch reason {
    case .noDescription:
      let description = ProgramDescription.shared
      self = .undescribed(
        key: description.missingKey(always: always) ?? "NSLocationWhenInUseUsageDescription",
        folder: description.folder)
    case .notInUse: self = .askedInBackground
    case .allowedOnce: return nil
    case .full: self = .fullOfGrants
    }
  }

  /// The reason why something is not monitored; `nil`: the delegate's error already contains it.
  init?(_ failure: MonitoringFailure) {
    switch failure {
    case .badName, .mayNotLaunch: return nil
    case .needsDaemon, .monitoredElsewhere, .tooManyRegions, .tooManyTimedRegions, .tooManyRegionBytes, .tooManyLists,
      .cannotKeep:
      self = .unmonitored(failure)
    }
  }

  private static let emitted = Mutex<Set<UsageWarning>>([])

  func emit() {
    guard Self.emitted.withLock({ $0.insert(self).inserted }) else { return }
    try? FileHandle.standardError.write(contentsOf: Data("CoreLocation: \(words)\n".utf8))
  }

  private var words: String {
    switch self {
    case .deafThread:
      "a location manager was created on a thread without a running run loop, so its delegate is never called: create it on the"
        + " main thread, or run that thread's run loop."
    case .noDelegate:
      "the requested location is available, but the manager has no delegate: set one, and keep a strong reference to it."
    case .deafDelegate(let type, let method):
      "the delegate \(type) does not implement \(method), which receives the requested location: add it to the class that declares the"
        + " conformance."
    case .otherVersion(let versions):
      "locationd and this program have different versions of the protocol (\(ProtocolVersion.text(versions)) and"
        + " \(ProtocolVersion.text(ProtocolVersion.spoken))), so there is no location: build the program with the version"
        + " that is installed."
    case .fullService(let limit):
      "locationd has \(limit) clients, which is its limit, so there is no location: end some of them."
    case .refusingService:
      "locationd does not understand this program, so there is no location: this is a bug; please report it."
    case .unreadableService(let reason):
      "another program answers at the socket of locationd (\(reason)): check LOCATIOND_SOCKET."
    case .forbiddenService(let path):
      "this user may not connect to locationd at \(path), so there is no location: ask its owner for access."
    case .undescribed(let key, let folder):
      "nobody is asked to grant access, because this program gives no reason: add \(key) to"
        + " \(folder)/Info.plist, or grant access with 'locationctl grant'."
    case .undescribedPurpose(let key, let folder):
      "nobody is asked for full accuracy, because this program gives no reason: add \(key) to"
        + " NSLocationTemporaryUsageDescriptionDictionary of \(folder)/Info.plist."
    case .askedInBackground:
      "nobody is asked to grant access, because this program runs in the background: grant access with"
        + " 'locationctl grant'."
    case .fullOfGrants:
      "nobody is asked to grant access, because the list of access decisions is full:"
        + " delete some with 'locationctl revoke WHO --forget'."
    case .paused:
      "updates are paused, because this program is in the background and the machine does not move or has no position. They resume"
        + " automatically. To prevent pauses, set pausesLocationUpdatesAutomatically to false."
    case .resting:
      "updates are suspended while this program is in the background: set allowsBackgroundLocationUpdates to true, and grant"
        + " access with 'locationctl grant --always'."
    case .undecided:
      "this program has no access to the location yet, so there are no updates: call requestWhenInUseAuthorization(),"
        + " or grant access with 'locationctl grant'."
    case .unmonitored(let failure): words(of: failure)
    }
  }

  private func words(of failure: MonitoringFailure) -> String {
    switch failure {
    case .monitoredElsewhere(let processID):
      "regions, visits and significant changes are monitored by another program of this user"
        + (processID.map { " (process \($0))" } ?? "")
        + ". Without locationd, only one program at a time can do that: start locationd."
    case .tooManyRegions(let limit):
      "this user has \(limit) regions, which is the limit: remove some, or raise the setting 'regions' (LOCATIOND_REGIONS) of locationd."
    case .tooManyTimedRegions(let limit):
      "this user has \(limit) regions that have a dwell time or report an unknown state, which is the limit: remove some."
    case .tooManyRegionBytes(let limit):
      "the identifiers and borders of this user's regions take \(limit) bytes, which is the limit: remove some."
    case .tooManyLists(let limit):
      "\(limit) programs and monitors of this user are monitoring, which is the limit: remove some."
    case .cannotKeep(let path, let reason, _): "cannot store regions and visits in \(path): \(reason)."
    case .needsDaemon, .badName, .mayNotLaunch: "this condition cannot be monitored here."
    }
  }
}
