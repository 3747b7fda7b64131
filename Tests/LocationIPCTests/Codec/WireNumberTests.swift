import FleetDestinations
import Geodesy
import LocationIPC
import LocationPolicy
import PlacesCore
import Regions
import Testing

/// The numbers of cases in messages, some of them also in files. A number is never given to another case.
@Suite struct WireNumberTests {
  private func table<Choice: RawRepresentable<UInt8>>(_ type: Choice.Type) -> String {
    (0...UInt8.max).compactMap { number in Choice(rawValue: number).map { "\(number) \($0)" } }
      .joined(separator: ", ")
  }

  @Test func aCallerHasTheseFields() {
    let caller = BridgedCaller(processID: 300, userID: 1000, startTicks: 5, isReduced: true)
    let hello = ClientMessage.hello(ClientHello(versions: 3...3, name: "x", onBehalfOf: caller))
    #expect(ProtocolVersion.spoken == 2...3 && BridgedCaller.firstVersion == 3)
    #expect(
      hello.frame.suffix(12) == [0x2A, 10, 0x08, 0xAC, 0x02, 0x10, 0xE8, 0x07, 0x18, 5, 0x20, 1])
  }

  @Test func choicesHaveTheseNumbers() {
    #expect(
      table(AccuracyRule.self) == "0 converging, 1 required, 2 preferred")
    #expect(
      table(Activity.self)
        == "0 other, 1 automotiveNavigation, 2 fitness, 3 otherNavigation, 4 airborne, 5 maritime")
    #expect(table(PromptAnswer.Choice.self) == "0 whileInUse, 1 always, 2 once, 3 no")
    #expect(
      table(AuthorizationLevel.self) == "0 notDetermined, 1 restricted, 2 denied, 3 whenInUse, 4 always")
    #expect(table(ClientPresence.self) == "0 inUse, 1 background")
    #expect(table(DecisionError.self) == "0 noAuthority, 1 onlyRoot, 2 aboveOwn, 3 full, 4 byAccount")
    #expect(
      table(DeferralFailure.self)
        == "0 failed, 1 notUpdating, 2 accuracyTooLow, 3 distanceFiltered, 4 canceled")
    #expect(table(DeviceKind.self) == "0 receiver, 1 adapter, 2 trusted")
    #expect(table(DeviceOwner.self) == "0 locationd, 1 gpsd")
    #expect(
      table(DeviceState.self)
        == "0 closed, 1 opening, 2 hunting, 3 identified, 4 fixing, 5 silent, 6 busy, 7 denied, 8 untrusted, 9 open")
    #expect(
      table(FixKind.self)
        == "0 estimated, 1 twoDimensional, 2 threeDimensional, 3 differential, 4 rtkFloat, 5 rtkFixed")
    #expect(
      table(FullAccuracyAnswer.Reason.self)
        == "0 isFull, 1 notAuthorized, 2 notInUse, 3 noDescription, 4 noAgent, 5 otherQuestion")
    #expect(table(IgnoredRequest.self) == "0 noDescription, 1 notInUse, 2 allowedOnce, 3 full")
    #expect(table(IndicatorState.Mark.self) == "0 none, 1 hollow, 2 solid")
    #expect(table(LocationUsage.Mark.self) == "0 current, 1 recently, 2 fences")
    #expect(table(NetworkProtocol.self) == "0 gpsd, 1 nmea")
    #expect(table(PortStatus.State.self) == "0 listening, 1 inUse, 2 failed, 3 unidentified")
    #expect(table(NotificationProblem.self) == "0 noDesktop, 1 noProgram, 2 failed")
    #expect(table(RegionState.self) == "0 unknown, 1 inside, 2 outside")
    #expect(
      table(SatelliteConstellation.self)
        == "0 gps, 1 glonass, 2 galileo, 3 beidou, 4 qzss, 5 navic, 6 sbas, 7 imes")
    #expect(
      table(ServiceBound.Kind.self)
        == "0 clients, 1 clientsOfUser, 2 clientsWithoutGrant, 3 clientsOfNamespaces, 4 requests, "
        + "5 requestsOfUser, 6 regions, 7 regionBytes, 8 lists")
    #expect(
      table(StorageCause.self)
        == "0 other, 1 noRoom, 2 readOnly, 3 denied, 4 diskError, 5 damaged, 6 laterVersion, 7 busy")
    #expect(table(StreamChange.self) == "0 lost, 1 back, 2 suspended, 3 resumed, 4 paused, 5 unpaused")
    #expect(table(FixQualityFlag.self) == "0 frozen, 1 jammed, 2 implausible")
    #expect(table(TimeValidity.self) == "0 none, 1 timeOfDayOnly, 2 dateUnconfirmed, 3 confirmed")
    #expect(table(TrackInterruption.self) == "0 started, 1 resumed, 2 gap, 3 paused")
    #expect(table(NotDeterminedPolicy.self) == "0 fails, 1 asks, 2 waits")
    #expect(table(AccessPointOrigin.self) == "0 learned, 1 imported, 2 fetched")
    #expect(
      (0...UInt64(UInt8.max)).compactMap { number in Place.Kind(code: number).map { "\(number) \($0)" } }
        .joined(separator: ", ")
        == "0 address, 1 street, 2 pointOfInterest, 3 quarter, 4 town, 5 area, 6 inlandWater, 7 ocean, 8 zone")
  }

  @Test func networkSourcesHaveTheseNumbers() {
    #expect(
      table(CorrectionStatus.State.self)
        == "0 idle, 1 waitingForPosition, 2 connecting, 3 waiting, 4 streaming, 5 pausing, 6 stopped")
    #expect(
      table(CorrectionStatus.Problem.self)
        == "0 badFile, 1 unreachable, 2 refused, 3 wrongMount, 4 banned, 5 silent, 6 noCorrections, 7 tooFar")
    #expect(
      table(NetworkFailure.self)
        == "0 noSuchHost, 1 unreachable, 2 notTrusted, 3 tooLate, 4 closed, 5 silent")
  }

  @Test func timeHasTheseNumbers() {
    #expect(table(TimeRequest.self) == "0 calibrate, 1 endCalibration")
    #expect(
      table(ReceiverTimeState.self)
        == "0 waiting, 1 sending, 2 calibrating, 3 notLocal, 4 noTime, 5 stale, 6 interference, 7 unconfirmed, "
        + "8 eraUncertain, 9 leapUncertain, 10 noSilence, 11 lateLoop, 12 largeRead, 13 tooWide, 14 offLine")
    #expect(table(DelayBasis.self) == "0 portClass, 1 pulse, 2 systemClock, 3 setting")
    #expect(
      table(TimeSinkReport.State.self)
        == "0 unused, 1 receiving, 2 absent, 3 denied, 4 noHelper, 5 failed, 6 notInSettings")
    #expect(
      table(ClockSettingState.self)
        == "0 waiting, 1 done, 2 disabled, 3 leftToChrony, 4 keptByOther, 5 interference, 6 smallError, 7 tooFarBack, "
        + "8 implausible, 9 noHelper")
  }

  @Test func destinationsHaveTheseNumbers() {
    #expect(table(FleetKind.self) == "0 mqtt, 1 ownTracksHTTP, 2 osmAnd, 3 overland, 4 http")
    #expect(table(FleetQoS.self) == "0 atMostOnce, 1 atLeastOnce, 2 exactlyOnce")
    #expect(table(FleetRequest.Backlog.self) == "0 kept, 1 discarded")
    #expect(
      table(FleetReport.State.self)
        == "0 idle, 1 connecting, 2 connected, 3 waiting, 4 paused, 5 resting, 6 refused, 7 unheard, 8 notAllowed")
    #expect(
      table(FleetProblem.self)
        == "1 noSuchHost, 2 unreachable, 3 serverNotTrusted, 4 certificateRefused, 5 badCredentials, 6 notAuthorized, "
        + "7 takenOver, 8 tooLate, 9 closed, 10 unavailable, 11 notUnderstood, 12 libraryMissing, 13 notFound, "
        + "14 certificateDate, 15 credentialUnreadable, 16 helperFailed, 17 noAcknowledgement")
  }
}
