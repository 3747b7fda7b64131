import Geodesy
import Testing
import TimeService

@Suite struct TimeEligibilityTests {
  private static let start: Int64 = 1_772_323_200

  private func at(_ second: Double) -> Instant { Instant(nanoseconds: Int64(second * 1e9)) }

  /// A u-blox that confirms its time and has received the leap seconds.
  private func confirmed(_ second: Double) -> TimeEvidence {
    var evidence = TimeEvidence(
      origin: .localReceiver, time: GNSSTime(nanosecondsSince1970: Self.start * 1_000_000_000 + Int64(second * 1e9)),
      validity: .confirmed, receivedAt: at(second))
    evidence.receiverConfirms = true
    evidence.leapSeconds = 18
    evidence.is3DFix = true
    evidence.isEraCertain = true
    return evidence
  }

  /// A receiver that sends NMEA only.
  private func sentence(_ second: Double) -> TimeEvidence {
    var evidence = confirmed(second)
    evidence.receiverConfirms = nil
    evidence.leapSeconds = nil
    return evidence
  }

  @Test func confirmedByTheReceiver() {
    var eligibility = TimeEligibility()
    #expect(eligibility.handle(confirmed(0), at: at(0)) == nil)
  }

  @Test(arguments: TimeOrigin.allCases) func origins(origin: TimeOrigin) {
    var eligibility = TimeEligibility()
    var evidence = confirmed(0)
    evidence.origin = origin
    let expected: TimeRefusal? =
      switch origin {
      case .localReceiver: nil
      case .gpsd, .network, .wifi: .notLocal
      case .replay, .simulator: .simulated
      }
    #expect(eligibility.handle(evidence, at: at(0)) == expected)
  }

  @Test func whatIsMissing() {
    func refusal(_ change: (inout TimeEvidence) -> Void, after delay: Double = 0) -> TimeRefusal? {
      var evidence = confirmed(0)
      change(&evidence)
      var eligibility = TimeEligibility()
      return eligibility.handle(evidence, at: at(delay))
    }
    #expect(refusal { $0.time = nil } == .noTime)
    #expect(refusal { $0.validity = .dateUnconfirmed } == .unconfirmed)
    #expect(refusal { $0.receiverConfirms = false } == .unconfirmed)
    #expect(refusal { $0.isEraCertain = false } == .eraUncertain)
    #expect(refusal { $0.qualityFlag = .jammed } == .interference)
    #expect(refusal { $0.qualityFlag = .implausible } == .interference)
    #expect(refusal { $0.qualityFlag = .frozen } == nil)
    #expect(refusal({ _ in }, after: 1) == nil)
    #expect(refusal({ _ in }, after: 1.001) == .stale)
  }

  @Test func leapSecondsOfTheReceiver() {
    func refusal(_ seconds: Int8?, isDefault: Bool, table: LeapSecondTable = LeapSecondTable()) -> TimeRefusal? {
      var evidence = confirmed(0)
      evidence.leapSeconds = seconds
      evidence.leapSecondsAreDefault = isDefault
      var eligibility = TimeEligibility(table: table)
      return eligibility.handle(evidence, at: at(0))
    }
    #expect(refusal(18, isDefault: true) == nil)
    #expect(refusal(17, isDefault: true) == .leapUncertain)
    // A satellite's value counts more than the table, which may be old.
    #expect(refusal(19, isDefault: false) == nil)
    #expect(refusal(nil, isDefault: false) == .leapUncertain)
  }

  @Test func tableOfLeapSeconds() {
    let table = LeapSecondTable()
    func seconds(_ since1970: Int64) -> Int8? {
      table.seconds(at: GNSSTime(nanosecondsSince1970: since1970 * 1_000_000_000))
    }
    // Before and after the leap second at the end of 2016.
    #expect(seconds(1_483_228_799) == 17 && seconds(1_483_228_800) == 18)
    #expect(seconds(915_148_799) == nil && seconds(915_148_800) == 13)
    #expect(seconds(1_782_604_800) == 18 && seconds(1_782_604_801) == nil)
    let later = LeapSecondTable(validUntil: GNSSTime(nanosecondsSince1970: 1_798_243_200_000_000_000))
    #expect(later.seconds(at: GNSSTime(nanosecondsSince1970: 1_798_000_000_000_000_000)) == 18)
  }

  /// NMEA: three fixes of consecutive seconds, and fifteen minutes of fixes.
  @Test func sentencesNeedFifteenMinutes() {
    var eligibility = TimeEligibility()
    var first: Int?
    for second in 0..<1000 {
      let refusal = eligibility.handle(sentence(Double(second)), at: at(Double(second)))
      if second < 2 { #expect(refusal == .unconfirmed) }
      if second >= 2, first == nil { #expect(refusal == (second < 900 ? .leapUncertain : nil)) }
      if refusal == nil, first == nil { first = second }
    }
    #expect(first == 900)
    // A short loss does not make it forget the leap seconds, but its fixes must be consecutive again.
    var lost = sentence(1000)
    lost.is3DFix = false
    #expect(eligibility.handle(lost, at: at(1000)) == .unconfirmed)
    #expect(eligibility.handle(sentence(1001), at: at(1001)) == .unconfirmed)
    #expect(eligibility.handle(sentence(1002), at: at(1002)) == .unconfirmed)
    #expect(eligibility.handle(sentence(1003), at: at(1003)) == nil)
    eligibility.receiverRestarted()
    for second in 1004..<1010 { #expect(eligibility.handle(sentence(Double(second)), at: at(Double(second))) != nil) }
  }

  @Test func secondsCountAndNotEpochs() {
    var eligibility = TimeEligibility()
    var refusals: [TimeRefusal?] = []
    for epoch in 0..<15 {
      let second = Double(epoch) / 5
      var evidence = sentence(second)
      evidence.leapSeconds = 18
      evidence.cycle = .milliseconds(200)
      refusals.append(eligibility.handle(evidence, at: at(second)))
    }
    #expect(refusals.prefix(10).allSatisfy { $0 == .unconfirmed } && refusals.suffix(5).allSatisfy { $0 == nil })
    // A second is missing.
    var evidence = sentence(4)
    evidence.leapSeconds = 18
    #expect(eligibility.handle(evidence, at: at(4)) == .unconfirmed)
  }

  @Test func interferenceLasts() {
    var eligibility = TimeEligibility()
    var jammed = confirmed(0)
    jammed.qualityFlag = .jammed
    #expect(eligibility.handle(jammed, at: at(0)) == .interference)
    #expect(eligibility.handle(confirmed(299), at: at(299)) == .interference && eligibility.isInterfered(at: at(299)))
    #expect(eligibility.handle(confirmed(300), at: at(300)) == nil && !eligibility.isInterfered(at: at(300)))
  }
}
