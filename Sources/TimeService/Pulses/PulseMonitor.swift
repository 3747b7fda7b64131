package import Geodesy

/// What is wrong with the pulses of a receiver.
package enum PulseFinding: UInt8, Hashable, Sendable, CaseIterable {
  /// Pulses arrive although the receiver has no fix: it sends them from its own oscillator.
  case pulseWithoutLock = 0
  /// The receiver has a fix, and no pulse arrives: the wire, the pin or the overlay is wrong.
  case lockWithoutPulse = 1
  /// The pulses do not mark the seconds of the messages.
  case pulseOffSecond = 2
}

/// Compares the pulses of a PPS device with the fixes of its receiver.
package struct PulseMonitor: Sendable {
  /// What can happen.
  package enum Input: Hashable, Sendable {
    /// The device's latest pulse, read once a second; `nil`: the device has received no pulse yet.
    case pulse(PulseReading?)
    /// Whether the latest epoch has a 3D fix.
    case lock(Bool)
    /// Whether a pulse agrees with the messages' second; `distanceSeconds` from `PulsePairing`.
    case compared(distanceSeconds: Double, uncertaintySeconds: Double)
    /// Time has passed.
    case wake
  }

  /// A change of the findings.
  package enum Action: Hashable, Sendable {
    case found(PulseFinding)
    case cleared(PulseFinding)
  }

  /// After this long without a pulse, pulses count as absent.
  package static let longestGap: Duration = .seconds(3)
  /// A contradiction is reported after this long.
  package static let timeToReport: Duration = .seconds(10)
  /// A receiver keeps its pulse for this long after it has lost its fix, and may be right.
  package static let holdover: Duration = .seconds(60)
  /// The smallest distance that counts as a disagreement, seconds.
  private static let smallestDisagreement = 0.05
  private static let disagreementsToReport = 10

  private var lastSequence: UInt32?
  private var lastPulseAt: Instant?
  /// When the device was first read; `nil`: the receiver has no PPS device, and missing pulses are no finding.
  private var beganAt: Instant?
  private var isLocked: Bool?
  private var lockChangedAt: Instant?
  private var disagreementsInARow = 0
  /// The findings that were reported and not cleared.
  package private(set) var findings: Set<PulseFinding> = []

  package init() {}

  /// Handles an input; returns the changes of the findings.
  package mutating func handle(_ input: Input, at now: Instant) -> [Action] {
    switch input {
    case .pulse(let reading?):
      beganAt = beganAt ?? now
      // The first reading can be of any age.
      if let lastSequence, lastSequence != reading.sequence { lastPulseAt = now }
      lastSequence = reading.sequence
    case .pulse(nil): beganAt = beganAt ?? now
    case .lock(let lock):
      if isLocked != lock {
        isLocked = lock
        lockChangedAt = now
      }
    case .compared(let distance, let uncertainty):
      let limit = min(PulsePairing.largestDistanceSeconds, max(Self.smallestDisagreement, 3 * uncertainty))
      disagreementsInARow = abs(distance) > limit ? min(disagreementsInARow + 1, Self.disagreementsToReport) : 0
    case .wake: break
    }
    return update(at: now)
  }

  private mutating func update(at now: Instant) -> [Action] {
    let hasPulse = lastPulseAt.map { now - $0 <= Self.longestGap } ?? false
    let sinceChange = lockChangedAt.map { now - $0 } ?? .zero
    let sincePulse = (lastPulseAt ?? beganAt).map { now - $0 } ?? .zero
    var actions: [Action] = []
    set(.pulseWithoutLock, hasPulse && isLocked == false && sinceChange >= Self.holdover, &actions)
    set(
      .lockWithoutPulse,
      !hasPulse && isLocked == true && sinceChange >= Self.timeToReport && sincePulse >= Self.timeToReport, &actions)
    set(.pulseOffSecond, hasPulse && disagreementsInARow == Self.disagreementsToReport, &actions)
    return actions
  }

  private mutating func set(_ finding: PulseFinding, _ isFound: Bool, _ actions: inout [Action]) {
    if isFound, findings.insert(finding).inserted {
      actions.append(.found(finding))
    } else if !isFound, findings.remove(finding) != nil {
      actions.append(.cleared(finding))
    }
  }
}
