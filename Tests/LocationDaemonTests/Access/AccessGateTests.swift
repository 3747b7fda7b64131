import FleetDestinations
import Geodesy
import LocationIPC
import LocationPolicy
import LocationdService
import Testing

/// Which requests pass the gate, wait or fail, and what happens to them after a decision.
struct AccessGateTests {
  private var bed = GateBed()

  // MARK: An administrator

  @Test mutating func administratorsAreAlwaysAuthorized() {
    bed.arrive(1, user: 0, .administrator)
    for request in [locate(1), stream(2), .watchSky(RequestID(3), waitsForSource: true), .listenIn(RequestID(4))] {
      #expect(bed.ask(1, request).contains(.pass(ClientID.process(1), request)))
    }
    #expect(
      bed.ask(1, .forgetDevice(RequestID(5), selector: "x")).first
        == .pass(ClientID.process(1), .forgetDevice(RequestID(5), selector: "x")))
  }

  @Test mutating func onlyAdministratorsSendPositionsToDestinations() {
    bed.arrive(1, user: 0, .administrator)
    bed.arrive(2, user: 1001, .entitled)
    bed.arrive(3, user: 1002, .asks)
    bed.decide(.always(isReduced: false), for: 1002)
    for fleet in [FleetRequest.list, .remove(name: "a", discards: true), .send(name: "a"), .test(name: "a")] {
      let request = ClientRequest.fleet(RequestID(5), fleet)
      #expect(bed.ask(1, request).contains(.pass(ClientID.process(1), request)))
      for client in [2, 3] {
        #expect(
          bed.ask(client, request) == [.send(ClientID.process(client), .failed(RequestID(5), .fleet(.notInCharge)))])
      }
    }
  }

  @Test mutating func theSwitchIsForEverybody() {
    bed.arrive(1, user: 0, .administrator)
    bed.arrive(2, user: 1001, .asks)
    bed.decide(.always(isReduced: false), for: 1001)
    _ = bed.ask(1, stream(1))
    _ = bed.ask(2, stream(1))
    let off = bed.ask(1, .authorization(RequestID(9), .setServices(isOn: false)))
    for client in [1, 2] {
      #expect(off.contains(.pass(ClientID.process(client), .cancel(RequestID(1)))))
      #expect(off.contains(failed(client, 1, .servicesOff)))
    }
    #expect(off.contains(.keepSwitch(isOn: false)))
    #expect(bed.ask(1, locate(3)) == [failed(1, 3, .servicesOff, user: 0)])
    _ = bed.ask(1, .authorization(RequestID(10), .setServices(isOn: true)))
    #expect(bed.ask(2, locate(3)).contains(.pass(ClientID.process(2), locate(3))))
  }

  // MARK: Other users

  @Test mutating func withNoOneToAskTheAnswerIsThereImmediately() {
    bed.arrive(2, user: 1001, .asks)
    #expect(bed.ask(2, locate(1)).contains(failed(2, 1, .undecided(isAsked: false))))
    // And the question waits for the next administrator.
    bed.arrive(1, user: 0, .administrator)
    let list = bed.grants(1)
    #expect(list.pending.map(\.identity) == [ClientIdentity(userID: 1001)])
  }

  @Test mutating func whatWaitsForAnAnswerPassesWithItsRest() {
    bed.arrive(1, user: 0, .administrator)
    #expect(bed.ask(1, .authorization(RequestID(1), .serveQuestions)) == [])
    bed.arrive(2, user: 1001, .asks)
    let asked = bed.ask(2, locate(1))
    guard
      case .send(ClientID.process(1), .authorization(RequestID(1), .question(let question)))? = asked.first(where: {
        $0.isQuestion
      })
    else {
      Issue.record("nobody was asked: \(asked)")
      return
    }
    #expect(!asked.contains { $0.isFailure })
    bed.now = bed.now + .seconds(5)
    let answered = bed.ask(1, .authorization(RequestID(2), .answer(question.number, PromptAnswer(.whileInUse))))
    #expect(
      answered.contains(.pass(ClientID.process(2), .locate(RequestID(1), OneShotOptions(timeout: .seconds(115))))))
    #expect(answered.contains(.confirm(ClientID.process(1), RequestID(2))))
  }

  @Test mutating func whatWaitsForAnAnswerEndsInTime() {
    bed.arrive(1, user: 0, .administrator)
    _ = bed.ask(1, .authorization(RequestID(1), .serveQuestions))
    bed.arrive(2, user: 1001, .asks)
    _ = bed.ask(2, locate(1))
    #expect(bed.gate.nextDeadline == bed.now + .seconds(120))
    bed.now = bed.now + .seconds(120)
    #expect(bed.handle(.wake).contains(failed(2, 1, .undecided(isAsked: true))))
  }

  /// The person who is asked may never answer: a stream does not wait longer than one fix.
  @Test(arguments: [stream(1), .watchSky(RequestID(1), waitsForSource: true), .listenIn(RequestID(1))])
  mutating func anAgentThatStallsHoldsUpNoOne(request: ClientRequest) {
    bed.arrive(1, user: 0, .administrator)
    _ = bed.ask(1, .authorization(RequestID(1), .serveQuestions))
    bed.arrive(2, user: 1001, .asks)
    #expect(!bed.ask(2, request).contains { $0.isFailure })
    bed.now = bed.now + .seconds(120)
    #expect(bed.handle(.wake).contains(failed(2, 1, .undecided(isAsked: true))))
  }

  @Test mutating func aDenialEndsWhatRunsAndNothingFollows() {
    bed.arrive(2, user: 1001, .asks)
    bed.decide(.whenInUse(isReduced: false), for: 1001)
    #expect(bed.ask(2, stream(1)).contains(.pass(ClientID.process(2), stream(1))))
    #expect(bed.update(2, 1) != nil)
    let revoked = bed.decide(.denied, for: 1001)
    #expect(revoked.contains(.pass(ClientID.process(2), .cancel(RequestID(1)))))
    #expect(revoked.contains(failed(2, 1, .denied(inBackground: false))))
    // A fix that was sent before the decision.
    #expect(bed.update(2, 1) == nil)
    #expect(bed.handle(.event(ClientID.process(2), .located(RequestID(1), fix(), age: .zero, isCached: false))) == [])
  }

  @Test(arguments: [
    (AuthorizationLevel.denied, AuthorizationDenial.denied(inBackground: false)),
    (.restricted, .restricted(inBackground: false)),
  ])
  mutating func refusalsPersist(level: AuthorizationLevel, denial: AuthorizationDenial) {
    bed.arrive(2, user: 1001, .asks)
    bed.decide(level == .denied ? .denied : .restricted, for: 1001)
    #expect(bed.ask(2, locate(1)) == [failed(2, 1, denial)])
    #expect(bed.ask(2, .listenIn(RequestID(2))) == [failed(2, 2, denial)])
  }

  /// A client in the background is refused as such: access while in use would not help it.
  @Test mutating func aRefusalSaysWhetherTheClientIsInTheBackground() {
    bed.arrive(2, user: 1001, .asks, presence: .background)
    bed.decide(.denied, for: 1001)
    #expect(bed.ask(2, locate(1)) == [failed(2, 1, .denied(inBackground: true))])
    bed.decide(.restricted, for: 1001)
    #expect(bed.ask(2, locate(2)) == [failed(2, 2, .restricted(inBackground: true))])
  }

  @Test mutating func moreRevealingRequestsNeedMoreAuthorization() {
    bed.arrive(2, user: 1001, .asks)
    bed.decide(.whenInUse(isReduced: false), for: 1001)
    #expect(bed.ask(2, .listenIn(RequestID(1))) == [failed(2, 1, .needsAlways)])
    #expect(bed.ask(2, .trustDevice(RequestID(2), selector: "x")) == [failed(2, 2, .notAdministrator)])
    // Wi-Fi scans show where the machine is, and the learned access points show where it was.
    for request in [WiFiRequest.scan, .account, .read(.learned, after: nil), .add([]), .forget(.imported)] {
      #expect(bed.ask(2, .wifi(RequestID(2), request)) == [failed(2, 2, .notAdministrator)])
    }
    #expect(bed.ask(2, .log(RequestID(3), .start(name: "walk", LogOptions()))) == [failed(2, 3, .needsAlways)])
    bed.decide(.always(isReduced: true), for: 1001)
    let sky = ClientRequest.watchSky(RequestID(4), waitsForSource: true)
    #expect(bed.ask(2, sky) == [failed(2, 4, .needsFullAccuracy(always: true))])
    #expect(
      bed.ask(2, .log(RequestID(5), .start(name: "walk", LogOptions()))) == [
        failed(2, 5, .needsFullAccuracy(always: true))
      ])
  }

  // MARK: In the background

  @Test mutating func inTheBackgroundUpdatesRestAndGoOn() {
    bed.arrive(2, user: 1001, .asks)
    bed.decide(.whenInUse(isReduced: false), for: 1001)
    var options = UpdateOptions()
    options.allowsBackground = false
    let request = ClientRequest.startUpdates(RequestID(1), options)
    _ = bed.ask(2, request)
    let rests = bed.handle(.presence(ClientID.process(2), .background))
    #expect(
      rests.prefix(2) == [
        .pass(ClientID.process(2), .cancel(RequestID(1))),
        .send(ClientID.process(2), .streamChanged(RequestID(1), .suspended)),
      ])
    #expect(bed.update(2, 1) == nil)
    let goesOn = bed.handle(.presence(ClientID.process(2), .inUse))
    #expect(
      goesOn.prefix(2) == [
        .send(ClientID.process(2), .streamChanged(RequestID(1), .resumed)), .pass(ClientID.process(2), request),
      ])
  }

  @Test mutating func whatBeganInTheForegroundGoesOnAndIsShown() {
    bed.arrive(2, user: 1001, .asks, name: "walk")
    bed.decide(.whenInUse(isReduced: false), for: 1001)
    _ = bed.ask(2, stream(1))
    let shown = bed.handle(.presence(ClientID.process(2), .background))
    #expect(!shown.contains(.pass(ClientID.process(2), .cancel(RequestID(1)))))
    guard case .show(let state)? = shown.last else {
      Issue.record("nothing is shown: \(shown)")
      return
    }
    #expect(state.background?.name == "walk")
    #expect(state.backgroundCount == 1)
    // A request for one fix is not a session that began in the foreground.
    #expect(bed.ask(2, locate(2)) == [failed(2, 2, .inBackground)])
  }

  // MARK: Pauses

  /// A stream in the background that may pause, with permission for "always".
  private mutating func pausable(_ activity: Activity? = nil) -> ClientRequest {
    bed.arrive(2, user: 1001, .asks)
    bed.decide(.always(isReduced: false), for: 1001)
    let request = ClientRequest.startUpdates(
      RequestID(1), UpdateOptions(activity: activity, pausesAutomatically: true))
    #expect(bed.ask(2, request) == [.pass(ClientID.process(2), request)])
    _ = bed.handle(.presence(ClientID.process(2), .background))
    return request
  }

  private let pause: [AccessGate.Action] = [
    .pass(ClientID.process(2), .cancel(RequestID(1))),
    .send(ClientID.process(2), .streamChanged(RequestID(1), .paused)),
  ]

  /// Sends fixes at one place, one per minute, until the stream pauses; returns their number.
  private mutating func minutesUntilPause(speed: Double, at most: Int) -> Int? {
    for minute in 1...most {
      bed.now = bed.now + .seconds(60)
      #expect(bed.update(2, 1, speed: speed) != nil)
      if bed.gate.isWakeDue { return minute }
    }
    return nil
  }

  @Test(arguments: [(nil, 16), (Activity.fitness, 11), (.automotiveNavigation, 11), (.otherNavigation, 21)])
  mutating func standingStillInTheBackgroundPauses(activity: Activity?, minutes: Int) {
    let request = pausable(activity)
    #expect(minutesUntilPause(speed: 0, at: 40) == minutes)
    #expect(bed.handle(.wake).filter { !$0.isOfRecord } == pause)
    #expect(!bed.gate.isWakeDue)
    #expect(bed.update(2, 1) == nil)
    // The machine moves, but no position is requested that would show it; when the client is in use, the stream continues.
    let resumed = bed.handle(.presence(ClientID.process(2), .inUse)).filter { !$0.isOfRecord }
    #expect(
      resumed == [
        .send(ClientID.process(2), .streamChanged(RequestID(1), .unpaused)), .pass(ClientID.process(2), request),
      ])
    #expect(minutesUntilPause(speed: 0, at: 60) == nil, "nothing pauses in use")
  }

  @Test mutating func aRunnerWhoRidesInACarHasFinished() {
    _ = pausable(.fitness)
    #expect(minutesUntilPause(speed: 20, at: 40) == 6)
  }

  @Test mutating func aMovingClientIsNotPaused() {
    _ = pausable()
    #expect(minutesUntilPause(speed: 20, at: 100) == nil)
  }

  @Test mutating func silencePausesAtItsTime() {
    _ = pausable()
    let due = bed.now + .seconds(15 * 60)
    #expect(bed.gate.nextPauseDeadline == due)
    bed.now = due
    #expect(bed.handle(.wake).filter { !$0.isOfRecord } == pause)
    #expect(bed.gate.nextPauseDeadline == nil)
  }

  @Test mutating func whatDoesNotPassIsSilentForAnotherReason() {
    bed.arrive(2, user: 1001, .asks, presence: .background)
    var options = UpdateOptions(pausesAutomatically: true)
    options.whenNotDetermined = .waits
    _ = bed.ask(2, .startUpdates(RequestID(1), options))
    bed.now = bed.now + .seconds(3600)
    let decided = bed.decide(.always(isReduced: false), for: 1001)
    #expect(decided.contains(.pass(ClientID.process(2), .startUpdates(RequestID(1), options))))
    #expect(bed.handle(.wake).filter { !$0.isOfRecord } == [])
  }

  @Test mutating func pausesAreOptIn() {
    bed.arrive(2, user: 1001, .asks, presence: .background)
    bed.decide(.always(isReduced: false), for: 1001)
    _ = bed.ask(2, stream(1))
    #expect(minutesUntilPause(speed: 0, at: 60) == nil)
  }

  // MARK: Reduced accuracy

  @Test mutating func aReducedClientReceivesOnePointAndNoMore() {
    bed.arrive(2, user: 1001, .asks)
    bed.decide(.whenInUse(isReduced: true), for: 1001)
    _ = bed.ask(2, stream(1))
    guard case .update(_, let first, _)? = bed.update(2, 1) else {
      Issue.record("nothing was told")
      return
    }
    #expect(first.horizontalRadius68 > Meters(1000))
    #expect(first.heightAboveEllipsoid == nil && first.speedMetersPerSecond == nil && first.course == nil)
    // The next fix contains no new information.
    #expect(bed.update(2, 1, north: 30) == nil)
    _ = bed.ask(2, locate(2))
    let located = bed.handle(
      .event(ClientID.process(2), .located(RequestID(2), fix(north: 60), age: .zero, isCached: false)))
    guard case .send(_, .located(_, let second, _, _))? = located.first else {
      Issue.record("nothing was told: \(located)")
      return
    }
    #expect(second.coordinate == first.coordinate)
    // The current state of the satellites would reveal more.
    for event in [
      ServiceEvent.progress(RequestID(1), .converging(radius68Meters: 3)), .streamChanged(RequestID(1), .lost),
      .progress(RequestID(1), .searching(path: "/dev/ttyACM0", satellitesInView: 3, satellitesUsed: 1)),
    ] {
      #expect(bed.handle(.event(ClientID.process(2), event)) == [])
    }
    let waiting = ServiceEvent.progress(RequestID(1), .waitingForSource)
    #expect(bed.handle(.event(ClientID.process(2), waiting)) == [.send(ClientID.process(2), waiting)])
  }

  // MARK: What a client may see

  @Test mutating func everybodySeesTheirOwn() {
    bed.arrive(1, user: 0, .administrator)
    bed.arrive(2, user: 1001, .asks)
    bed.decide(.always(isReduced: false), for: 1001)
    bed.decide(.always(isReduced: false), for: 1002)
    #expect(bed.grants(1).grants.map(\.identity.userID) == [1001, 1002])
    #expect(bed.grants(2).grants.map(\.identity.userID) == [1001])
    _ = bed.ask(1, stream(1))
    var status = ServiceStatus(source: "auto")
    status.clients = [1: UInt32(0), 2: 1001].sorted { $0.key < $1.key }.map {
      var client = ClientStatus(name: "\($0.key)")
      client.userID = $0.value
      client.identity = ClientIdentity(userID: $0.value)
      return client
    }
    for (client, count) in [(1, 2), (2, 1)] {
      let reported = bed.handle(.event(ClientID.process(client), .status(RequestID(5), status)))
      guard case .send(_, .status(_, let seen))? = reported.first else {
        Issue.record("no status: \(reported)")
        return
      }
      #expect(seen.clients.count == count)
      #expect(seen.indicator == .solid)
      #expect(seen.usage.count == count - 1)
    }
  }

  @Test mutating func clientsCannotDecideForThemselves() {
    bed.arrive(2, user: 1001, .asks)
    let own = ClientIdentity(userID: 1001)
    let decided = bed.ask(2, .authorization(RequestID(1), .decide(own, .always(isReduced: false))))
    #expect(decided == [failed(2, 1, .decision(.noAuthority))])
    #expect(
      bed.ask(2, .authorization(RequestID(2), .setServices(isOn: false))) == [failed(2, 2, .decision(.noAuthority))])
  }

  @Test mutating func clientsTheKernelCannotIdentifyReceiveNothing() {
    let denied = AccessGate.Action.send(
      ClientID.process(7), .failed(RequestID(1), .notAuthorized(.unidentified, identity: nil)))
    #expect(bed.ask(7, locate(1)) == [denied])
    #expect(bed.update(7, 1) == nil)
  }

  /// A log pauses while its owner has no access, and continues by itself.
  @Test mutating func aLogRestsAndGoesOn() {
    bed.arrive(.log(1), user: 1001, .asks, presence: .background, name: "log walk")
    var options = UpdateOptions(waitsForSource: true)
    options.whenNotDetermined = .waits
    let request = ClientRequest.startUpdates(RequestID(1), options)
    let rests = AccessGate.Action.send(ClientID.log(1), .streamChanged(RequestID(1), .suspended))
    let goesOn = AccessGate.Action.send(ClientID.log(1), .streamChanged(RequestID(1), .resumed))
    #expect(bed.ask(.log(1), request) == [rests])
    let allowed = bed.decide(.always(isReduced: false), for: 1001)
    #expect(allowed.contains(.pass(ClientID.log(1), request)) && allowed.contains(goesOn))
    #expect(bed.update(.log(1), 1) != nil)
    let denied = bed.decide(.denied, for: 1001)
    #expect(denied.contains(.pass(ClientID.log(1), .cancel(RequestID(1)))) && denied.contains(rests))
    #expect(!denied.contains { $0.isFailure })
    #expect(bed.update(.log(1), 1) == nil)
    // "While in use" does not apply to a log, because it records in the background.
    #expect(!bed.decide(.whenInUse(isReduced: false), for: 1001).contains(.pass(ClientID.log(1), request)))
    #expect(bed.decide(.always(isReduced: false), for: 1001).contains(.pass(ClientID.log(1), request)))
  }

  @Test mutating func watchersReceiveEveryChangeOnce() {
    bed.arrive(2, user: 1001, .asks)
    let first = bed.ask(2, .authorization(RequestID(1), .watch))
    #expect(first == [state(2, 1, .notDetermined)])
    #expect(bed.decide(.whenInUse(isReduced: false), for: 1001).contains(state(2, 1, .whenInUse)))
    #expect(!bed.decide(.whenInUse(isReduced: false), for: 1001).contains(state(2, 1, .whenInUse)))
    _ = bed.ask(2, .cancel(RequestID(1)))
    #expect(!bed.decide(.denied, for: 1001).contains(state(2, 1, .denied)))
  }
}
