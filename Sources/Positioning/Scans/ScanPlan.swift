import Geodesy
import WireFormats

/// When one radio is to scan on its own, and on which channels: as seldom and as little as will do, since it hears nothing else
/// meanwhile. Others' scans do as well as our own.
struct ScanPlan: Sendable {
  /// As many as a position needs; who hears fewer looks further.
  static let enough = 2
  /// Channels 1, 6 and 11, MHz: where most are, and a tenth of the time of all.
  static let firstChannels: [UInt32] = [2412, 2437, 2462]
  /// A passive scan of all channels takes five seconds of a Raspberry Pi's radio; what is not over by then has been lost.
  static let longestScan: Duration = .seconds(20)
  /// After what will not change by itself soon.
  static let longPause: Duration = .seconds(300)
  /// 0.5 s, doubled each time, up to 32 s.
  static let mostDoublings = 6
  /// A radio on a network is looked at again by then: it is left for minutes at least.
  static let networkPause: Duration = .seconds(60)

  private enum Activity {
    case idle
    /// We have asked for a scan, and have no answer.
    case asked(until: Instant)
    /// Somebody's scan is under way.
    case scanning(until: Instant)
    /// Its list is being read, to see whether it is on a network.
    case looking(until: Instant)
  }

  /// What is to be done now.
  enum Step: Hashable {
    /// Scan on these channels, MHz, none: all. Expects an answer to the question.
    case scan([UInt32])
    /// Read its list.
    case look
  }

  /// How far it looks.
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
  /// It is on no network, as its list says that was read a moment ago.
  private var isKnownIdle = false
  /// What keeps it from scanning.
  private(set) var problem: Problem?

  /// As `RadioProblem`, of this radio.
  enum Problem: Hashable, Sendable {
    case noPrivilege
    case interfaceDown
    case refused(errno: Int32)
  }

  /// The list was read: what was heard of it, and since when that is enough; and whether the radio is on a network.
  mutating func listed(_ sightings: [AccessPointSighting], isOnNetwork: Bool, at now: Instant) {
    if case .looking = activity {
      activity = .idle
      isKnownIdle = !isOnNetwork
      if isOnNetwork { notBefore = now + Self.networkPause }
    }
    known = Array(Set(sightings.compactMap { $0.frequencyMegahertz.map { UInt32(clamping: $0) } })).sorted()
    if known.count > NetlinkRequest.maximumFrequencies { known.removeSubrange(NetlinkRequest.maximumFrequencies...) }
    guard sightings.count >= Self.enough else { return }
    reach = known.isEmpty ? .all : .known
    // One alone may be the one we are a client of, which is heard all the time.
    let times = sightings.map(\.heardAt).sorted(by: >)
    lastResult = lastResult.map { max($0, times[Self.enough - 1]) } ?? times[Self.enough - 1]
  }

  /// When to scan, where that is wanted; to look at `problem` and what goes wrong by then, else.
  func nextDeadline(_ wish: ScanWish) -> Instant? {
    switch activity {
    case .asked(let until), .scanning(let until), .looking(let until): return until
    case .idle:
      guard let period = wish.period ?? wish.idlePeriod else { return nil }
      let due = lastResult.map { $0 + period } ?? Instant(nanoseconds: 0)
      return notBefore.map { max($0, due) } ?? due
    }
  }

  /// What to do now; `nil`: it is not time.
  mutating func step(_ wish: ScanWish, at now: Instant) -> Step? {
    let wasIdle = isKnownIdle
    isKnownIdle = false
    guard let deadline = nextDeadline(wish), deadline <= now else { return nil }
    switch activity {
    case .asked, .scanning, .looking:
      activity = .idle
      backOff(at: now)
      return nil
    case .idle: break
    }
    // A scan that nobody waits for is none of a network's affair: while it lasts, nothing else is heard.
    guard wish.period != nil || wasIdle else {
      activity = .looking(until: now + Self.longestScan)
      return .look
    }
    activity = .asked(until: now + Self.longestScan)
    switch reach {
    case .known: return .scan(known)
    case .first: return .scan(Self.firstChannels + known.filter { !Self.firstChannels.contains($0) }.prefix(61))
    case .all: return .scan([])
    }
  }

  /// Whether what is asked now is of all channels.
  private var isOfAll: Bool { reach == .all }

  /// What the kernel has answered.
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
      // It lacks one of the channels.
      reach = .all
      backOff(at: now)
    default:
      problem = .refused(errno: errno)
      notBefore = now + Self.longPause
    }
    activity = .idle
  }

  /// Somebody's scan has begun.
  mutating func started(at now: Instant) { activity = .scanning(until: now + Self.longestScan) }

  /// Somebody's scan is over: the next one looks further, unless what it has heard is enough, which `listed` says.
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

  /// Somebody's scan has broken off.
  mutating func aborted(at now: Instant) {
    activity = .idle
    backOff(at: now)
  }

  /// Tries again what has failed: another user, another helper, another day.
  mutating func wantedAnew() {
    if problem != nil { notBefore = nil }
  }

  private mutating func backOff(at now: Instant) {
    notBefore = now + .milliseconds(500 << min(failures, Self.mostDoublings))
    failures = min(failures + 1, Self.mostDoublings)
  }
}
