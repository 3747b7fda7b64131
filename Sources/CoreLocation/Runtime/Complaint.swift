import Foundation
import LocationIPC
import LocationPolicy
import Synchronization

/// What a program does that cannot work, said once on standard error: nothing is fatal that a program may have got away with.
enum Complaint: Hashable, Sendable {
  /// A manager lives on a thread without a run loop.
  case deafThread
  /// A request for one location was answered, and there was no delegate.
  case noDelegate
  /// A request for one location was answered, and the delegate has no method for that.
  case deafDelegate(type: String, method: String)
  /// What is to be monitored cannot be, and Apple has no word for the reason.
  case unmonitored(MonitoringFailure)
  /// `locationd` speaks no version of the messages that this module speaks.
  case otherVersion
  /// `locationd` has as many clients as it takes.
  case fullService(limit: Int)
  /// `locationd` has let this process go for what it did.
  case refusingService
  /// What answers at the socket is no `locationd`; why, as a clause in words.
  case unreadableService(String)
  /// `locationd` is there, and its socket is closed to this user.
  case forbiddenService(path: String)
  /// A request to be authorized lacks its description, by its key in the Info.plist of `folder`.
  case undescribed(key: String, folder: String)
  /// A request for full accuracy names a purpose that the Info.plist of `folder` does not describe.
  case undescribedPurpose(key: String, folder: String)
  /// Nobody asks for a program in the background.
  case askedInBackground
  /// `locationd` remembers as many programs as it can.
  case fullOfGrants
  /// Updates have paused by themselves, and the program may not have noticed.
  case paused
  /// Updates rest while the program is in the background.
  case resting
  /// Nobody has decided, and the program has asked nobody.
  case undecided

  /// Why nothing comes of a stream; `nil`: nothing is to be said.
  init?(_ event: ServiceEvent) {
    guard case .streamChanged(_, let change) = event else { return nil }
    switch change {
    case .paused: self = .paused
    case .suspended: self = .resting
    case .lost, .back, .resumed, .unpaused: return nil
    }
  }

  /// Why the service lets this process go; `nil`: it may be back in a moment, and nothing is to be said.
  init?(_ refusal: Refusal) {
    switch refusal {
    case .unsupportedVersion: self = .otherVersion
    case .tooManyClients(let limit): self = .fullService(limit: limit)
    case .brokenProtocol, .tooManyMessages: self = .refusingService
    case .tooQuiet, .tooSlow, .stopping: return nil
    }
  }

  /// Why nobody is asked; `nil`: nothing is to be said.
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

  /// Why something is not monitored; `nil`: the delegate is told all there is to say.
  init?(_ failure: MonitoringFailure) {
    switch failure {
    case .badName, .mayNotLaunch: return nil
    case .needsDaemon, .monitoredElsewhere, .tooManyRegions, .tooManyTimedRegions, .tooManyRegionBytes, .tooManyLists,
      .cannotKeep:
      self = .unmonitored(failure)
    }
  }

  private static let said = Mutex<Set<Complaint>>([])

  func say() {
    guard Self.said.withLock({ $0.insert(self).inserted }) else { return }
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
    case .otherVersion:
      "locationd and this program have different versions, so there is no location: build the program with the version"
        + " that is installed."
    case .fullService(let limit):
      "locationd has \(limit) clients, which is its limit, so there is no location: end some of them."
    case .refusingService:
      "locationd does not understand this program, so there is no location: this is a bug; please report it."
    case .unreadableService(let reason):
      "another program answers at the socket of locationd (\(reason)): check LOCATIOND_SOCKET."
    case .forbiddenService(let path):
      "this user may not connect to locationd at \(path), so there is no location: its owner can change that."
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
      "this user has \(limit) regions, which is the limit: remove some, or raise LOCATIOND_REGIONS of locationd."
    case .tooManyTimedRegions(let limit):
      "this user has \(limit) regions with a dwell time or an unknown state, which is the limit: remove some."
    case .tooManyRegionBytes(let limit):
      "the identifiers and borders of this user's regions take \(limit) bytes, which is the limit: remove some."
    case .tooManyLists(let limit):
      "\(limit) programs and monitors of this user are monitoring, which is the limit: remove some."
    case .cannotKeep(let path, let reason, _): "cannot store regions and visits in \(path): \(reason)."
    case .needsDaemon, .badName, .mayNotLaunch: "this condition cannot be monitored here."
    }
  }
}
