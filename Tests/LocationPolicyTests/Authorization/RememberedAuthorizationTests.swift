import Geodesy
import LocationPolicy
import Testing

/// Updates of programs, what is stored, and how much.
@Suite struct RememberedAuthorizationTests {
  // MARK: Updates of a program

  @Test func anUpdatedProgramKeepsWhatItStillDeclares() throws {
    let lines: [(DeclaredUsage, PromptAnswer.Choice, DeclaredUsage, AuthorizationLevel)] = [
      (.both, .always, .both, .always), (.both, .always, .onlyAlways, .always),
      (.both, .always, .whileInUse, .whenInUse),
      (.both, .whileInUse, .both, .whenInUse), (.both, .whileInUse, .whileInUse, .whenInUse),
      (.both, .whileInUse, .onlyAlways, .notDetermined), (.both, .no, .onlyAlways, .denied),
      (.both, .no, .whileInUse, .denied), (.onlyAlways, .whileInUse, .onlyAlways, .whenInUse),
      // A program that declares nothing requests nothing, and does not replace a previous declaration.
      (.both, .always, .init(), .always), (.both, .whileInUse, .init(), .whenInUse),
    ]
    for (index, line) in lines.enumerated() {
      var script = try DeskScript.asking(.of(.maps, line.0))
      _ = try script.answer(line.0.always == nil ? .requestsWhenInUse(.app) : .requestsAlways(.app), line.1)
      _ = script.give(.left(.app))
      _ = script.give(.arrived(.second, .of(.maps, line.2)))
      #expect(script.level(.second) == line.3, "line \(index)")
      if line.3 == .notDetermined {
        #expect(script.give(.requestsAlways(.second)).count == 2)
        #expect(script.desk.pending.count == 1)
      }
    }
  }

  @Test func whatWasDecidedUnaskedNoUpdateChanges() throws {
    var script = try DeskScript.asking()
    _ = script.give(.decided(.maps, .always(isReduced: false), by: .alice))
    for usage in [DeclaredUsage.both, .whileInUse, .onlyAlways] {
      _ = script.give(.arrived(.second, .of(.maps, usage)))
      #expect(script.level(.second) == .always)
    }
  }

  @Test func aUsersProgramsDoNotUpdateEachOther() throws {
    var script = try DeskScript.asking(.of(.bob, .both))
    _ = try script.answer(.requestsAlways(.app), .always)
    #expect(script.give(.arrived(.second, .of(.bob, .whileInUse))) == [.authorizationChanged(.second, .level(.always))])
  }

  // MARK: What is stored

  @Test func useIsKeptOnceAnHour() throws {
    var script = try DeskScript.asking()
    _ = script.give(.decided(.maps, .always(isReduced: false), by: .alice))
    #expect(script.give(.uses(.app, true)).count == 1)
    var writes = 0
    for _ in 0..<240 {
      script.pass(.seconds(60))
      writes += script.give(.uses(.app, true)).count
    }
    #expect(writes == 4)
    #expect(script.record(.maps)?.usedAt == script.clock)
    // A denied program receives no positions that would count as use.
    _ = script.give(.decided(.maps, .denied, by: .alice))
    script.pass(Duration.day)
    #expect(script.give(.wake) == [])
  }

