import Geodesy
import WireFormats

/// Applies settings to a receiver, one at a time, and restores them: reads all current values, writes the new ones, and waits
/// for each acknowledgement. After a missing or late acknowledgement it reads the value again.
struct ReceiverConfigurator: Sendable {
  /// An acknowledgement comes within a second (UBX-13003221, section "UBX acknowledgement"); before it the line may have to
  /// send a full buffer.
  static let patience: Duration = .seconds(2)
  /// Attempts to read or write a setting.
  static let attempts = 3

  private enum Step {
    case reading(ReceiverSetting)
    /// The value was read; the poll's acknowledgement is still to come, and must not be mistaken for that of the next write.
    case confirming(ReceiverSetting)
    case writing(ReceiverSetting, Int)
  }

  private let language: SettingProtocol
  private var wanted: [(setting: ReceiverSetting, number: Int)] = []
  private var touched: [ModifiedSetting] = [] { didSet { changes &+= 1 } }
  private var refused: Set<ReceiverSetting> = []
  private var step: Step?
  private var tries = 0
  /// When waiting for the answer ends.
  private(set) var deadline: Instant?
  /// An acknowledgement was missed, so that a late one may be mistaken for that of a later message: after each write
  /// the value is read again.
  private var isDoubtful = false
  /// Increases when the settings to restore may have changed.
  private(set) var changes = 0

  init(_ language: SettingProtocol) { self.language = language }

  /// Continues where an earlier session stopped.
  init(inheriting settings: SavedReceiverConfiguration) {
    language = settings.language
    touched = settings.items.map { ModifiedSetting($0, in: settings.language) }
  }

  /// The settings to restore, including those about to be written; `nil`: none.
  func pendingRestore(of identity: ReceiverIdentity) -> SavedReceiverConfiguration? {
    guard touched.contains(where: { $0.written != nil }) else { return nil }
    let items = touched.compactMap { item -> SavedReceiverConfiguration.Item? in
      let aim = aim(of: item)
      guard let left = aim != item.originalNumber ? aim : item.isChanged ? item.written : nil else { return nil }
      return SavedReceiverConfiguration.Item(setting: item.setting, original: item.original, left: left)
    }
    return items.isEmpty ? nil : SavedReceiverConfiguration(owner: .init(identity), language: language, items: items)
  }

  /// Whether nothing is left to do: every setting has its requested or original value, was refused, or was given up.
  var isSettled: Bool { step == nil && nextStep == nil }

  /// Number of settings that still differ from their original value although no client requests that.
  var strandedCount: Int { touched.count { $0.isChanged && !isWanted($0.setting) } }

  /// Whether the receiver sends a message because this configurator enabled it.
  func hasEnabled(_ output: ReceiverSetting.Output) -> Bool {
    touched.contains { $0.setting == .output(output) && ($0.number ?? 0) > 0 }
  }

  /// Sets the requested values; settings that are not listed are restored.
  mutating func configure(_ wanted: [(setting: ReceiverSetting, number: Int)]) {
    guard !wanted.elementsEqual(self.wanted, by: ==) else { return }
    changes &+= 1
    for index in touched.indices {
      let isSame: ((setting: ReceiverSetting, number: Int)) -> Bool = { [touched] in
        $0.setting == touched[index].setting
      }
      guard wanted.first(where: isSame)?.number != self.wanted.first(where: isSame)?.number else { continue }
      touched[index].writes = 0
      touched[index].isGivenUp = false
    }
    self.wanted = wanted
  }

  /// The receiver has restarted and lost its volatile settings.
  mutating func receiverRestarted() {
    for index in touched.indices {
      touched[index].number = nil
      touched[index].writes = 0
      touched[index].isGivenUp = false
    }
    end()
  }

  /// The next message to write; empty while waiting for an answer, and once all is settled.
  mutating func advance(at now: Instant) -> [UInt8] {
    guard step == nil, let next = nextStep else { return [] }
    return begin(next, at: now)
  }

  mutating func received(_ message: UBXMessage) {
    switch (step, message) {
    case (.reading(let setting)?, .configuration(let answer)):
      guard let value = language.value(of: setting, in: answer) else { return }
      found(value, of: setting)
      // If acknowledgements get lost, do not wait for one.
      if isDoubtful { end() } else { step = .confirming(setting) }
    case (.reading(let setting)?, .acknowledgement(class: 0x06, let id, isAccepted: false)):
      // If an acknowledgement was missed, this one may belong to an earlier message.
      guard id == language.readID(setting), !isDoubtful else { return }
      giveUp(setting)
      end()
    case (.confirming(let setting)?, .acknowledgement(class: 0x06, let id, isAccepted: _)):
      if id == language.readID(setting) { end() }
    case (.writing(let setting, let number)?, .acknowledgement(class: 0x06, let id, let isAccepted)):
      guard id == language.writeID(setting), let index = index(of: setting) else { return }
      end()
      if isDoubtful {
        readAgain(setting)
      } else if isAccepted {
        touched[index].number = number
        touched[index].writes = 0
      } else if isWanted(setting) {
        giveUp(setting)
      }
    case (nil, _), (.reading?, _), (.confirming?, _), (.writing?, _): break
    }
  }

