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
      "a location manager was made on a thread that runs no run loop, so that its delegate hears nothing: make it on the"
        + " main thread, or run that thread's run loop."
    case .noDelegate: "a requested location has come, and the manager has no delegate: set one, and keep it."
    case .deafDelegate(let type, let method):
      "a requested location is answered to \(type), which lacks \(method): add it, in the class that declares the"
        + " conformance."
    case .otherVersion:
      "locationd is of another version than this program, so that there is no location: build the program with the version"
        + " that is installed."
    case .fullService(let limit):
      "locationd has \(limit) clients and takes no more, so that there is no location: end some of them."
    case .refusingService: "locationd does not understand this program, so that there is no location: this is a defect."
    case .unreadableService(let reason):
      "what answers at locationd's socket is no location service (\(reason)): check LOCATIOND_SOCKET."
    case .forbiddenService(let path):
      "locationd does not let this user use \(path), so that there is no location: its owner can change that."
    case .undescribed(let key, let folder):
      "nobody is asked whether this program may have locations, as it does not say what for: put \(key) into"
        + " \(folder)/Info.plist, or have it allowed with locationctl."
    case .undescribedPurpose(let key, let folder):
      "nobody is asked for full accuracy, as this program does not say what for: put \(key) into"
        + " NSLocationTemporaryUsageDescriptionDictionary of \(folder)/Info.plist."
    case .askedInBackground:
      "nobody is asked whether this program may have locations, as it runs in the background: have it allowed with"
        + " locationctl."
    case .fullOfGrants:
      "nobody is asked whether this program may have locations, as locationd remembers as many decisions as it can:"
        + " have some forgotten with locationctl."
    case .paused:
      "updates have paused, as this program runs in the background and does not move, or no position can be had: they go on by"
        + " themselves; set pausesLocationUpdatesAutomatically to false for updates all the time."
    case .resting:
      "updates rest while this program runs in the background: set allowsBackgroundLocationUpdates to true, and have it"
        + " allowed with 'locationctl grant --always'."
    case .undecided:
      "nobody has decided whether this program may have locations, so that none come: call requestWhenInUseAuthorization(),"
        + " or have it allowed with 'locationctl grant'."
    case .unmonitored(let failure): words(of: failure)
    }
  }

  private func words(of failure: MonitoringFailure) -> String {
    switch failure {
    case .monitoredElsewhere(let processID):
      "regions, visits and significant changes are monitored by another program of this user"
        + (processID.map { " (process \($0))" } ?? "")
        + ", and by one at a time where there is no locationd: start that."
    case .tooManyRegions(let limit):
      "\(limit) regions are monitored for this user, as many as may be: LOCATIOND_REGIONS of locationd says how many."
    case .tooManyTimedRegions(let limit):
      "\(limit) regions of this user have a dwell time or may become unknown, which is as many as may be."
    case .tooManyRegionBytes(let limit):
      "the identifiers and borders of this user's regions take \(limit) bytes, as many as may be."
    case .tooManyLists(let limit):
      "\(limit) programs and monitors of this user have something monitored, as many as may be."
    case .cannotKeep(let path, let reason, _): "what is monitored cannot be kept in \(path): \(reason)."
    case .needsDaemon, .badName, .mayNotLaunch: "this is not monitored."
    }
  }
}