  @Test func whatWasKeptIsNotKeptAgain() throws {
    var first = try DeskScript.asking()
    _ = first.give(.decided(.maps, .whenInUse(isReduced: true), by: .alice))
    _ = first.give(.decided(.weather, .denied, by: .alice))
    var script = DeskScript()
    #expect(script.give(.loaded(first.desk.grants, isOn: false)) == [])
    #expect(Set(script.desk.grants) == Set(first.desk.grants))
    #expect(script.give(.arrived(.app, .of())) == [.authorizationChanged(.app, .off)])
    #expect(
      script.give(.switched(isOn: true, by: .root)) == [
        .keepSwitch(isOn: true), .authorizationChanged(.app, .level(.whenInUse, reduced: true)),
      ])
  }

  @Test func deletedRegionsHaveNoPendingEvents() throws {
    var script = try DeskScript.asking()
    _ = script.give(.requestsWhenInUse(.app))
    let question = try #require(script.desk.pending.first)
    #expect(
      script.give(.decided(.maps, .forget, by: .alice)) == [
        .withdraw(question.number, from: [.agent]), .authorizationChanged(.app, .level(.notDetermined)),
      ])
    #expect(script.desk.pending == [])
    #expect(script.give(.requestsWhenInUse(.app)).count == 2)
  }

  // MARK: Limits

  @Test func aUserFillsOnlyItsOwnPlaces() throws {
    var script = try DeskScript.asking(.of(.weather))
    _ = script.give(.requestsWhenInUse(.app))
    let mine = try #require(script.desk.pending.first)
    for number in 0..<50 {
      let key = ClientID.process(1000 + number)
      _ = script.give(.arrived(key, .of(ClientIdentity(userID: 1001, realm: .container("box \(number)")))))
      let actions = script.give(.requestsWhenInUse(key))
      #expect(actions.contains(.authorizationChanged(key, .level(.notDetermined, pending: true, answerable: true))))
    }
    #expect(script.desk.pending.count == 9)
    #expect(script.desk.pending.first == mine)
    #expect(script.desk.pending.last?.identity.realm == .container("box 49"))
    // The client whose question was removed is informed that there is no pending question.
    #expect(script.desk.authorization(of: ClientID.process(1000)) == .level(.notDetermined))
  }

  @Test func identitiesAndQuestionsAreBounded() throws {
    var script = try DeskScript.asking()
    for user in 0..<UInt32(100) {
      let key = ClientID.process(1000 + Int(user))
      _ = script.give(.arrived(key, .of(ClientIdentity(userID: 5000 + user))))
      _ = script.give(.requestsWhenInUse(key))
      _ = script.give(.left(key))
    }
    #expect(script.desk.pending.count == 64)
    let decided = (0..<UInt32(AuthorizationStateMachine.capacity)).map {
      Grant(ClientIdentity(userID: 10_000 + $0), GrantRecord(.denied))
    }
    _ = script.give(.loaded(decided, isOn: true))
    #expect(script.desk.grants.count == AuthorizationStateMachine.capacity)
    #expect(script.give(.decided(.maps, .denied, by: .root)) == [.refused(.full)])
    #expect(script.give(.requestsWhenInUse(.app)) == [.ignored(.app, .full)])
    // Existing decisions can still be changed, and a forgotten one makes room.
    #expect(script.give(.decided(ClientIdentity(userID: 10_000), .forget, by: .root)).count == 1)
    #expect(script.give(.decided(.maps, .denied, by: .root)).count == 2)
  }

  /// A user denies programs of that user's that never existed: this does not prevent decisions about others.
  @Test func oneUserCannotFillTheList() {
    var script = DeskScript()
    var refused = 0
    for number in 0..<1000 {
      let made = ClientIdentity(userID: 1001, realm: .flatpak("made.up\(number)"))
      if script.give(.decided(made, .denied, by: .bob)) == [.refused(.full)] { refused += 1 }
    }
    #expect(refused == 1000 - 32)
    for user in 0..<UInt32(100) {
      for number in 0..<32 {
        let made = ClientIdentity(userID: 2000 + user, realm: .flatpak("made.up\(number)"))
        let own = PromptResponder(ClientIdentity(userID: 2000 + user), privilege: .asks)
        _ = script.give(.decided(made, .denied, by: own))
      }
    }
    #expect(script.desk.grants.count == 384)
    for user in 0..<UInt32(AuthorizationStateMachine.capacity - 384) {
      #expect(script.give(.decided(ClientIdentity(userID: 9000 + user), .denied, by: .alice)).count == 1)
    }
    #expect(script.give(.decided(ClientIdentity(userID: 8999), .denied, by: .alice)) == [.refused(.full)])
    // Existing decisions can be changed by those who have the right.
    let first = ClientIdentity(userID: 1001, realm: .flatpak("made.up0"))
    #expect(script.give(.decided(first, .forget, by: .bob)) == [.keep(first, nil)])
    #expect(script.give(.decided(ClientIdentity(userID: 8999), .denied, by: .alice)).count == 1)
  }

  @Test func theOldestUndecidedIsForgottenFirst() {
    var script = DeskScript()
    let grants = (0..<UInt32(AuthorizationStateMachine.capacity)).map {
      Grant(ClientIdentity(userID: $0), GrantRecord($0 == 7 || $0 == 9 ? .notDetermined : .denied))
    }
    _ = script.give(.loaded(grants, isOn: true))
    let actions = script.give(.decided(.maps, .denied, by: .root))
    #expect(actions == [.keep(ClientIdentity(userID: 7), nil), .keep(.maps, script.record(.maps))])
  }

  @Test func agentsAreLimitedAndNeverCrowdOutAdministrators() {
    var script = DeskScript()
    for number in 0..<10 {
      let actions = script.give(.agentArrived(ClientID.process(number), .bob))
      #expect(actions == (number < AuthorizationStateMachine.agentCapacityOfUser ? [] : [.refused(.full)]))
    }
    for user in 0..<UInt32(100) {
      let answerer = PromptResponder(ClientIdentity(userID: 2000 + user), privilege: .asks)
      _ = script.give(.agentArrived(ClientID.process(200 + Int(user)), answerer))
    }
    #expect(script.give(.agentArrived(.agent, .alice)) == [])
    _ = script.give(.arrived(.app, .of(.weather)))
    #expect(
      script.give(.requestsWhenInUse(.app)).last
        == .authorizationChanged(.app, .level(.notDetermined, pending: true, answerable: true))
    )
  }
}
