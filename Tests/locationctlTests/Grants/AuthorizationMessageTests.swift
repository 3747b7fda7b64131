import LocationIPC
import LocationPolicy
import Testing
import locationctl

/// Every denial names its cause and the command that would allow the request, and ends with the exit status of a denial.
@Suite struct AuthorizationMessageTests {
  /// User IDs for which no machine has an account.
  private static let person = ClientIdentity(userID: 4_200_001)
  private static let flatpak = ClientIdentity(userID: 4_200_001, realm: .flatpak("org.gnome.Maps"))
  private static let service = ClientIdentity(userID: 4_200_002, realm: .service("weather.service"))

  @Test(arguments: [
    (AuthorizationDenial.servicesOff, person, CommandStatus.denied, "'sudo locationctl services on'"),
    (
      .decisionsLost, person, .denied,
      "then repair the file, or run 'sudo locationctl services on', which switches them on without the stored grants."
    ),
    (.noGrid, person, .denied, "'sudo systemctl reload locationd'"),
    (
      .denied(inBackground: false), person, .denied,
      "User 4200001 has no access to the location: grant it with 'sudo locationctl grant 4200001'."
    ),
    (.denied(inBackground: false), ClientIdentity(userID: 0), .denied, "User root has no access"),
    (.denied(inBackground: false), flatpak, .denied, "'sudo locationctl grant 4200001/flatpak:org.gnome.Maps'"),
    (.denied(inBackground: false), ClientIdentity(userID: 7, realm: .snap("maps")), .denied, "/snap:maps'"),
    (
      .denied(inBackground: false), service, .denied,
      "'sudo locationctl grant 4200002/service:weather.service --always'"
    ),
    (
      .denied(inBackground: false), ClientIdentity(userID: 4_200_001, realm: .container("box")), .denied,
      "'sudo locationctl grant 4200001/container:box --always'"
    ),
    (
      .denied(inBackground: false), ClientIdentity(userID: 4_200_001, realm: .container("")), .denied,
      "An unnamed container of user 4200001 has no access"
    ),
    (
      .restricted(inBackground: false), person, .denied,
      "only root can change that: grant it with 'sudo locationctl grant 4200001'."
    ),
    // What helps a program in the background is named at once.
    (
      .denied(inBackground: true), person, .denied,
      "has no access to the location: grant it with 'sudo locationctl grant 4200001 --always'."
    ),
    (.restricted(inBackground: true), person, .denied, "grant it with 'sudo locationctl grant 4200001 --always'."),
    (.undecided(isAsked: false), person, .denied, "no agent is running that could ask for it: grant it"),
    (.undecided(isAsked: true), person, .denied, "was not answered in time: answer it"),
    (
      .notAsked(.notInUse), person, .denied,
      "outside of an open login session (services, cron, a shell after 'su -'): grant it with 'sudo locationctl grant 4200001 --always'"
    ),
    (
      .notAsked(.noDescription), person, .denied,
      "without a reason (--purpose): grant it with 'sudo locationctl grant 4200001'"
    ),
    (.notAsked(.allowedOnce), person, .denied, "cannot ask for it now: grant it with 'sudo locationctl grant 4200001'"),
    (.notAsked(.full), person, .denied, "cannot ask for it now: grant it with 'sudo locationctl grant 4200001'"),
    (
      .inBackground, person, .denied,
      "because it belongs to no open login session (as after 'su -'): log in as that user, or grant more with "
        + "'sudo locationctl grant 4200001 --always'"
    ),
    (.needsAlways, person, .denied, "'sudo locationctl grant 4200001 --always'"),
    (.needsFullAccuracy(always: false), person, .denied, "'sudo locationctl grant 4200001', without --reduced"),
    (.needsFullAccuracy(always: true), person, .denied, "'sudo locationctl grant 4200001 --always', without --reduced"),
    (.notAdministrator, person, .denied, "location, dialout and uucp may do that: run the command with sudo"),
    (.notOwner, person, .denied, "another user: run the command with sudo"),
    (.decision(.noAuthority), person, .denied, "run the command with sudo"),
    (.decision(.onlyRoot), person, .denied, "Only root may set or remove a restriction"),
    (.decision(.aboveOwn), person, .denied, "more access than you have"),
    (.decision(.full), person, .cannotWrite, "revoke WHO --forget"),
    (.noSuchQuestion, person, .locationUnknown, "not open any more"),
    (.unidentified, person, .denied, "cannot identify this program"),
  ]) func everyDenialHasItsSentence(
    denial: AuthorizationDenial, identity: ClientIdentity, status: CommandStatus, words: String
  ) {
    let sentence = FailureMessage(.notAuthorized(denial, identity: identity))
    #expect(sentence.status == status)
    #expect(sentence.text.contains(words), "\(sentence.text)")
    // One sentence, on one line.
    #expect(sentence.text.hasSuffix(".") && !sentence.text.contains("\n") && !sentence.text.contains(". "))
    #expect(sentence.text.prefix(1).allSatisfy { $0.isUppercase })
  }

  @Test func whatIsDoneAlsoWhileNoOneIsThereNeedsAlways() {
    for denial in [
      AuthorizationDenial.undecided(isAsked: false), .denied(inBackground: false), .needsFullAccuracy(always: false),
    ] {
      let sentence = FailureMessage(.notAuthorized(denial, identity: Self.person), needsAlways: true)
      #expect(sentence.text.contains("'sudo locationctl grant 4200001 --always'"), "\(sentence.text)")
    }
  }

  @Test func unknownClientsAreReportedWithoutAName() {
    #expect(
      FailureMessage(.notAuthorized(.denied(inBackground: false), identity: nil)).text.hasPrefix(
        "This client has no access"))
  }

  @Test func hostileNamesCannotSteerTheTerminal() {
    for realm in [
      ClientIdentity.Realm.flatpak("\u{1B}[2J\nx"), .snap("\u{202E}"), .service("a\rb"), .container("\u{9B}"),
    ] {
      let text = FailureMessage(
        .notAuthorized(.denied(inBackground: false), identity: ClientIdentity(userID: 1, realm: realm))
      ).text
      #expect(!text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x9B || $0.value == 0x202E })
    }
  }
}
