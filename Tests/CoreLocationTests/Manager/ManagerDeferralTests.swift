import Foundation
import Geodesy
import LocationIPC
import LocationPolicy
import TestSupport
import Testing

@testable import CoreLocation

/// A manager whose updates are deferred: what it asks of the service, and what its delegate learns.
@Suite struct ManagerDeferralTests {
  private static let (stream, first, second) = (RequestID(1), RequestID(2), RequestID(3))
  private static let quarter = DeferralLimits(timeout: .seconds(900))

  private static func fix(_ epoch: Int64) -> PositionFix {
    PositionFix(
      time: GNSSTime(nanosecondsSince1970: epoch * 1_000_000_000), timeValidity: .confirmed,
      receivedAt: Instant(nanoseconds: epoch * 1_000_000_000),
      coordinate: Coordinate(latitude: Angle(degrees: 47), longitude: Angle(degrees: 8)),
      horizontalRadius68: Meters(3), kind: .threeDimensional, technologies: .gnss)
  }

  private static func batch(_ epochs: ClosedRange<Int64>) -> (FixBatch, [PositionFix]) {
    let fixes = epochs.map { fix($0) }
    return (FixBatch(fixes), fixes)
  }

  /// A manager that updates, and whose updates are deferred by the request `first`.
  private static func deferring() -> ManagerMachine {
    var machine = ManagerMachine(numbers: RequestNumbers())
    #expect(machine.handle(.start(UpdateOptions())) == [.startUpdates(stream, UpdateOptions())])
    #expect(machine.handle(.allowDeferral(quarter)) == [.deferUpdates(first, of: stream, quarter)])
    #expect(machine.isDeferring)
    return machine
  }

  @Test func aCallEndsWhenTheServiceSaysSo() {
    var machine = Self.deferring()
    let (batch, fixes) = Self.batch(1...5)
    #expect(machine.handle(.batch(Self.stream, batch)) == [.deliverTogether(fixes)])
    #expect(machine.handle(.deferralEnded(Self.first, nil)) == [.finishDeferral(.reached)])
    #expect(machine.handle(.deferralEnded(Self.first, nil)) == [])
    #expect(!machine.isDeferring)
    // The stream continues.
    #expect(machine.handle(.stream(Self.stream, .reply(.fix(Self.fix(6), age: .zero)))) == [.deliver(Self.fix(6))])
  }

  @Test(arguments: [
    (LocationFailure.deferral(.failed), DeferralOutcome.failed(.failed)),
    (.deferral(.accuracyTooLow), .failed(.accuracyTooLow)), (.serviceLost(path: "/socket"), .failed(.failed)),
    (.tooManyRequests(limit: 64), .failed(.failed)),
    (.notAuthorized(.needsFullAccuracy(always: true), identity: nil), .denied),
    (.notAuthorized(.denied(inBackground: true), identity: nil), .denied),
  ])
  func aCallFailsWithTheServicesReason(failure: LocationFailure, outcome: DeferralOutcome) {
    var machine = Self.deferring()
    #expect(machine.handle(.deferralEnded(Self.first, failure)) == [.finishDeferral(outcome)])
  }

  /// The checks of the call itself; the service is not asked.
  @Test func conditionsAreCheckedOnCall() {
    var machine = ManagerMachine(numbers: RequestNumbers())
    #expect(machine.handle(.allowDeferral(Self.quarter)) == [.finishDeferral(.failed(.notUpdating))])
    #expect(machine.handle(.allowDeferral(nil)) == [.finishDeferral(.failed(.failed))])
    _ = machine.handle(.request(OneShotOptions()))
    #expect(machine.handle(.allowDeferral(Self.quarter)) == [.finishDeferral(.failed(.notUpdating))])
    let cases: [(UpdateOptions, DeferralFailure)] = [
      (UpdateOptions(sufficientRadius68: Meters(10)), .accuracyTooLow),
      (UpdateOptions(distanceFilter: Meters(10)), .distanceFiltered),
    ]
    for (options, failure) in cases {
      var machine = ManagerMachine(numbers: RequestNumbers())
      _ = machine.handle(.start(options))
      #expect(machine.handle(.allowDeferral(Self.quarter)) == [.finishDeferral(.failed(failure))])
      #expect(machine.handle(.disallowDeferral) == [])
      #expect(machine.handle(.stop) == [.cancel(Self.stream)])
    }
  }

