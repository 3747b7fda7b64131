/// The settings of a u-blox in RAM, which return to their defaults at power-off.
///
/// From generation 9 on they are set by keys (UBX-18010854, section 6); generations up to 9 also accept the older
/// messages.
package struct UbloxMemory: Hashable, Sendable {
  /// The receiver's port that the driver is connected to: `portID`.
  package let port: UInt8
  let hasKeys: Bool
  private let hasMessages: Bool
  /// NAV messages, by identifier, and for each port the number of epochs between two of them; 0: the port does not send it.
  package private(set) var rates: [UInt8: [UInt8]]
  package private(set) var dynamicModel: UInt8 = 0
  package private(set) var measurementPeriod: UInt16
  package private(set) var powerMode: UInt8 = 0
  package private(set) var updatePeriodMilliseconds: UInt32 = 1000
  /// Whether the driver's port accepts corrections; `nil`: the receiver cannot use them.
  private var correctionInput: Bool?
  /// The number of commands that wrote a key to a layer other than RAM, where values survive power-off.
  package private(set) var lastingWrites = 0

  /// NAV messages that the generation supports.
  private let known: [UInt8]

  init(_ configuration: SimulatedReceiver.Configuration) {
    port = configuration.port
    hasKeys = configuration.dialect == .ublox9
    hasMessages = configuration.hasSettingMessages
    known =
      switch configuration.dialect {
      case .nmea23, .nmea411: []
      case .ublox6: [0x02, 0x04, 0x06, 0x12, 0x21, 0x30]
      case .ublox7: [0x02, 0x04, 0x06, 0x07, 0x12, 0x21, 0x30]
      case .ublox8, .mixed: [0x02, 0x04, 0x07, 0x12, 0x35, 0x61]
      case .ublox9: [0x02, 0x04, 0x07, 0x12, 0x35, 0x36, 0x61]
      }
    rates = Dictionary(uniqueKeysWithValues: known.map { ($0, [UInt8](repeating: 0, count: 6)) })
    correctionInput = configuration.takesCorrections && hasKeys ? configuration.hasCorrectionInput : nil
    measurementPeriod = UInt16(1000 / min(max(configuration.rateHertz, 1), 25))
    for id in EpochOutput.usualOutputs(configuration) { rates[id]?[Int(port)] = 1 }
  }

  /// Whether it uses corrections that arrive now.
  package var takesCorrections: Bool { correctionInput ?? false }

  /// The messages that the driver's port sends.
  package var outputs: [UInt8] { rates.filter { $0.value[Int(port)] > 0 }.map(\.key).sorted() }

  /// The result of a command of class CFG.
  enum Reply: Hashable, Sendable {
    /// The command was accepted; contains the answer if it was a poll.
    case accepted([UInt8]?)
    case refused
  }

  mutating func receive(_ command: CommandListener.Command) -> Reply {
    let payload = command.payload
    guard hasMessages || command.id == 0x8A || command.id == 0x8B else { return .refused }
    switch command.id {
    case 0x00 where payload.isEmpty: return answer(command, portSettings)
    case 0x01 where payload.count == 2:
      guard payload[0] == 0x01, let rates = rates[payload[1]] else { return .refused }
      return answer(command, payload + rates)
    case 0x01 where payload.count == 8:
      guard payload[0] == 0x01, rates[payload[1]] != nil else { return .refused }
      rates[payload[1]] = Array(payload[2...])
    case 0x08 where payload.isEmpty: return answer(command, measurementPeriod.littleEndian8 + [1, 0, 1, 0])
    case 0x08 where payload.count == 6: measurementPeriod = UInt16(payload[0]) | UInt16(payload[1]) << 8
    case 0x11 where payload.isEmpty: return answer(command, [0, powerMode])
    case 0x11 where payload.count == 2: powerMode = payload[1]
    case 0x24 where payload.isEmpty:
      return answer(command, [0xFF, 0xFF, dynamicModel, 3] + [UInt8](repeating: 0, count: 32))
    case 0x24 where payload.count == 36: if payload[0] & 1 != 0 { dynamicModel = payload[2] }
    case 0x3B where payload.isEmpty:
      let period = updatePeriodMilliseconds.littleEndian8
      return answer(command, [1, 0, 0, 0, 0, 0x90, 2, 0] + period + [UInt8](repeating: 0, count: 32))
    case 0x3B where payload.count == 44: updatePeriodMilliseconds = payload[8..<12].number
    case 0x8A where hasKeys && payload.count > 8: return set(payload)
    // Version 0, from RAM, starting at the first key.
    case 0x8B where hasKeys && payload.count == 8 && payload.prefix(4).allSatisfy({ $0 == 0 }):
      let key = payload[4..<8].number
      guard let value = value(of: key) else { return .refused }
      return answer(command, [1, 0, 0, 0] + payload[4..<8] + value)
    default: return .refused
    }
    return .accepted(nil)
  }

  private func answer(_ command: CommandListener.Command, _ payload: [UInt8]) -> Reply {
    var message = UBXFrameBuilder(class: 0x06, id: command.id)
    message.raw(payload)
    return .accepted(message.bytes)
  }

  /// UBX-CFG-PRT: UBX, NMEA and RTCM input, UBX and NMEA output.
  private var portSettings: [UInt8] {
    [port, 0, 0, 0, 0xD0, 8, 0, 0] + UInt32(9600).littleEndian8 + [7, 0, 3, 0, 0, 0, 0, 0]
  }

  // MARK: - Keys

  private mutating func set(_ payload: [UInt8]) -> Reply {
    let key = payload[4..<8].number
    let value = payload[8...]
    // Version 0 without a transaction, and the layers: RAM, battery-backed RAM, flash.
    guard payload[0] == 0, (1...7).contains(payload[1]) else { return .refused }
    if payload[1] != 1 { lastingWrites += 1 }
    guard payload[1] & 1 != 0 else { return .accepted(nil) }
    guard let old = self.value(of: key), old.count == value.count else { return .refused }
    if let id = output(of: key) {
      rates[id.message]?[Int(id.port)] = UInt8(truncatingIfNeeded: value.number)
    } else if key == 0x2011_0021 {
      dynamicModel = UInt8(truncatingIfNeeded: value.number)
    } else if key == 0x3021_0001 {
      measurementPeriod = UInt16(truncatingIfNeeded: value.number)
    } else if key == correctionKey {
      correctionInput = value.number != 0
    } else if key == 0x20D0_0001 {
      powerMode = UInt8(truncatingIfNeeded: value.number)
    } else {
      updatePeriodMilliseconds = value.number &* 1000
    }
    return .accepted(nil)
  }

  /// CFG-I2CINPROT-RTCM3X for the driver's port.
  private var correctionKey: UInt32 { 0x1071_0004 + UInt32(port) * 0x2_0000 }

  private func value(of key: UInt32) -> [UInt8]? {
    if key == correctionKey { return correctionInput.map { [$0 ? 1 : 0] } }
    if let id = output(of: key) { return rates[id.message].map { [$0[Int(id.port)]] } }
    return switch key {
    case 0x2011_0021: [dynamicModel]
    case 0x3021_0001: measurementPeriod.littleEndian8
    case 0x20D0_0001: [powerMode]
    case 0x40D0_0002: (updatePeriodMilliseconds / 1000).littleEndian8
    default: nil
    }
  }

  /// The message and the port of a CFG-MSGOUT key.
  private func output(of key: UInt32) -> (message: UInt8, port: UInt8)? {
    let firsts: [(UInt32, UInt8)] = [
      (0x2091_0006, 0x07), (0x2091_0015, 0x35), (0x2091_0029, 0x02), (0x2091_0038, 0x04), (0x2091_0042, 0x12),
      (0x2091_0083, 0x36), (0x2091_015F, 0x61),
    ]
    for (first, message) in firsts where (first...first + 4).contains(key) {
      return rates[message] == nil ? nil : (message, UInt8(key - first))
    }
    return nil
  }
}

extension FixedWidthInteger {
  /// Its bytes, little endian.
  fileprivate var littleEndian8: [UInt8] {
    stride(from: 0, to: bitWidth, by: 8).map { UInt8(truncatingIfNeeded: self >> Self($0)) }
  }
}

extension ArraySlice<UInt8> {
  /// Up to four bytes as a little-endian number.
  fileprivate var number: UInt32 { prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) } }
}
