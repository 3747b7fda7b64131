/// A request about the time for clocks.
package enum TimeRequest: UInt8, Hashable, Sendable, CaseIterable {
  /// Measure the receivers' delays against the system's clock, or a pulse. No time is sent in the meantime.
  case calibrate = 0
  case endCalibration = 1
}

/// The time that the service gives to the machine's clocks.
package struct TimeReport: Hashable, Sendable {
  package var receivers: [ReceiverTimeReport] = []
  package var sinks: [TimeSinkReport] = []
  /// Whether the system's clock is set once after a boot; `nil`: that is switched off.
  package var clock: ClockSettingState?

  package init() {}
}

/// The time of one receiver.
package struct ReceiverTimeReport: Hashable, Sendable {
  /// The path of its device.
  package var device: String
  package var state: ReceiverTimeState
  /// The receiver's time minus the system's clock, with the delay added, seconds; `nil`: unknown at present.
  package var offsetSeconds: Double?
  /// The standard deviation of that, seconds.
  package var deviationSeconds: Double?
  /// The delay of its messages, seconds, and how far it may be off.
  package var delaySeconds: Double
  package var delayUncertaintySeconds: Double
  package var delayBasis: DelayBasis
  /// How much of the shortest measurement of the delay is done, 0…1.
  package var calibrationProgress: Double
  /// Whether the user has asked for that measurement.
  package var isCalibrating: Bool
  /// Its pulse device, such as `pps0`; `nil`: none.
  package var pulse: String?
  package var pulseProblems: PulseProblems
  /// Samples sent since the service has started.
  package var samples: UInt64
  /// Whether a leap second is announced: 0 no, 1 inserted, 2 deleted.
  package var leap: UInt8

  package init(device: String, state: ReceiverTimeState) {
    (self.device, self.state) = (device, state)
    (delaySeconds, delayUncertaintySeconds, delayBasis) = (0, 0, .portClass)
    (calibrationProgress, isCalibrating, pulseProblems, samples, leap) = (0, false, [], 0, 0)
  }
}

/// What a receiver's time is used for at present, or why it is not.
package enum ReceiverTimeState: UInt8, Hashable, Sendable, CaseIterable {
  case waiting = 0
  case sending = 1
  case calibrating = 2
  /// It comes from gpsd, a network, a recording or a simulator.
  case notLocal = 3
  case noTime = 4
  case stale = 5
  case interference = 6
  case unconfirmed = 7
  case eraUncertain = 8
  case leapUncertain = 9
  /// Its messages follow each other without a silence.
  case noSilence = 10
  case lateLoop = 11
  case largeRead = 12
  /// The arrival of its messages scatters too much.
  case tooWide = 13
  case offLine = 14

  /// As in the JSON output.
  package var name: String { "\(self)" }
}

/// What a receiver's delay was measured against.
package enum DelayBasis: UInt8, Hashable, Sendable, CaseIterable {
  case portClass = 0
  case pulse = 1
  case systemClock = 2
  case setting = 3

  /// As in the JSON output.
  package var name: String { "\(self)" }
}

/// What is wrong with the pulses of a receiver.
package struct PulseProblems: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Pulses arrive although the receiver has no fix.
  package static let pulseWithoutLock = PulseProblems(rawValue: 1)
  /// The receiver has a fix, and no pulse arrives.
  package static let lockWithoutPulse = PulseProblems(rawValue: 2)
  /// The pulses do not mark the seconds of the messages.
  package static let pulseOffSecond = PulseProblems(rawValue: 4)
}

/// A program that gets samples.
package struct TimeSinkReport: Hashable, Sendable {
  /// The path of a socket, or `shm:UNIT`.
  package var name: String
  package var state: State

  package enum State: UInt8, Hashable, Sendable, CaseIterable {
    /// Nothing was sent yet.
    case unused = 0
    case receiving = 1
    /// There is no socket: chronyd does not run, or its configuration has no line for this service.
    case absent = 2
    case denied = 3
    /// The helper that may write to the socket does not answer.
    case noHelper = 4
    case failed = 5
    /// The helper has read settings of the machine in which the sink is not enabled.
    case notInSettings = 6

    /// As in the JSON output.
    package var name: String { "\(self)" }
  }

  package init(name: String, state: State) { (self.name, self.state) = (name, state) }
}

/// Whether the system's clock is set, or why it is not.
package enum ClockSettingState: UInt8, Hashable, Sendable, CaseIterable {
  /// The receiver's time is not confirmed yet.
  case waiting = 0
  /// It was set since boot.
  case done = 1
  case disabled = 2
  case leftToChrony = 3
  case keptByOther = 4
  case interference = 5
  case smallError = 6
  case tooFarBack = 7
  case implausible = 8
  /// The helper that may set it does not answer.
  case noHelper = 9

  /// As in the JSON output.
  package var name: String { "\(self)" }
}
