import LocationPolicy
import Testing

@Suite struct BackgroundUpdatesTests {
  @Test func withoutLeaveUpdatesJustStopAndGoOn() {
    var machine = BackgroundUpdates(isInForeground: true, isAlways: false)
    #expect(machine.handle(.start) == [])
    #expect(machine.handle(.foreground(false)) == [.suspend])
    #expect(machine.isSuspended)
    #expect(machine.handle(.foreground(false)) == [])
    #expect(machine.handle(.foreground(true)) == [.resume])
    #expect(machine.handle(.stop) == [])
  }

  @Test func whileInUseGoesOnWithTheIndicator() {
    var machine = BackgroundUpdates(isInForeground: true, isAllowed: true, isAlways: false)
    _ = machine.handle(.start)
    #expect(machine.handle(.foreground(false)) == [.indicator(isShown: true)])
    #expect(machine.handle(.stop) == [.indicator(isShown: false)])
    // Updates that begin in the background are suspended until the program has been in the foreground.
    #expect(machine.handle(.start) == [.suspend])
    #expect(machine.handle(.foreground(true)) == [.resume])
    #expect(machine.handle(.foreground(false)) == [.indicator(isShown: true)])
    #expect(machine.handle(.allows(false)) == [.suspend, .indicator(isShown: false)])
    #expect(machine.handle(.allows(true)) == [.resume, .indicator(isShown: true)])
  }

  @Test func whatHasNoForegroundNeedsNoLeaveButAlways() {
    var machine = BackgroundUpdates(isInForeground: false, hasForeground: false, isAlways: true)
    #expect(machine.handle(.start) == [] && !machine.isSuspended)
    #expect(machine.handle(.always(false)) == [.suspend])
    #expect(machine.handle(.always(true)) == [.resume])
    // A client in a session has been in the foreground, and is suspended when its session ends.
    var other = BackgroundUpdates(isInForeground: true, hasForeground: false, isAlways: true)
    #expect(other.handle(.start) == [])
    #expect(other.handle(.foreground(false)) == [.suspend])
  }

  @Test func alwaysShowsNothing() {
    var machine = BackgroundUpdates(isInForeground: false, isAllowed: true, isAlways: true)
    #expect(machine.handle(.start) == [])
    #expect(machine.handle(.always(false)) == [.suspend])
    #expect(machine.handle(.always(true)) == [.resume])
  }

  /// Every sequence of six inputs from every initial state: the sum of the actions corresponds to the state.
  @Test func randomInputKeepsTheTotalsConsistent() {
    let inputs: [BackgroundUpdates.Input] = [
      .start, .stop, .foreground(true), .foreground(false), .allows(true), .allows(false), .always(true),
      .always(false),
    ]
    for bits in 0..<8 {
      let beginning = BackgroundUpdates(
        isInForeground: bits & 1 != 0, isAllowed: bits & 2 != 0, isAlways: bits & 4 != 0)
      explore(beginning, Facts(bits: bits), inputs, depth: 5)
    }
  }

  private struct Facts {
    var isRunning = false, isInForeground: Bool, isAllowed: Bool, isAlways: Bool
    var hasBeenInForeground = false, isSuspended = false, isShown = false

    init(bits: Int) {
      isInForeground = bits & 1 != 0
      isAllowed = bits & 2 != 0
      isAlways = bits & 4 != 0
    }
  }

  private func explore(
    _ machine: BackgroundUpdates, _ facts: Facts, _ inputs: [BackgroundUpdates.Input], depth: Int
  ) {
    guard depth > 0 else { return }
    for input in inputs {
      var (machine, facts) = (machine, facts)
      let actions = machine.handle(input)
      switch input {
      case .start:
        if !facts.isRunning { facts.hasBeenInForeground = facts.isInForeground }
        facts.isRunning = true
      case .stop: (facts.isRunning, facts.isSuspended) = (false, false)
      case .foreground(let value): facts.isInForeground = value
      case .allows(let value): facts.isAllowed = value
      case .always(let value): facts.isAlways = value
      }
      if facts.isRunning, facts.isInForeground { facts.hasBeenInForeground = true }
      for action in actions {
        switch action {
        case .suspend: facts.isSuspended = true
        case .resume: facts.isSuspended = false
        case .indicator(let isShown):
          if isShown == facts.isShown { Issue.record("said twice") }
          facts.isShown = isShown
        }
      }
      let mayRun = facts.isInForeground || facts.isAllowed && (facts.isAlways || facts.hasBeenInForeground)
      let isWrong =
        facts.isSuspended != (facts.isRunning && !mayRun) || machine.isSuspended != facts.isSuspended
        || facts.isShown != (facts.isRunning && mayRun && !facts.isInForeground && !facts.isAlways)
      if isWrong { Issue.record("\(input): \(facts), \(actions)") }
      explore(machine, facts, inputs, depth: depth - 1)
    }
  }
}
