package import Geodesy
package import Regions

/// The list of what is monitored for one program: it outlives the program (Documentation/Behavior.md, "Regions").
package struct MonitoringList: Hashable, Sendable {
  /// Whose it is, as the kernel vouches.
  package var identity: ClientIdentity
  /// What the program calls itself, and with a monitor of its own what that is called. All lists of one identity are one another's to
  /// see, as nothing vouches for a name.
  package var name: String

  /// Bytes of UTF-8.
  package static let longestName = 200

  package init(_ identity: ClientIdentity, name: String) {
    self.identity = identity
    self.name = name
  }
}

/// What of a list an event is about.
package enum MonitoringSubject: Hashable, Sendable {
  /// The region of that identifier.
  case region(String)
  case visits
  case significantChanges

  /// What has to be allowed for it.
  package var use: MonitoringUses {
    switch self {
    case .region: .regions
    case .visits: .visits
    case .significantChanges: .significantChanges
    }
  }
}

/// What of a list is monitored.
package struct MonitoringUses: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let regions = MonitoringUses(rawValue: 1 << 0)
  package static let visits = MonitoringUses(rawValue: 1 << 1)
  package static let significantChanges = MonitoringUses(rawValue: 1 << 2)
  /// Regions that are only shown by the desktop, for which being authorized while in use is enough (Documentation/Behavior.md,
  /// "Regions").
  package static let notices = MonitoringUses(rawValue: 1 << 3)

  package static let all: MonitoringUses = [.regions, .visits, .significantChanges, .notices]
}

/// Something that was monitored has happened, and is told until whoever it is for says that it was heard.
package struct MonitoringEvent: Hashable, Sendable {
  package enum Happening: Hashable, Sendable {
    /// A border was crossed; where the device is now.
    case crossed(RegionState)
    /// It is known now where the device is, which was not known: no border was crossed. `.unknown`: nobody can tell any more, as its
    /// owner has set a time for that.
    case determined(RegionState)
    case arrived(Visit)
    case departed(Visit)
    /// A significant change.
    case moved

    /// Where the device is with regard to the region; `nil`: it is about none.
    package var state: RegionState? {
      switch self {
      case .crossed(let state), .determined(let state): state
      case .arrived, .departed, .moved: nil
      }
    }
  }

  /// Of no other event of this machine; later ones have greater numbers.
  package var id: UInt64
  package var subject: MonitoringSubject
  package var happening: Happening
  /// When it was so; `nil`: nobody saw it.
  package var time: GNSSTime?
  /// By which it was noticed.
  package var fix: PositionFix?
  /// How often it has been told, this time included: ≥ 1. With more than 1 it may have been heard before.
  package var attempt: Int

  package init(
    id: UInt64, _ subject: MonitoringSubject, _ happening: Happening, time: GNSSTime?, fix: PositionFix?,
    attempt: Int = 1
  ) {
    self.id = id
    self.subject = subject
    self.happening = happening
    self.time = time
    self.fix = fix
    self.attempt = attempt
  }
}

/// What is to happen with an event beside telling whoever listens.
package struct MonitoringLaunch: Hashable, Sendable {
  /// Run when a region is entered, at a place has been arrived, or the device has come a significant way.
  package var onEntry: CommandToken?
  /// Run when a region is left, or a place.
  package var onExit: CommandToken?
  /// Run when nobody can tell any more on which side of a region's border the device is.
  package var onUnknown: CommandToken?
  /// Whether the user's desktop shows it.
  package var isShown: Bool

  package init(
    onEntry: CommandToken? = nil, onExit: CommandToken? = nil, onUnknown: CommandToken? = nil, isShown: Bool = false
  ) {
    self.onEntry = onEntry
    self.onExit = onExit
    self.onUnknown = onUnknown
    self.isShown = isShown
  }

  /// The commands that it names.
  package var commands: [CommandToken] { [onEntry, onExit, onUnknown].compactMap(\.self) }

  /// Nothing.
  package var isEmpty: Bool { commands.isEmpty && !isShown }
}

/// Names a command that its user has noted where only that user can write. The service knows nothing else of it: who takes over the
/// service may have such commands run, and no others.
package struct CommandToken: Hashable, Sendable {
  package let (high, low): (UInt64, UInt64)

  package init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

  /// One of 128 random bits.
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

  /// `nil`: not exactly what `text` gives.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 32, bytes.allSatisfy({ ($0 >= 48 && $0 <= 57) || ($0 >= 97 && $0 <= 102) }),
      let high = UInt64(text.prefix(16), radix: 16), let low = UInt64(text.suffix(16), radix: 16)
    else { return nil }
    self.init(high: high, low: low)
  }
}
