import Geodesy
import LocationIPC
import LocationPolicy
import Regions
import Testing

/// The numbers of cases in messages, some of them also in files. A number is never given to another case.
@Suite struct WireNumberTests {
  private func table<Choice: RawRepresentable<UInt8>>(_ type: Choice.Type) -> String {
    (0...UInt8.max).compactMap { number in Choice(rawValue: number).map { "\(number) \($0)" } }
      .joined(separator: ", ")
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
  }
}
