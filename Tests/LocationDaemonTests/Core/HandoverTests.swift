import Geodesy
import LocationIPC
import LocationdService
import TestSupport
import Testing

/// A device that moves from or to gpsd: each line is one event.
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

  /// gpsd may have answered another request before it released the device.
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

  /// gpsd lists the device under two names, or another program gives it back immediately: five attempts, each after a longer
  /// pause, and then only checks.
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
    // Once per minute: if gpsd releases the device by itself, the service takes it then.
    #expect((60...75).contains(looked))
    #expect(handover.handle(.listed(false), at: at(now)) == [.concluded(nil)])
  }

  /// A failure that no further attempt would change is not followed by one.
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

  /// gpsd's hot-plugging script, or a restart of gpsd with its configuration, gives the device to gpsd again.
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

  /// The port stays free for the person who tells gpsd manually.
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

  /// For any events in any order, gpsd is not asked more often than permitted, and the result is always what gpsd's list shows.
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
      // Attempts count from zero again only after a quiet minute: in any 30 s there are never more than permitted.
      for time in asked { #expect(asked.count { $0 >= time && $0 < time + 30 } <= Handover.mostAttempts) }
      // A pending request is answered, and the list is as required.
      let right = owner == .gpsd
      for input in [.portClosed, .answered(nil), .listed(right), .wake, .listed(right)] as [Handover.Input] {
        now += 100
        _ = handover.handle(input, at: at(now))
      }
      #expect(!handover.isUndecided && !handover.isLeaving)
    }
  }
}
