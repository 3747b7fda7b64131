package import Geodesy
package import Regions

/// Identifies the list of the conditions that are monitored for one program; the list outlives the program
/// (Documentation/Behavior.md, "Regions").
package struct MonitoringList: Hashable, Sendable {
  /// The owner, authenticated by the kernel.
  package var identity: ClientIdentity
  /// The name that the program gives itself, plus the monitor's name if it has one. Clients of one identity can see all its lists,
  /// because a name is not authenticated.
  package var name: String

  /// Bytes of UTF-8.
  package static let longestName = 200

  package init(_ identity: ClientIdentity, name: String) {
    self.identity = identity
    self.name = name
  }

  /// Whether it is the list of `locationctl region`, the one whose regions have names for people; programs have lists of their own.
  package var isOfLocationctl: Bool { identity.realm == .own && name == "locationctl" }
}

/// The part of a list that an event concerns.
package enum MonitoringSubject: Hashable, Sendable {
  /// The region with that identifier.
  case region(String)
  case visits
  case significantChanges

  /// The kind of condition, which determines the necessary authorization.
  package var use: MonitoringUses {
    switch self {
    case .region: .regions
    case .visits: .visits
    case .significantChanges: .significantChanges
    }
  }
}

/// The kinds of conditions that a list monitors.
package struct MonitoringUses: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let regions = MonitoringUses(rawValue: 1 << 0)
  package static let visits = MonitoringUses(rawValue: 1 << 1)
  package static let significantChanges = MonitoringUses(rawValue: 1 << 2)
  /// Regions that only cause desktop notifications, for which when-in-use authorization suffices (Documentation/Behavior.md,
  /// "Regions").
  package static let notifications = MonitoringUses(rawValue: 1 << 3)

  package static let all: MonitoringUses = [.regions, .visits, .significantChanges, .notifications]
}

/// An event of a monitored condition; it is redelivered until its receiver acknowledges it.
package struct MonitoringEvent: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// A border was crossed; the state after the crossing.
    case crossed(RegionState)
    /// The state became known without a crossing. `.unknown`: it is no longer known, because the timeout that its owner set has
    /// expired.
    case determined(RegionState)
    case arrived(Visit)
    case departed(Visit)
    /// A significant change.
    case moved

    /// The state of the region; `nil`: the event does not concern a region.
    package var state: RegionState? {
      switch self {
      case .crossed(let state), .determined(let state): state
      case .arrived, .departed, .moved: nil
      }
    }
  }

  /// Unique among this machine's events; later events have greater numbers.
  package var id: UInt64
  package var subject: MonitoringSubject
  package var kind: Kind
  /// When it happened; `nil`: not observed.
  package var time: GNSSTime?
  /// The fix that revealed it.
  package var fix: PositionFix?
  /// The number of deliveries, this one included: ≥ 1. If it is more than 1, the event may have been received before.
  package var attempt: Int

  package init(
    id: UInt64, _ subject: MonitoringSubject, _ kind: Kind, time: GNSSTime?, fix: PositionFix?,
    attempt: Int = 1
  ) {
    self.id = id
    self.subject = subject
    self.kind = kind
    self.time = time
    self.fix = fix
    self.attempt = attempt
  }
}

/// What an event causes in addition to its delivery to connected clients.
package struct MonitoringLaunch: Hashable, Sendable {
  /// Run on entry into a region, on arrival at a place, or on a significant change.
  package var onEntry: CommandToken?
  /// Run on exit from a region, or on departure from a place.
  package var onExit: CommandToken?
  /// Run when the state of a region is no longer known.
  package var onUnknown: CommandToken?
  /// Whether the user's desktop shows a notification.
  package var isShown: Bool

  package init(
    onEntry: CommandToken? = nil, onExit: CommandToken? = nil, onUnknown: CommandToken? = nil, isShown: Bool = false
  ) {
    self.onEntry = onEntry
    self.onExit = onExit
    self.onUnknown = onUnknown
    self.isShown = isShown
  }

  /// All its commands.
  package var commands: [CommandToken] { [onEntry, onExit, onUnknown].compactMap(\.self) }

  /// Whether it causes nothing.
  package var isEmpty: Bool { commands.isEmpty && !isShown }
}

/// Names a command that its user has stored where only that user can write. The service knows only the token: an attacker who
/// controls the service can have such commands run, and no others.
package struct CommandToken: Hashable, Sendable {
  package let (high, low): (UInt64, UInt64)

  package init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

  /// A token of 128 random bits.
  package static func random() -> CommandToken {
    CommandToken(high: .random(in: .min ... .max), low: .random(in: .min ... .max))
  }

  /// 32 lower-case hexadecimal digits.
  package var text: String {
    func digits(_ value: UInt64) -> String {
      let text = String(value, radix: 16)
      return String(repeating: "0", count: 16 - text.count) + text
    }
    return digits(high) + digits(low)
  }

  /// `nil`: not exactly in the form that `text` writes.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 32, bytes.allSatisfy({ ($0 >= 48 && $0 <= 57) || ($0 >= 97 && $0 <= 102) }),
      let high = UInt64(text.prefix(16), radix: 16), let low = UInt64(text.suffix(16), radix: 16)
    else { return nil }
    self.init(high: high, low: low)
  }
}
