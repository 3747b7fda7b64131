import Geodesy
import LocationdService
import Testing

/// How much of the service's processor time the requests of one user may take.
@Suite struct ProcessorBudgetTests {
  private let start = Instant(nanoseconds: 1_000_000_000)

  @Test func lightClientsAreNeverThrottled() {
    var budget = ProcessorBudget()
    for second in 0..<100 {
      let now = start + .seconds(second)
      #expect(budget.pauseEnd(of: 1000, at: now) == nil)
      budget.charge(.milliseconds(90), to: 1000, at: now)
    }
  }

  /// Over any long time, a user gets its share and no more, whatever other users do.
  @Test func greedyClientsGetTheirShare() {
    var budget = ProcessorBudget()
    var (now, spent) = (start, Duration.zero)
    while now < start + .seconds(60) {
      if let end = budget.pauseEnd(of: 1000, at: now) {
        now = end
        #expect(budget.pauseEnd(of: 1000, at: now) == nil)
      } else {
        spent += .milliseconds(5)
        now = now + .milliseconds(5)
        budget.charge(.milliseconds(5), to: 1000, at: now)
      }
      #expect(budget.pauseEnd(of: 1001, at: now) == nil)
    }
    #expect(spent > .milliseconds(5900) && spent < .milliseconds(6200), "\(spent)")
  }

  /// Users are forgotten when they have no debt; however many users there are, memory is bounded and no debt is lost.
  @Test func manyUsersAreBounded() {
    var budget = ProcessorBudget()
    budget.charge(.seconds(100), to: 7, at: start)
    for user in 0..<UInt32(10 * ProcessorBudget.mostUsers) { budget.charge(.milliseconds(1), to: user + 8, at: start) }
    #expect(budget.pauseEnd(of: 7, at: start) != nil)
    let later = start + .seconds(1)
    budget.charge(.seconds(1), to: 999_999, at: later)
    #expect(budget.pauseEnd(of: 999_999, at: later) != nil && budget.pauseEnd(of: 7, at: later) != nil)
  }
}
