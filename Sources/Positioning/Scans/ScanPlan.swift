import Geodesy
import WireFormats

/// Decides when one radio scans on its own, and on which channels: as rarely and as briefly as possible, since it receives
/// nothing else meanwhile. Scans by other programs count as well as the service's own.
struct ScanPlan: Sendable {
  /// Access points that a position needs; with fewer, the next scan covers more channels.
  static let enough = 2
  /// Channels 1, 6 and 11, MHz: most access points use them, and they take a tenth of the time of a full scan.
  static let firstChannels: [UInt32] = [2412, 2437, 2462]
  /// A passive scan of all channels takes five seconds of a Raspberry Pi's radio; a scan that has not ended by then is lost.
  static let longestScan: Duration = .seconds(20)
  /// The pause after an error that will not go away soon.
  static let longPause: Duration = .seconds(300)
  /// 0.5 s, doubled each time, up to 32 s.
  static let mostDoublings = 6
  /// The pause before a radio on a network is checked again: it stays undisturbed for minutes at least.
  static let networkPause: Duration = .seconds(60)

  private enum Activity {
    case idle
    /// A scan was requested, and has no answer yet.
    case asked(until: Instant)
    /// A scan is under way, whichever program requested it.
    case scanning(until: Instant)
    /// The radio's list is being read, to see whether it is on a network.
    case readingList(until: Instant)
  }

  /// The next thing to do.
  enum Step: Hashable {
    /// Scan on these channels, MHz, empty: all. The caller reports the result with `answered`.
    case scan([UInt32])
    /// Read the radio's list.
    case readList
  }

  /// How many channels a scan covers.
  private enum Reach {
    case known
    case first
    case all
  }

  private var activity = Activity.idle
  private var reach = Reach.first
  private var known: [UInt32] = []
  private var lastResult: Instant?
  private var failures = 0
  private var notBefore: Instant?
  /// Whether the radio is on no network, according to the list read just before.
  private var isKnownIdle = false
  /// Why the radio cannot scan.
  private(set) var problem: Problem?

  /// The part of `RadioProblem` that concerns this radio.
  enum Problem: Hashable, Sendable {
    case noPrivilege
    case interfaceDown
    case refused(errno: Int32)
  }

  /// Handles a list that was read: its observations, and whether the radio is on a network.
  mutating func listed(_ observations: [AccessPointObservation], isOnNetwork: Bool, at now: Instant) {
    if case .readingList = activity {
      activity = .idle
      isKnownIdle = !isOnNetwork
      if isOnNetwork { notBefore = now + Self.networkPause }
    }
    known = Array(Set(observations.compactMap { $0.frequencyMegahertz.map { UInt32(clamping: $0) } })).sorted()
    if known.count > NetlinkRequest.maximumFrequencies { known.removeSubrange(NetlinkRequest.maximumFrequencies...) }
    guard observations.count >= Self.enough else { return }
    reach = known.isEmpty ? .all : .known
    // A single one may be the access point that this radio is connected to, which it receives all the time.
    let times = observations.map(\.receivedAt).sorted(by: >)
    lastResult = lastResult.map { max($0, times[Self.enough - 1]) } ?? times[Self.enough - 1]
  }

  /// When to scan, if scans are required, or when the current activity times out.
  func nextDeadline(_ policy: ScanPolicy) -> Instant? {
    switch activity {
    case .asked(let until), .scanning(let until), .readingList(let until): return until
    case .idle:
      guard let period = policy.period ?? policy.idlePeriod else { return nil }
      let due = lastResult.map { $0 + period } ?? Instant(nanoseconds: 0)
      return notBefore.map { max($0, due) } ?? due
    }
  }

  /// What to do now; `nil` if it is too early.
  mutating func step(_ policy: ScanPolicy, at now: Instant) -> Step? {
    let wasIdle = isKnownIdle
    isKnownIdle = false
    guard let deadline = nextDeadline(policy), deadline <= now else { return nil }
    switch activity {
    case .asked, .scanning, .readingList:
      activity = .idle
      backOff(at: now)
      return nil
    case .idle: break
    }
    // A scan that no client waits for must not disturb a network connection, because the radio receives nothing else
    // while it lasts. Check first whether the radio is on a network.
    guard policy.period != nil || wasIdle else {
      activity = .readingList(until: now + Self.longestScan)
      return .readList
    }
    activity = .asked(until: now + Self.longestScan)
    switch reach {
    case .known: return .scan(known)
    case .first: return .scan(Self.firstChannels + known.filter { !Self.firstChannels.contains($0) }.prefix(61))
    case .all: return .scan([])
    }
  }

  /// Whether the requested scan covers all channels.
  private var isOfAll: Bool { reach == .all }

  /// Handles the kernel's answer to a scan request.
  mutating func answered(errno: Int32, at now: Instant) {
    switch errno {
    case 0:
      problem = nil
      activity = .scanning(until: now + Self.longestScan)
      return
    case KernelErrno.busy, KernelErrno.tryAgain, KernelErrno.noSuchDevice:
      problem = nil
      backOff(at: now)
    case KernelErrno.notPermitted, KernelErrno.denied:
      problem = .noPrivilege
      notBefore = now + Self.longPause
    case KernelErrno.interfaceDown:
      problem = .interfaceDown
      backOff(at: now)
    case KernelErrno.invalid where !isOfAll:
      // The radio lacks one of the channels.
      reach = .all
      backOff(at: now)
    default:
      problem = .refused(errno: errno)
      notBefore = now + Self.longPause
    }
    activity = .idle
  }

  /// Some program's scan has begun.
  mutating func started(at now: Instant) { activity = .scanning(until: now + Self.longestScan) }

  /// Some program's scan is over: unless `listed` finds that this one received enough, the next one covers other
  /// channels: all of them after the first ones, otherwise the first ones.
  mutating func finished(at now: Instant) {
    activity = .idle
    failures = 0
    notBefore = nil
    lastResult = now
    if problem == .interfaceDown { problem = nil }
    switch reach {
    case .first: reach = .all
    case .all, .known: reach = .first
    }
  }

  /// Some program's scan was aborted.
  mutating func aborted(at now: Instant) {
    activity = .idle
    backOff(at: now)
  }

  /// Retries at once after a problem, whose cause may have gone: another user may have the privilege, a helper may have
  /// started, or time has passed.
  mutating func requestedAgain() {
    if problem != nil { notBefore = nil }
  }

  private mutating func backOff(at now: Instant) {
    notBefore = now + .milliseconds(500 << min(failures, Self.mostDoublings))
    failures = min(failures + 1, Self.mostDoublings)
  }
}
