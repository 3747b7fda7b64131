import WireFormats

/// How settings are read and written: by keys from generation 9 on, by one message per setting before (UBX-18010854, section 6;
/// UBX-13003221, section "UBX-CFG").
struct SettingProtocol: Hashable, Sendable {
  let usesKeys: Bool
  let port: ReceiverPort

  /// The first protocol version with CFG-VALSET, in hundredths. 23.01, the last of generation 8 (SPG 3.51), does not have it
  /// (UBX-13003221 R25).
  static let firstWithKeys = 2400

  /// The message that polls a setting.
  func read(_ setting: ReceiverSetting) -> [UInt8] {
    if usesKeys { return UBXFrame.pollValue(of: key(of: setting)) }
    return switch setting {
    case .output(let output): UBXFrame.pollOutput(class: 0x01, id: output.rawValue)
    case .dynamicModel: UBXFrame.pollNavigationEngine
    case .measurementPeriod: UBXFrame.pollRate
    case .sparingPeriod: UBXFrame.pollPowerManagement
    case .powerMode: UBXFrame.pollPowerMode
    // Only by keys: SettingPlan does not set it in older receivers.
    case .correctionInput: []
    }
  }

  /// The identifier of the message that reads, and of its answer (class CFG).
  func readID(_ setting: ReceiverSetting) -> UInt8 { usesKeys ? 0x8B : legacyID(of: setting) }
  /// The identifier of the message that writes; acknowledgements contain it.
  func writeID(_ setting: ReceiverSetting) -> UInt8 { usesKeys ? 0x8A : legacyID(of: setting) }

  /// The value of `setting` in the receiver's answer; `nil`: the answer is for another setting.
  func value(of setting: ReceiverSetting, in answer: UBXPayload) -> [UInt8]? {
    guard answer.id == readID(setting) else { return nil }
    let bytes = answer.bytes
    if usesKeys {
      // Version 1, the layer, the position, then the key and its value.
      let key = UBXFrame.littleEndian(key(of: setting))
      guard bytes.count > 8, bytes[0] == 1, Array(bytes[4..<8]) == key else { return nil }
    }
    let value = usesKeys ? Array(bytes[8...]) : bytes
    return isValue(value, of: setting) ? value : nil
  }

  /// Whether this can be a receiver's value of `setting`.
  func isValue(_ value: [UInt8], of setting: ReceiverSetting) -> Bool {
    if usesKeys { return value.count == width(of: setting) }
    guard legacyLengths(of: setting).contains(value.count) else { return false }
    if case .output(let output) = setting { return value[0] == 0x01 && value[1] == output.rawValue }
    return true
  }

  /// The setting's number in the receiver's value.
  func number(of setting: ReceiverSetting, in value: [UInt8]) -> Int {
    let field = field(of: setting)
    let number = value[field].reversed().reduce(0) { $0 << 8 | Int($1) }
    return usesKeys && setting == .sparingPeriod ? number * 1000 : number
  }

  /// The message that sets the number and leaves the rest of the receiver's value unchanged.
  func write(_ setting: ReceiverSetting, _ number: Int, in value: [UInt8]) -> [UInt8] {
    var value = value
    let number = usesKeys && setting == .sparingPeriod ? max(1, number / 1000) : number
    for (offset, index) in field(of: setting).enumerated() {
      value[index] = UInt8(truncatingIfNeeded: number >> (8 * offset))
    }
    if usesKeys { return UBXFrame.setValue(of: key(of: setting), to: value) }
    // Of the navigation engine's settings only the model is applied (`mask`, bit 0).
    if setting == .dynamicModel { value.replaceSubrange(0..<2, with: [1, 0]) }
    return UBXFrame.encode(class: 0x06, id: legacyID(of: setting), payload: value)
  }

  // MARK: -

