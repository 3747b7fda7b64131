import LocationIPC
import LocationPolicy
import Testing
import locationctl

/// Every denial names its cause and the command that would allow it, and ends with its status.
@Suite struct AuthorizationSentenceTests {
  /// Numbers that no machine has an account for.
  private static let person = ClientIdentity(userID: 4_200_001)
  private static let flatpak = ClientIdentity(userID: 4_200_001, realm: .flatpak("org.gnome.Maps"))
  private static let service = ClientIdentity(userID: 4_200_002, realm: .service("weather.service"))

  @Test(arguments: [
    (AuthorizationDenial.servicesOff, person, CommandStatus.denied, "'sudo locationctl services on'"),
    (.decisionsLost, person, .denied, "'sudo locationctl services on' begins anew"),
    (.noGrid, person, .denied, "'sudo systemctl reload locationd'"),
    (
      .denied, person, .denied,
      "User 4200001 may not know where this machine is: 'sudo locationctl grant 4200001' would"
    ),
    (.denied, ClientIdentity(userID: 0), .denied, "User root may not know"),
    (.denied, flatpak, .denied, "'sudo locationctl grant 4200001/flatpak:org.gnome.Maps'"),
    (.denied, ClientIdentity(userID: 7, realm: .snap("maps")), .denied, "/snap:maps'"),
    (.denied, service, .denied, "'sudo locationctl grant 4200002/service:weather.service --always'"),
    (
      .denied, ClientIdentity(userID: 4_200_001, realm: .container("box")), .denied,
      "'sudo locationctl grant 4200001/container:box --always'"
    ),
    (
      .denied, ClientIdentity(userID: 4_200_001, realm: .container("")), .denied,
      "A container without a name of 4200001 may not know"
    ),
    (.restricted, person, .denied, "by root's decision: only 'sudo locationctl grant 4200001' would"),
    (.undecided(isAsked: false), person, .denied, "nobody is there to ask: 'locationctl grants' lists it"),
    (.undecided(isAsked: true), person, .denied, "Nobody has answered yet whether user 4200001"),
    (.notAsked(.notInUse), person, .denied, "'sudo locationctl grant 4200001 --always'"),
    (.notAsked(.noDescription), person, .denied, "does not say what for: 'sudo locationctl grant 4200001'"),
    (.notAsked(.allowedOnce), person, .denied, "nobody is asked: 'sudo locationctl grant 4200001'"),
    (.notAsked(.full), person, .denied, "nobody is asked: 'sudo locationctl grant 4200001'"),
    (.inBackground, person, .denied, "runs in the background: 'sudo locationctl grant 4200001 --always'"),
    (.needsAlways, person, .denied, "'sudo locationctl grant 4200001 --always'"),
    (.needsFullAccuracy(always: false), person, .denied, "'sudo locationctl grant 4200001' without --reduced"),
    (.needsFullAccuracy(always: true), person, .denied, "'sudo locationctl grant 4200001 --always' without --reduced"),
    (.notInCharge, person, .denied, "location and dialout may do that: put sudo before"),
    (.notOwner, person, .denied, "another user: put sudo before"),
    (.decision(.noSay), person, .denied, "put sudo before"),
    (.decision(.onlyRoot), person, .denied, "Only root restricts"),
    (.decision(.aboveOwn), person, .denied, "more than they have"),
    (.decision(.full), person, .cannotWrite, "revoke WHO --forget"),
    (.noSuchQuestion, person, .locationUnknown, "not open any more"),
    (.unidentified, person, .denied, "cannot tell who is asking"),
  ]) func everyDenialHasItsSentence(
    denial: AuthorizationDenial, identity: ClientIdentity, status: CommandStatus, words: String
  ) {
    let sentence = FailureSentence(.notAuthorized(denial, identity: identity))
    #expect(sentence.status == status)
    #expect(sentence.text.contains(words), "\(sentence.text)")
    // One sentence, on one line.
    #expect(sentence.text.hasSuffix(".") && !sentence.text.contains("\n") && !sentence.text.contains(". "))
    #expect(sentence.text.prefix(1).allSatisfy { $0.isUppercase })
  }

  @Test func whatIsDoneAlsoWhileNobodyIsThereNeedsAlways() {
    for denial in [AuthorizationDenial.undecided(isAsked: false), .denied, .needsFullAccuracy(always: false)] {
      let sentence = FailureSentence(.notAuthorized(denial, identity: Self.person), wishesAlways: true)
      #expect(sentence.text.contains("'sudo locationctl grant 4200001 --always'"), "\(sentence.text)")
    }
  }

  @Test func whoIsNotKnownIsToldWithoutAName() {
    #expect(FailureSentence(.notAuthorized(.denied, identity: nil)).text.hasPrefix("This client may not know"))
  }

  @Test func hostileNamesCannotSteerTheTerminal() {
    for realm in [
      ClientIdentity.Realm.flatpak("\u{1B}[2J\nx"), .snap("\u{202E}"), .service("a\rb"), .container("\u{9B}"),
    ] {
      let text = FailureSentence(.notAuthorized(.denied, identity: ClientIdentity(userID: 1, realm: realm))).text
      #expect(!text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x9B || $0.value == 0x202E })
    }
  }
}
