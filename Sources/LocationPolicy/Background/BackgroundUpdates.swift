/// Whether a client's updates go on while it is in the background (Documentation/Behavior.md, "Authorization"), and whether it has
/// to be shown.
///
/// They do where it allows them on its manager, and is authorized for always, or began them in the foreground. Otherwise they
/// stop underneath, without a word, and go on in the foreground. A client that never was in the foreground and cannot come there
/// (a service, a cron job) has none to go back to: with always its updates go on, whatever it allows.
package struct BackgroundUpdates: Hashable, Sendable {
  /// What the machine is told.
  package enum Input: Hashable, Sendable {
    case start
    case stop
    case foreground(Bool)
    /// `allowsBackgroundLocationUpdates`.
    case allows(Bool)
    /// Authorized for always, not only while in use.
    case always(Bool)
  }

  /// What the shell is to do.
  package enum Action: Hashable, Sendable {
    /// Stop the sources of this client; it is not told.
    case suspend
    /// Start them again.
    case resume
    /// Show that it uses location in the background, or no more.
    case indicator(isShown: Bool)
  }

  private enum State: Hashable {
    case stopped
    case running(Run)
  }

  private struct Run: Hashable {
    /// Begun, or seen again, in the foreground.
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

  /// Whether updates run and are held back.
  package var isSuspended: Bool {
    if case .running(let run) = state { run.isSuspended } else { false }
  }

  /// Takes one input and says what to do about it.
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

  /// What follows from how things are now.
  private mutating func settle() -> [Action] {
    guard case .running(var run) = state else { return [] }
    let (wasSuspended, wasShown) = (run.isSuspended, run.isShown)
    // One that was suspended in the background is no session of the foreground until it has been there again.
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
