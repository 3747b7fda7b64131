import Geodesy
import LocationIPC
import LocationdService
import TestSupport
import Testing

/// A device on its way from gpsd, or to it: each line is one thing that happens.
@Suite struct HandoverTests {
  private let start = Instant(nanoseconds: 1_000_000_000_000)

  private func at(_ seconds: Double) -> Instant { start + .milliseconds(Int64(seconds * 1000)) }

  @Test(arguments: [(DeviceOwner.locationd, false), (.gpsd, true)])
  func applyingTwiceChangesNothing(owner: DeviceOwner, isListed: Bool) {
    var handover = Handover.chosen(owner)
    #expect(handover.handle(.listed(isListed), at: at(0)) == [.concluded(nil)])
    #expect(!handover.hasAsked && !handover.isLeaving)
  }

  // MARK: - To the service

  @Test func whatGPSDListsIsTakenFromIt() {
    var handover = Handover.chosen(.locationd)
    #expect(handover.isUndecided)
    #expect(handover.handle(.listed(true), at: at(0)) == [.ask])
    #expect(handover.isUndecided, "nobody opens it before gpsd has closed it")
    #expect(handover.handle(.answered(nil), at: at(0)) == [.listDevices])
    #expect(handover.handle(.listed(false), at: at(0)) == [.concluded(nil)])
    #expect(!handover.isUndecided && !handover.isLeaving)
    #expect(handover.nextDeadline == nil)
  }

  /// gpsd may have answered another question before it let go.
  @Test func aListThatWasUnderWayIsNotAccepted() {
    var handover = Handover.chosen(.locationd)
    _ = handover.handle(.listed(true), at: at(0))
    _ = handover.handle(.answered(nil), at: at(0))
    #expect(handover.handle(.listed(true), at: at(0.1)) == [])
    #expect(handover.isUndecided)
    #expect(handover.nextDeadline == at(0.35))
    #expect(handover.handle(.wake, at: at(0.2)) == [], "too early")
    #expect(handover.handle(.wake, at: at(0.35)) == [.listDevices])
    #expect(handover.handle(.listed(false), at: at(0.4)) == [.concluded(nil)])
  }

  /// It lists it under two names, or somebody gives it back at once: five attempts, each later than the one before, then only
  /// looks.
  @Test func itDoesNotFight() {
    var handover = Handover.chosen(.locationd)
    var asked: [Double] = []
    var looked = 0
    var now = 0.0
    var actions = handover.handle(.listed(true), at: at(now))
    while now < 3600 {
      var next: [Handover.Action] = []
      for action in actions {
        switch action {
        case .ask:
          asked.append(now)
          next += handover.handle(.answered(.refused), at: at(now))
        case .listDevices:
          looked += 1
          next += handover.handle(.listed(true), at: at(now))
        case .concluded(let problem): #expect(problem == .refused)
        case .leave: Issue.record("it is not to leave")
        }
      }
      if next.isEmpty, let deadline = handover.nextDeadline {
        #expect(!handover.isUndecided, "meanwhile it is gpsd's")
        now = max(now, Double((deadline - start).components.seconds))
        next = handover.handle(.wake, at: deadline)
      }
      actions = next
    }
    #expect(asked == [0, 1, 3, 7, 15])
    // Once a minute: what gpsd lets go by itself is taken then.
    #expect((60...75).contains(looked))
    #expect(handover.handle(.listed(false), at: at(now)) == [.concluded(nil)])
  }

  /// What no attempt will change is not attempted again.
  @Test(arguments: [
    HandoverProblem.denied(socket: "/run/gpsd.sock"), .noSocket("/run/gpsd.sock"), .elsewhere(gpsd: "other:2947"),
    .unminded,
  ])
  func unqueryableReceiversAreOnlyObserved(problem: HandoverProblem) {
    var handover = Handover.chosen(.locationd)
    _ = handover.handle(.listed(true), at: at(0))
    #expect(handover.handle(.answered(problem), at: at(0)) == [.listDevices])
    #expect(handover.handle(.listed(true), at: at(0)) == [.concluded(problem)])
    #expect(handover.handle(.wake, at: at(1)) == [.listDevices])
    #expect(handover.handle(.listed(false), at: at(1)) == [.concluded(nil)], "gpsd has let it go by itself")
  }

