package import Geodesy

/// What is known of a machine whose clock may have to be set.
package struct ClockCircumstances: Hashable, Sendable {
  /// Whether the administrator has enabled setting the clock.
  package var isEnabled = false
  /// Whether chrony is installed: its `makestep` sets the clock.
  package var hasChrony = false
  /// Whether a unit of `/usr/lib/systemd/ntp-units.d` is active.
  package var hasActiveTimeService = false
  /// Whether the clock has been synchronized since boot: `adjtimex` reports a maximum error below 16 s.
  package var isSynchronized = false
  /// Whether this service has set the clock since boot.
  package var wasSetSinceBoot = false
  /// The day on which the program was built; `nil`: unknown, and the clock is not set.
  package var buildDate: CalendarDate?
  /// The latest confirmed time that is stored.
  package var lastGoodTime: GNSSTime?
  /// The latest time of the files that a service updates with the clock, such as `/var/lib/systemd/timesync/clock`.
  package var newestFileTime: GNSSTime?

  package init() {}

  /// Why the clock is not set on this machine, whatever its time is; `nil`: it may be.
  package var refusal: ClockRefusal? {
    guard isEnabled else { return .disabled }
    if wasSetSinceBoot { return .alreadySet }
    if hasChrony { return .leftToChrony }
    return hasActiveTimeService && isSynchronized ? .keptByOther : nil
  }
}

/// A step of the system's clock.
package struct ClockChange: Hashable, Sendable {
  /// What has to be added to the clock when it is set, so that the time until then does not matter.
  package var offset: Duration
  /// The clock's reading when the step was decided, without and with the step.
  package var from: GNSSTime
  package var to: GNSSTime

  package init(offset: Duration, from: GNSSTime, to: GNSSTime) {
    (self.offset, self.from, self.to) = (offset, from, to)
  }
}

/// Why the clock is not set.
package enum ClockRefusal: UInt8, Hashable, Sendable, CaseIterable {
  /// The administrator has not enabled it.
  case disabled = 0
  case alreadySet = 1
  /// chrony is installed and steps the clock itself.
  case leftToChrony = 2
  /// Another time service keeps the clock, and has synchronized it.
  case keptByOther = 3
  /// Jamming, spoofing or a jump of the position is suspected.
  case interference = 4
  /// The clock is off by two seconds at most.
  case smallError = 5
  /// The clock would be set back by more than a day.
  case tooFarBack = 6
  /// The time lies before a time that is certainly past, or more than 20 years after the build; or the day of the build is
  /// unknown.
  case implausible = 7
}