  @Test func aSecondCallEndsTheFirstAtTheService() {
    var machine = Self.deferring()
    #expect(machine.handle(.allowDeferral(Self.quarter)) == [.deferUpdates(Self.second, of: Self.stream, Self.quarter)])
    let (batch, fixes) = Self.batch(1...2)
    #expect(machine.handle(.batch(Self.stream, batch)) == [.deliverTogether(fixes)])
    #expect(
      machine.handle(.deferralEnded(Self.first, .deferral(.canceled))) == [.finishDeferral(.failed(.canceled))])
    #expect(machine.handle(.deferralEnded(Self.second, nil)) == [.finishDeferral(.reached)])
  }

  /// The second call cannot succeed: its failure comes after the end of the first.
  @Test func aSecondCallThatIsRefusedEndsTheFirst() {
    var machine = Self.deferring()
    #expect(machine.handle(.allowDeferral(nil)) == [.deferUpdates(Self.second, of: Self.stream, .ended)])
    #expect(
      machine.handle(.deferralEnded(Self.first, .deferral(.canceled))) == [.finishDeferral(.failed(.canceled))])
    #expect(machine.handle(.deferralEnded(Self.second, nil)) == [.finishDeferral(.failed(.failed))])
    #expect(!machine.isDeferring)
  }

  @Test func disallowDeliversWhatIsHeldAndCancels() {
    var machine = Self.deferring()
    #expect(machine.handle(.disallowDeferral) == [.deferUpdates(Self.second, of: Self.stream, .ended)])
    let (batch, fixes) = Self.batch(1...2)
    #expect(machine.handle(.batch(Self.stream, batch)) == [.deliverTogether(fixes)])
    #expect(
      machine.handle(.deferralEnded(Self.first, .deferral(.canceled))) == [.finishDeferral(.failed(.canceled))])
    // Of its own request the client learns nothing.
    #expect(machine.handle(.deferralEnded(Self.second, nil)) == [])
    #expect(machine.handle(.disallowDeferral) == [])
  }

  @Test func aStopDeliversWhatIsHeldAndThenEndsTheStream() {
    var machine = Self.deferring()
    #expect(machine.handle(.stop) == [.deferUpdates(Self.second, of: Self.stream, .ended)])
    #expect(machine.isIdle && machine.isDeferring)
    // A single fix that was under way is not delivered any more.
    #expect(machine.handle(.stream(Self.stream, .reply(.fix(Self.fix(1), age: .zero)))) == [])
    let (batch, fixes) = Self.batch(1...2)
    #expect(machine.handle(.batch(Self.stream, batch)) == [.deliverTogether(fixes)])
    #expect(
      machine.handle(.deferralEnded(Self.first, .deferral(.canceled))) == [.finishDeferral(.failed(.canceled))])
    #expect(machine.handle(.deferralEnded(Self.second, nil)) == [.cancel(Self.stream)])
    #expect(!machine.isDeferring)
    #expect(machine.handle(.batch(Self.stream, batch)) == [])
  }

  @Test func updatesThatStartAgainAreNotThoseThatEnd() {
    var machine = Self.deferring()
    _ = machine.handle(.stop)
    let next = RequestID(4)
    #expect(machine.handle(.start(UpdateOptions())) == [.startUpdates(next, UpdateOptions())])
    #expect(
      machine.handle(.deferralEnded(Self.first, .deferral(.canceled))) == [.finishDeferral(.failed(.canceled))])
    #expect(machine.handle(.deferralEnded(Self.second, nil)) == [.cancel(Self.stream)])
    #expect(machine.handle(.stream(next, .reply(.fix(Self.fix(1), age: .zero)))) == [.deliver(Self.fix(1))])
    #expect(machine.handle(.stop) == [.cancel(next)])
  }

  /// A setting that ends the conditions is the reason of the end.
  @Test(arguments: [
    (UpdateOptions(sufficientRadius68: Meters(100)), DeferralFailure.accuracyTooLow),
    (UpdateOptions(activity: .fitness), .canceled),
  ])
  func aSettingThatRestartsTheUpdatesEndsTheCall(options: UpdateOptions, failure: DeferralFailure) {
    var machine = Self.deferring()
    #expect(
      machine.handle(.change(options)) == [
        .deferUpdates(RequestID(4), of: Self.stream, .ended), .startUpdates(Self.second, options),
      ])
    let (batch, fixes) = Self.batch(1...2)
    #expect(machine.handle(.batch(Self.stream, batch)) == [.deliverTogether(fixes)])
    #expect(machine.handle(.deferralEnded(Self.first, .deferral(.canceled))) == [.finishDeferral(.failed(failure))])
    #expect(machine.handle(.deferralEnded(RequestID(4), nil)) == [.cancel(Self.stream)])
  }

  @Test func aDistanceFilterEndsTheCallAndKeepsTheStream() {
    var machine = Self.deferring()
    #expect(
      machine.handle(.change(UpdateOptions(distanceFilter: Meters(10)))) == [
        .deferUpdates(Self.second, of: Self.stream, .ended)
      ])
    #expect(
      machine.handle(.deferralEnded(Self.first, .deferral(.canceled))) == [
        .finishDeferral(.failed(.distanceFiltered))
      ])
    #expect(machine.handle(.deferralEnded(Self.second, nil)) == [])
    #expect(!machine.isIdle)
  }

  @Test func aStreamThatFailsLeavesTheEndOfTheCallToTheService() {
    var machine = Self.deferring()
    #expect(machine.handle(.stream(Self.stream, .failed(.noSource))) == [.fail(.locationUnknown)])
    #expect(
      machine.handle(.deferralEnded(Self.first, .deferral(.notUpdating))) == [.finishDeferral(.failed(.notUpdating))])
  }

  /// The first fix of a batch may be the one with which the updates began.
  @Test func aKnownFixIsNotRepeated() {
    var machine = Self.deferring()
    #expect(machine.handle(.known(Self.fix(1))) == [.deliver(Self.fix(1))])
    let (batch, fixes) = Self.batch(1...3)
    #expect(machine.handle(.batch(Self.stream, batch)) == [.deliverTogether(Array(fixes[1...]))])
  }

  /// In random sequences every call ends exactly once, and every stream is canceled or over at the end.
  @Test func everyCallEndsOnce() {
    var random = SplitMix64(seed: 5)
    for _ in 0..<3000 {
      var machine = ManagerMachine(numbers: RequestNumbers())
      var service = Service()
      var (made, ended) = (0, 0)
      func settle(_ actions: [ManagerMachine.Action]) {
        for action in actions {
          if case .finishDeferral = action { ended += 1 } else { service.receive(action) }
        }
      }
      for _ in 0..<12 {
        switch Int.random(in: 0...7, using: &random) {
        case 0: settle(machine.handle(.start(UpdateOptions())))
        case 1: settle(machine.handle(.stop))
        case 2, 3:
          made += 1
          settle(machine.handle(.allowDeferral(Bool.random(using: &random) ? nil : Self.quarter)))
        case 4: settle(machine.handle(.disallowDeferral))
        case 5:
          let options = [
            UpdateOptions(), UpdateOptions(activity: .fitness), UpdateOptions(distanceFilter: Meters(5)),
            UpdateOptions(sufficientRadius68: Meters(100)),
          ]
          settle(machine.handle(.change(options[Int.random(in: 0...3, using: &random)])))
        default:
          guard let input = service.next(&random) else { continue }
          settle(machine.handle(input))
        }
      }
      settle(machine.handle(.stop))
      while let input = service.next(&random, isAtEnd: true) { settle(machine.handle(input)) }
      #expect(made == ended)
      #expect(service.streams.isEmpty && !machine.isDeferring)
    }
  }

  /// The service, which ends a call of a stream when another one of that stream arrives.
  private struct Service {
    private(set) var streams: Set<RequestID> = []
    private var active: [RequestID: RequestID] = [:]
    private var answers: [ManagerMachine.Input] = []

    mutating func receive(_ action: ManagerMachine.Action) {
      switch action {
      case .startUpdates(let id, _): streams.insert(id)
      case .cancel(let id):
        streams.remove(id)
        if let call = active.removeValue(forKey: id) { answers.append(.deferralEnded(call, .deferral(.notUpdating))) }
      case .deferUpdates(let call, let stream, let limits):
        if let old = active.removeValue(forKey: stream) { answers.append(.deferralEnded(old, .deferral(.canceled))) }
        if !streams.contains(stream) {
          answers.append(.deferralEnded(call, .deferral(.notUpdating)))
        } else if limits == .ended {
          answers.append(.deferralEnded(call, nil))
        } else {
          active[stream] = call
        }
      case .deliver, .deliverTogether, .finishDeferral, .locate, .fail, .pause, .resume: break
      }
    }

    /// The next answer; without one, a call is over, or a stream fails.
    mutating func next(_ random: inout SplitMix64, isAtEnd: Bool = false) -> ManagerMachine.Input? {
      if !answers.isEmpty { return answers.removeFirst() }
      guard !isAtEnd, let (stream, call) = active.sorted(by: { $0.key.rawValue < $1.key.rawValue }).first else {
        return nil
      }
      active[stream] = nil
      guard Bool.random(using: &random) else { return .deferralEnded(call, nil) }
      streams.remove(stream)
      answers.append(.deferralEnded(call, .deferral(.notUpdating)))
      return .stream(stream, .failed(.noSource))
    }
  }

  // MARK: Arguments and errors

  @Test func argumentsHaveTheseMeanings() throws {
    let none = try #require(DeferralLimits(untilTraveled: CLLocationDistanceMax, timeout: CLTimeIntervalMax))
    #expect(none == DeferralLimits())
    #expect(DeferralLimits(untilTraveled: .infinity, timeout: .infinity) == DeferralLimits())
    #expect(
      DeferralLimits(untilTraveled: 500, timeout: 1.5)
        == DeferralLimits(distance: Meters(500), timeout: .milliseconds(1500)))
    #expect(DeferralLimits(untilTraveled: 0, timeout: 0) == DeferralLimits(distance: Meters(0), timeout: .zero))
    for (distance, timeout) in [(-1, 1), (1, -1), (.nan, 1), (1, .nan), (-.infinity, 1)] as [(Double, Double)] {
      #expect(DeferralLimits(untilTraveled: distance, timeout: timeout) == nil)
    }
  }

  @Test func outcomesHaveTheseErrors() {
    #expect(CLError.Code(DeferralOutcome.reached) == nil)
    #expect(CLError.Code(DeferralOutcome.denied) == .denied)
    let codes = DeferralFailure.allCases.map { CLError.Code(DeferralOutcome.failed($0)) }
    #expect(
      codes == [
        .deferredFailed, .deferredNotUpdatingLocation, .deferredAccuracyTooLow, .deferredDistanceFiltered,
        .deferredCanceled,
      ])
  }

  /// Deferred locations are one callback each, whatever waits before and after them.
  @Test func aBatchIsOneCallback() {
    var waiting = WaitingOutcomes()
    let location = CLLocation(latitude: 47, longitude: 8)
    _ = waiting.add(location)
    waiting.add([CLLocation](repeating: location, count: 900))
    _ = waiting.add(location)
    waiting.add(.deferralFinished(nil))
    var counts: [Int] = []
    while let outcome = waiting.next() {
      switch outcome {
      case .locations(let locations), .deferredLocations(let locations): counts.append(locations.count)
      case .deferralFinished: counts.append(0)
      default: Issue.record("\(outcome)")
      }
    }
    #expect(counts == [1, 900, 1, 0])
    // A client whose run loop does not run loses the oldest.
    for count in 1...10 { waiting.add([CLLocation](repeating: location, count: count)) }
    #expect(waiting.count == 4)
  }
}