  /// UBX-18010854, section 6.9 (CFG-MSGOUT: the key for I2C, then UART1, UART2, USB and SPI).
  private func key(of setting: ReceiverSetting) -> UInt32 {
    switch setting {
    case .output(let output):
      let first: UInt32 =
        switch output {
        case .posllh: 0x2091_0029
        case .pvt: 0x2091_0006
        case .velned: 0x2091_0042
        case .cov: 0x2091_0083
        case .eoe: 0x2091_015F
        }
      return first + UInt32(port.rawValue)
    case .dynamicModel: return 0x2011_0021
    case .measurementPeriod: return 0x3021_0001
    case .sparingPeriod: return 0x40D0_0002
    case .powerMode: return 0x20D0_0001
    // CFG-I2CINPROT-RTCM3X, then UART1, UART2, USB and SPI.
    case .correctionInput: return 0x1071_0004 + UInt32(port.rawValue) * 0x2_0000
    }
  }

  /// Bytes of a key's value: bits 28 to 30 of the key, 1 for a bit, which takes a byte, 2 for one byte, 3 for two, 4 for four.
  private func width(of setting: ReceiverSetting) -> Int { 1 << max(0, Int(key(of: setting) >> 28) - 2) }

  private func legacyID(of setting: ReceiverSetting) -> UInt8 {
    switch setting {
    case .output: 0x01
    case .dynamicModel: 0x24
    case .measurementPeriod: 0x08
    case .sparingPeriod: 0x3B
    case .powerMode: 0x11
    case .correctionInput: 0x00
    }
  }

  private func legacyLengths(of setting: ReceiverSetting) -> ClosedRange<Int> {
    switch setting {
    case .output: 8...8
    case .dynamicModel: 36...36
    case .measurementPeriod: 6...6
    // Version 1; version 2 of generation 8 has four bytes more.
    case .sparingPeriod: 44...48
    case .powerMode: 2...2
    case .correctionInput: 20...20
    }
  }

  /// The bytes of the number in the receiver's value.
  private func field(of setting: ReceiverSetting) -> Range<Int> {
    if usesKeys { return 0..<width(of: setting) }
    return switch setting {
    case .output: 2 + Int(port.rawValue)..<3 + Int(port.rawValue)
    case .dynamicModel: 2..<3
    case .measurementPeriod: 0..<2
    case .sparingPeriod: 8..<12
    case .powerMode: 1..<2
    case .correctionInput: 12..<14
    }
  }
}

/// The settings that a client request requires of one receiver. No message is ever disabled: other programs may read the same
/// line later.
struct SettingPlan: Sendable {
  /// Version of the receiver's protocol, × 100; `nil`: not reported.
  var protocolVersionHundredths: Int?
  /// Baud rate of its line; `nil`: it has none, as on USB.
  var baud: Int?
  /// Whether it can use corrections.
  var takesCorrections = false

  /// The settings that `requestedConfiguration` needs, and their values.
  func settings(for requestedConfiguration: ReceiverConfigurationRequest) -> [(setting: ReceiverSetting, number: Int)] {
    var settings: [(ReceiverSetting, Int)] = outputs.map { (.output($0), 1) }
    if let model = requestedConfiguration.dynamicModel { settings.append((.dynamicModel, Int(model.rawValue))) }
    if let rate = requestedConfiguration.rateHertz {
      settings.append((.measurementPeriod, 1000 / min(max(rate, 1), highestRate)))
    }
    if let period = requestedConfiguration.sparingPeriod {
      settings += [(.sparingPeriod, Int(clamping: period.components.seconds) * 1000), (.powerMode, 1)]
    }
    // On by default; in older receivers, it is one bit among the protocols of the port, which stay as they are.
    let usesKeys = protocolVersionHundredths.map { $0 >= SettingProtocol.firstWithKeys } ?? false
    if requestedConfiguration.takesCorrections, takesCorrections, usesKeys { settings.append((.correctionInput, 1)) }
    return settings
  }

  /// NAV-PVT is available from protocol 14, NAV-EOE from 18, NAV-COV from 27.
  private var outputs: [ReceiverSetting.Output] {
    let version = protocolVersionHundredths ?? 0
    var outputs: [ReceiverSetting.Output] = version >= 1400 ? [.pvt] : [.posllh, .velned]
    if version >= 2700 { outputs.append(.cov) }
    if version >= 1800 { outputs.append(.eoe) }
    return outputs
  }

  /// A line carries one epoch per second for each 9600 baud, including the messages that other programs have enabled.
  private var highestRate: Int { baud.map { min(max($0 / 9600, 1), 25) } ?? 25 }
}
