import Testing

@testable import GNSSReceiver

@Suite struct SettingPlanTests {
  @Test(
    arguments: [
      (nil, [.posllh, .velned]), (1300, [.posllh, .velned]), (1400, [.pvt]), (1800, [.pvt, .eoe]),
      (2700, [.pvt, .cov, .eoe]),
    ] as [(Int?, [ReceiverSetting.Output])])
  func asksForWhatTheFirmwareKnows(version: Int?, outputs: [ReceiverSetting.Output]) {
    let plan = SettingPlan(protocolVersionHundredths: version, baud: nil)
    let settings = plan.settings(for: ReceiverConfigurationRequest())
    #expect(settings.map(\.setting) == outputs.map { .output($0) })
    #expect(settings.allSatisfy { $0.number == 1 })
  }

  /// The requested rate in hertz, the baud rate, and the resulting interval in milliseconds.
  @Test(
    arguments: [
      (1, nil, 1000), (10, nil, 100), (25, nil, 40), (1000, nil, 40), (0, nil, 1000), (10, 4800, 1000),
      (10, 9600, 1000),
      (10, 38_400, 250), (10, 115_200, 100),
    ] as [(Int, Int?, Int)])
  func theRateIsWhatTheLineCarries(hertz: Int, baud: Int?, milliseconds: Int) {
    let plan = SettingPlan(protocolVersionHundredths: 1800, baud: baud)
    let period = plan.settings(for: ReceiverConfigurationRequest(rateHertz: hertz)).first {
      $0.setting == .measurementPeriod
    }
    #expect(period?.number == milliseconds)
  }

  @Test func sleepComesWithItsMode() {
    let plan = SettingPlan(protocolVersionHundredths: 1800, baud: nil)
    let settings = plan.settings(
      for: ReceiverConfigurationRequest(dynamicModel: .automotive, sparingPeriod: .seconds(30)))
    #expect(settings.first { $0.setting == .dynamicModel }?.number == 4)
    #expect(settings.first { $0.setting == .sparingPeriod }?.number == 30_000)
    #expect(settings.last?.setting == .powerMode && settings.last?.number == 1)
  }
}
