package import Geodesy

/// Decides whether the device is in the range of beacons that satisfy a constraint, with little use of the radio.
///
/// While nothing is nearby, the radio listens for 30 ms of each 300 ms. A first packet makes it listen all the time for five seconds;
/// a second one within them is the entry. The exit follows 30 seconds after the last packet.
package struct BeaconMonitor: Sendable {
  /// The inputs of the machine.
  package enum Input: Sendable {
    /// Monitors a constraint under a name, in place of another one with that name.
    case add(String, BeaconConstraint, wasInside: Bool? = nil)
    case remove(String)
    case packet(BeaconIdentity)
    /// The radio can be used, or it cannot: while it cannot, nothing is known about beacons, and no exit is reported.
    case radio(isAvailable: Bool)
    /// `nextDeadline` was reached. Calling early is harmless.
    case wake
  }

  /// How the radio listens.
  package enum Duty: Hashable, Sendable {
    case off
    /// 30 ms of each 300 ms.
    case low
    case full
  }

  /// The outputs of the machine.
  package enum Action: Hashable, Sendable {
    case listen(Duty)
    /// The state became known without a crossing: it had been unknown.
    case determined(String, isInside: Bool)
    case entered(String, BeaconIdentity)
    case exited(String)
  }

  /// Names of one client.
  package static let maximumNames = 20
  private static let confirmation = Duration.seconds(5)
  private static let exitAfter = Duration.seconds(30)

  private struct Entry {
    let constraint: BeaconConstraint
    /// `nil`: unknown.
    var isInside: Bool?
    /// When the last packet arrived, or when the radio became available.
    var silentSince: Instant?
    /// A first packet that has to be confirmed until then.
    var confirmUntil: Instant?
  }

  private var entries: [String: Entry] = [:]
  private var isAvailable = true
  private var duty = Duty.off

  /// A machine that monitors nothing.
  package init() {}

  /// Whether the device is in range; `nil` if that is unknown, or if nothing is monitored under this name.
  package func isInside(_ name: String) -> Bool? { entries[name]?.isInside }

  /// When `wake` is due.
  package var nextDeadline: Instant? {
    guard isAvailable else { return nil }
    return entries.values.reduce(nil) { earliest, entry in
      let exit = entry.isInside == false ? nil : entry.silentSince.map { $0 + Self.exitAfter }
      return Instant.earlier(earliest, Instant.earlier(entry.confirmUntil, exit))
    }
  }

  /// Takes an input. A name beyond `maximumNames` is not accepted.
  package mutating func handle(_ input: Input, at now: Instant) -> [Action] {
    var actions: [Action] = []
    switch input {
    case .add(let name, let constraint, let wasInside):
      guard entries[name] != nil || entries.count < Self.maximumNames else { return [] }
      entries[name] = Entry(constraint: constraint, isInside: wasInside, silentSince: now)
    case .remove(let name):
      entries[name] = nil
    case .packet(let identity):
      guard isAvailable else { return [] }
      for name in entries.keys.sorted() { actions += note(identity, name, at: now) }
    case .radio(let isAvailable):
      self.isAvailable = isAvailable
      for name in entries.keys {
        entries[name]?.silentSince = isAvailable ? now : nil
        entries[name]?.confirmUntil = nil
      }
    case .wake:
      guard isAvailable else { return [] }
      for name in entries.keys.sorted() { actions += expire(name, at: now) }
    }
    return actions + changeOfDuty()
  }

  private mutating func note(_ identity: BeaconIdentity, _ name: String, at now: Instant) -> [Action] {
    guard var entry = entries[name], entry.constraint.matches(identity) else { return [] }
    defer { entries[name] = entry }
    entry.silentSince = now
    if entry.isInside == true { return [] }
    guard let until = entry.confirmUntil, now <= until else {
      entry.confirmUntil = now + Self.confirmation
      return []
    }
    let wasKnown = entry.isInside != nil
    entry.isInside = true
    entry.confirmUntil = nil
    return wasKnown ? [.entered(name, identity)] : [.determined(name, isInside: true)]
  }

  private mutating func expire(_ name: String, at now: Instant) -> [Action] {
    guard var entry = entries[name] else { return [] }
    defer { entries[name] = entry }
    if let until = entry.confirmUntil, now >= until { entry.confirmUntil = nil }
    guard let since = entry.silentSince, now - since >= Self.exitAfter, entry.isInside != false else { return [] }
    let wasInside = entry.isInside == true
    entry.isInside = false
    return wasInside ? [.exited(name)] : [.determined(name, isInside: false)]
  }

  private mutating func changeOfDuty() -> [Action] {
    let needed: Duty =
      entries.isEmpty || !isAvailable ? .off : entries.values.contains { $0.confirmUntil != nil } ? .full : .low
    guard needed != duty else { return [] }
    duty = needed
    return [.listen(needed)]
  }
}
