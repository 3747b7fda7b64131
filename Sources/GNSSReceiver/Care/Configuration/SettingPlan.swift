/// What clients' wishes come to on one receiver. Nothing is ever switched off: others may read the same line tomorrow.
struct SettingPlan: Sendable {
  /// Of the receiver's firmware, × 100; `nil`: not told.
  var protocolVersionHundredths: Int?
  /// Of its line; `nil`: it has none, as on USB.
  var baud: Int?

  /// The settings that `wish` needs, and what each is to be.
  func settings(for wish: ReceiverWish) -> [(setting: ReceiverSetting, number: Int)] {
    var settings: [(ReceiverSetting, Int)] = outputs.map { (.output($0), 1) }
    if let model = wish.dynamicModel { settings.append((.dynamicModel, Int(model.rawValue))) }
    if let rate = wish.rateHertz { settings.append((.measurementPeriod, 1000 / min(max(rate, 1), highestRate))) }
    if let period = wish.sparingPeriod {
      settings += [(.sparingPeriod, Int(clamping: period.components.seconds) * 1000), (.powerMode, 1)]
    }
    return settings
  }

  /// NAV-PVT is there from protocol 14, NAV-EOE from 18, NAV-COV from 27.
  private var outputs: [ReceiverSetting.Output] {
    let version = protocolVersionHundredths ?? 0
    var outputs: [ReceiverSetting.Output] = version >= 1400 ? [.pvt] : [.posllh, .velned]
    if version >= 2700 { outputs.append(.cov) }
    if version >= 1800 { outputs.append(.eoe) }
    return outputs
  }

  /// A line carries an epoch a second at 9600 baud, with what others have switched on.
  private var highestRate: Int { baud.map { min(max($0 / 9600, 1), 25) } ?? 25 }
}
