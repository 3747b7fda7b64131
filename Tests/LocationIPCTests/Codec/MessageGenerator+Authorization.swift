import Geodesy
import LocationIPC
import LocationPolicy

/// Messages about authorization.
extension MessageGenerator {
  mutating func usage() -> DeclaredUsage {
    var usage = DeclaredUsage(whenInUse: maybe { $0.text() }, always: maybe { $0.text() })
    for _ in 0..<int(0...3) { usage.temporaryFullAccuracy[text()] = text() }
    usage.prefersReduced = flag()
    usage.hasBackgroundMode = flag()
    return usage
  }

  mutating func authorizationRequest() -> AuthorizationRequest {
    switch int(0...7) {
    case 0: .watch
    case 1: .ask(always: flag(), purpose: maybe { $0.text() })
    case 2: .askFullAccuracy(purposeKey: text())
    case 3: .serveQuestions
    case 4:
      .answer(
        PromptNumber(int(0...99_999)),
        PromptAnswer(one(of: PromptAnswer.Choice.allCases), isReduced: maybe { $0.flag() }))
    case 5: .list
    case 6: .decide(identity(), decision())
    default: .setServices(isOn: flag())
    }
  }

  mutating func authorizationAnswer() -> AuthorizationAnswer {
    switch int(0...4) {
    case 0: .state(AuthorizationState(authorization(), presence: presence()))
    case 1: .question(question())
    case 2: .withdrawn(PromptNumber(int(0...99_999)))
    case 3: .fullAccuracy(fullAccuracy())
    default: .grants(grants())
    }
  }

  mutating func denial() -> AuthorizationDenial {
    switch int(0...14) {
    case 0: .servicesOff
    case 1: .denied(inBackground: flag())
    case 2: .restricted(inBackground: flag())
    case 3: .undecided(isAsked: flag())
    case 4: .notAsked(one(of: [.noDescription, .notInUse, .allowedOnce, .full]))
    case 5: .inBackground
    case 6: .needsAlways
    case 7: .needsFullAccuracy(always: flag())
    case 8: .notAdministrator
    case 9: .notOwner
    case 10: .decision(one(of: [.noAuthority, .onlyRoot, .aboveOwn, .full]))
    case 11: .noSuchQuestion
    case 12: .decisionsLost
    case 13: .noGrid
    default: .unidentified
    }
  }

  mutating func identity() -> ClientIdentity {
    // A realm without a name is invalid, except for a container.
    var name = "n"
    name.unicodeScalars.append(contentsOf: text().unicodeScalars.prefix(40))
    let realm: ClientIdentity.Realm =
      switch int(0...4) {
      case 0: .own
      case 1: .flatpak(name)
      case 2: .snap(name)
      case 3: .service(name)
      default: .container(flag() ? name : "")
      }
    return ClientIdentity(userID: UInt32(int(0...Int(UInt32.max))), realm: realm)
  }

  mutating func usageDescription() -> UsageDescription {
    var usage = UsageDescription(
      LocationUser(identity(), name: "program"), mark: one(of: [.current, .recently, .fences]),
      uses: LocationUses(rawValue: UInt8(int(0...31))))
    usage.usedFor = maybe { $0.duration() }
    usage.usedAgo = maybe { $0.duration() }
    return usage
  }

  private mutating func decision() -> Decision {
    switch int(0...4) {
    case 0: .whenInUse(isReduced: flag())
    case 1: .always(isReduced: flag())
    case 2: .denied
    case 3: .restricted
    default: .forget
    }
  }

  private mutating func presence() -> ClientPresence { flag() ? .inUse : .background }

  private mutating func authorization() -> Authorization {
    var authorization = Authorization(one(of: AuthorizationLevel.allCases))
    authorization.isReduced = flag()
    authorization.isOffForAll = flag()
    authorization.isPending = flag()
    authorization.canBeAnswered = flag()
    authorization.isAlwaysRefused = flag()
    return authorization
  }

  private mutating func question() -> AuthorizationPrompt {
    let kind: AuthorizationPrompt.Kind =
      switch int(0...3) {
      case 0: .first(requestsAlways: flag(), offersAlways: flag())
      case 1: .upgradeToAlways
      case 2: .keepAlways
      default: .fullAccuracy
      }
    return AuthorizationPrompt(
      number: PromptNumber(int(0...99_999)), identity: identity(), kind: kind, purpose: maybe { $0.text() },
      name: maybe { $0.text() }, presence: presence(), isReduced: flag(),
      since: Instant(nanoseconds: Int64(int(0...1 << 60))))
  }

  private mutating func fullAccuracy() -> FullAccuracyAnswer {
    switch int(0...2) {
    case 0: .granted
    case 1: .refused
    default:
      .promptDeclined(
        one(of: [.isFull, .notAuthorized, .notInUse, .noDescription, .noAgent, .otherQuestion]))
    }
  }

  private mutating func grants() -> GrantList {
    var list = GrantList(isOn: flag())
    list.grants = self.list(upTo: 4) { Grant($0.identity(), $0.record()) }
    list.pending = self.list(upTo: 4) { $0.question() }
    return list
  }

  private mutating func record() -> GrantRecord {
    var record = GrantRecord(one(of: AuthorizationLevel.allCases), isReduced: flag())
    record.isProvisional = flag()
    record.hasAskedAlways = flag()
    record.declaredAlways = flag()
    record.declaredWhenInUse = flag()
    record.purpose = maybe { $0.text() }
    record.name = maybe { $0.text() }
    record.decidedAt = maybe { $0.time() }
    record.usedAt = maybe { $0.time() }
    record.usedInBackgroundAt = maybe { $0.time() }
    return record
  }
}