  /// Handles a deadline that may have passed; returns the message to write next.
  mutating func wake(at now: Instant) -> [UInt8] {
    guard let step, let deadline, now >= deadline else { return advance(at: now) }
    isDoubtful = true
    switch step {
    case .reading(let setting):
      if tries < Self.attempts { return begin(step, at: now) }
      if let index = index(of: setting), !isWanted(setting), !touched[index].isFromSavedConfiguration {
        // A setting that is being restored: its original value is written without reading the current one.
        touched[index].needsReading = false
      } else {
        giveUp(setting)
      }
    case .confirming: break
    // The setting may have been written nevertheless.
    case .writing(let setting, _): readAgain(setting)
    }
    end()
    return advance(at: now)
  }

  // MARK: -

  private func index(of setting: ReceiverSetting) -> Int? { touched.firstIndex { $0.setting == setting } }

  /// The value that a setting is to have.
  private func aim(of touched: ModifiedSetting) -> Int {
    guard !refused.contains(touched.setting) else { return touched.originalNumber }
    return wanted.first { $0.setting == touched.setting }?.number ?? touched.originalNumber
  }

  private var nextStep: Step? {
    // Settings are restored in reverse order.
    for item in touched.reversed() where item.written != nil && !isWanted(item.setting) && !item.isGivenUp {
      if item.needsReading { return .reading(item.setting) }
      if item.number != item.originalNumber { return .writing(item.setting, item.originalNumber) }
    }
    let settings = wanted.map(\.setting).filter { !refused.contains($0) }
    for setting in settings {
      guard let index = index(of: setting), !touched[index].needsReading else { return .reading(setting) }
    }
    for setting in settings {
      guard let item = index(of: setting).map({ touched[$0] }) else { continue }
      if item.number != aim(of: item) { return .writing(setting, aim(of: item)) }
    }
    return nil
  }

  private func isWanted(_ setting: ReceiverSetting) -> Bool {
    !refused.contains(setting) && wanted.contains { $0.setting == setting }
  }

  private mutating func begin(_ next: Step, at now: Instant) -> [UInt8] {
    step = next
    tries += 1
    deadline = now + Self.patience
    switch next {
    case .reading(let setting): return language.read(setting)
    case .confirming: return []
    case .writing(let setting, let number):
      guard let index = index(of: setting), touched[index].writes < Self.attempts else {
        giveUp(setting)
        end()
        return advance(at: now)
      }
      touched[index].writes += 1
      if number != touched[index].originalNumber { touched[index].written = number }
      return language.write(setting, number, in: touched[index].original)
    }
  }

  private mutating func found(_ value: [UInt8], of setting: ReceiverSetting) {
    let number = language.number(of: setting, in: value)
    guard let index = index(of: setting) else {
      touched.append(ModifiedSetting(setting, value, number))
      return
    }
    touched[index].found(value, number)
    if number == aim(of: touched[index]) { touched[index].writes = 0 }
  }

  /// Schedules a setting for reading, because it is unknown whether the receiver applied the written value.
  private mutating func readAgain(_ setting: ReceiverSetting) {
    guard let index = index(of: setting) else { return }
    touched[index].number = nil
    touched[index].needsReading = true
  }

  /// Ends the attempts. A requested setting counts as refused, and its original value is restored if another value was written. A
  /// setting that was being restored stays as it is.
  private mutating func giveUp(_ setting: ReceiverSetting) {
    let wasWanted = isWanted(setting)
    if wasWanted { refused.insert(setting) }
    guard let index = index(of: setting) else { return }
    touched[index].writes = 0
    touched[index].needsReading = false
    if !wasWanted { touched[index].isGivenUp = true }
  }

  private mutating func end() {
    step = nil
    tries = 0
    deadline = nil
  }
}

/// Asks a receiver which of its ports this line is connected to: settings are per port. From generation 10 on, receivers do not
/// answer; then the port follows from the hardware.
struct PortIdentification: Sendable {
  static let patience: Duration = .seconds(2)
  static let attempts = 2

  private let likely: ReceiverPort
  private var asked = 0
  private(set) var deadline: Instant?
  /// The port, once it is known or all attempts have failed.
  private(set) var answer: ReceiverPort?

  /// `isUSB`: the receiver itself is the USB device.
  init(isUSB: Bool) { likely = isUSB ? .usb : .uart1 }

  /// The message to write.
  mutating func ask(at now: Instant) -> [UInt8] {
    asked += 1
    deadline = now + Self.patience
    return UBXFrame.pollPort
  }

  mutating func received(_ message: UBXMessage) {
    switch message {
    case .configuration(let port) where port.id == 0x00 && port.bytes.count == 20:
      settle(ReceiverPort(rawValue: port.bytes[0]) ?? likely)
    case .acknowledgement(class: 0x06, id: 0x00, isAccepted: false): settle(likely)
    default: break
    }
  }

  /// Handles a deadline that may have passed; returns the message to write again.
  mutating func wake(at now: Instant) -> [UInt8] {
    guard let deadline, now >= deadline else { return [] }
    if asked < Self.attempts { return ask(at: now) }
    settle(likely)
    return []
  }

  private mutating func settle(_ port: ReceiverPort) {
    answer = port
    deadline = nil
  }
}
