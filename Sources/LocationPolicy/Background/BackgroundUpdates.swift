/// Whether a client's updates continue while it is in the background (Documentation/Behavior.md, "Authorization"), and whether the
/// use has to be indicated.
///
/// They continue if the client allows it on its manager, and either has always or started them in the foreground. Otherwise they
/// are suspended without notice to the client, and resume in the foreground. A client that was never in the foreground and cannot
/// come there (a service, a cron job) has no foreground to resume in: with always its updates continue, whatever it allows.
package struct BackgroundUpdates: Hashable, Sendable {
  /// The inputs of the machine.
  package enum Input: Hashable, Sendable {
    case start
    case stop
    case foreground(Bool)
    /// `allowsBackgroundLocationUpdates`.
    case allows(Bool)
    /// Authorized for always, not only for when-in-use.
    case always(Bool)
  }

  /// What the caller has to do.
  package enum Action: Hashable, Sendable {
    /// Stop the sources of this client without notifying it.
    case suspend
    /// Start them again.
    case resume
    /// Show or hide that the client uses location in the background.
    case indicator(isShown: Bool)
  }

  private enum State: Hashable {
    case stopped
    case running(Run)
  }

  private struct Run: Hashable {
    /// Started in the foreground, or in the foreground again since.
    var isOfForeground: Bool
    var isSuspended = false
    var isShown = false
  }

  private var isInForeground: Bool
  private let hasForeground: Bool
  private var isAllowed: Bool
  private var isAlways: Bool
  private var state = State.stopped

  /// A machine for one manager's updates.
  ///
  /// - Parameter hasForeground: whether the client has been in the foreground, or can come there.
  package init(isInForeground: Bool, hasForeground: Bool = true, isAllowed: Bool = false, isAlways: Bool) {
    self.isInForeground = isInForeground
    self.hasForeground = hasForeground || isInForeground
    self.isAllowed = isAllowed
    self.isAlways = isAlways
  }

  /// Whether updates run but are suspended.
  package var isSuspended: Bool {
    if case .running(let run) = state { run.isSuspended } else { false }
  }

  /// Handles one input and returns what the caller has to do.
  package mutating func handle(_ input: Input) -> [Action] {
    switch input {
    case .start:
      if case .stopped = state { state = .running(Run(isOfForeground: isInForeground)) }
    case .stop:
      guard case .running(let run) = state else { return [] }
      state = .stopped
      return run.isShown ? [.indicator(isShown: false)] : []
    case .foreground(let isInForeground): self.isInForeground = isInForeground
    case .allows(let isAllowed): self.isAllowed = isAllowed
    case .always(let isAlways): self.isAlways = isAlways
    }
    return settle()
  }

  /// Updates the state; returns the resulting actions.
  private mutating func settle() -> [Action] {
    guard case .running(var run) = state else { return [] }
    let (wasSuspended, wasShown) = (run.isSuspended, run.isShown)
    // Updates that were suspended in the background count as started in the foreground only after the client has been there again.
    if isInForeground { run.isOfForeground = true }
    let goesOn = isAllowed && (isAlways || run.isOfForeground) || isAlways && !hasForeground
    run.isSuspended = !isInForeground && !goesOn
    run.isShown = !isInForeground && !run.isSuspended && !isAlways
    state = .running(run)
    var actions: [Action] = []
    if run.isSuspended != wasSuspended { actions.append(run.isSuspended ? .suspend : .resume) }
    if run.isShown != wasShown { actions.append(.indicator(isShown: run.isShown)) }
    return actions
  }
}