  /// gpsd's hot-plugging, or a restart with its configuration, hands it to gpsd again.
  @Test func whatComesBackIsTakenBackUnlessItComesBackImmediately() {
    var handover = Handover(to: .locationd)
    #expect(handover.handle(.listed(false), at: at(0)) == [])
    #expect(handover.handle(.listed(true), at: at(1)) == [.ask])
    _ = handover.handle(.answered(nil), at: at(1))
    #expect(handover.handle(.listed(false), at: at(1)) == [.concluded(nil)])
    #expect(handover.handle(.listed(true), at: at(2)) == [.concluded(.refused)], "it has only just let go")
    #expect(handover.nextDeadline == at(3))
    #expect(handover.handle(.wake, at: at(3)) == [.ask])
    _ = handover.handle(.answered(nil), at: at(3))
    _ = handover.handle(.listed(false), at: at(3))
    #expect(handover.handle(.listed(true), at: at(64)) == [.ask], "that is another matter")
  }

  // MARK: - To gpsd

  @Test func itIsClosedBeforeGPSDIsNotified() {
    var handover = Handover.chosen(.gpsd)
    #expect(!handover.isLeaving)
    #expect(handover.handle(.listed(false), at: at(0)) == [.leave])
    #expect(handover.isLeaving && handover.handle(.listed(false), at: at(1)) == [])
    #expect(handover.handle(.portClosed, at: at(2)) == [.ask])
    #expect(handover.handle(.answered(nil), at: at(2)) == [.listDevices])
    #expect(handover.isLeaving)
    #expect(handover.handle(.listed(true), at: at(2)) == [.concluded(nil)])
    #expect(!handover.isLeaving)
  }

  /// The port stays free for the person who tells gpsd by hand.
  @Test func itIsLeftAloneWhileGPSDDoesNotTakeIt() {
    var handover = Handover.chosen(.gpsd)
    _ = handover.handle(.listed(false), at: at(0))
    _ = handover.handle(.portClosed, at: at(0))
    _ = handover.handle(.answered(.denied(socket: "/run/gpsd.sock")), at: at(0))
    #expect(handover.handle(.listed(false), at: at(0)) == [.concluded(.denied(socket: "/run/gpsd.sock"))])
    #expect(handover.isLeaving)
    #expect(handover.handle(.listed(true), at: at(5)) == [.concluded(nil)])
  }

  // MARK: - Foreign input

  /// Whatever comes in whatever order: it never asks more often than it may, and always ends where gpsd's list says.
  @Test(arguments: 1...200 as ClosedRange<UInt64>) func anyOrderOfThingsIsSurvived(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for owner in DeviceOwner.allCases {
      var handover = Handover.chosen(owner)
      var now = 0.0
      var asked: [Double] = []
      for _ in 0..<300 {
        now += Double(random.next() % 3000) / 1000
        let input: Handover.Input =
          switch random.next() % 6 {
          case 0: .portClosed
          case 1: .answered(nil)
          case 2: .answered(.noAnswer)
          case 3: .listed(true)
          case 4: .listed(false)
          default: .wake
          }
        let actions = handover.handle(input, at: at(now))
        for action in actions where action == .ask { asked.append(now) }
        #expect(!(handover.isUndecided && handover.isLeaving))
      }
      // Within a minute of peace before them, no more than it may.
      for time in asked { #expect(asked.count { $0 >= time && $0 < time + 30 } <= Handover.mostAttempts) }
      // Its question, if any, is answered, and the list is as it is to be.
      let right = owner == .gpsd
      for input in [.portClosed, .answered(nil), .listed(right), .wake, .listed(right)] as [Handover.Input] {
        now += 100
        _ = handover.handle(input, at: at(now))
      }
      #expect(!handover.isUndecided && !handover.isLeaving)
    }
  }
}
