import Geodesy
import WireFormats

/// Sets a receiver as it is wanted, one setting at a time, and back: reads what all of them are, writes what they are to be,
/// waits for each acknowledgement, and believes neither a missing one nor a late one without reading again.
struct ReceiverConfigurator: Sendable {
  /// An acknowledgement comes within a second (UBX-13003221, section "UBX acknowledgement"); then a full line before it.
  static let patience: Duration = .seconds(2)
  /// Times that something is asked or written before it is left.
  static let attempts = 3

  private enum Step {
    case reading(ReceiverSetting)
    /// It was read; what is still to come is the acknowledgement of the question, which is not to be taken for that of what
    /// is written next.
    case confirming(ReceiverSetting)
    case writing(ReceiverSetting, Int)
  }

  private let language: SettingLanguage
  private var wanted: [(setting: ReceiverSetting, number: Int)] = []
  private var touched: [TouchedSetting] = [] { didSet { changes &+= 1 } }
  private var refused: Set<ReceiverSetting> = []
  private var step: Step?
  private var tries = 0
  /// When the answer is given up.
  private(set) var deadline: Instant?
  /// An acknowledgement was missed, so that a late one may be taken for the next one's: what is written is read again.
  private var isDoubtful = false
  /// Rises when what is to be put back may be another.
  private(set) var changes = 0

  init(_ language: SettingLanguage) { self.language = language }

  /// Goes on where the one before had to end.
  init(inheriting settings: InheritedSettings) {
    language = settings.language
    touched = settings.items.map { TouchedSetting($0, in: settings.language) }
  }

  /// What is to be put back, also of what is about to be written; `nil`: nothing.
  func inheritance(of identity: ReceiverIdentity) -> InheritedSettings? {
    guard touched.contains(where: { $0.written != nil }) else { return nil }
    let items = touched.compactMap { item -> InheritedSettings.Item? in
      let aim = aim(of: item)
      guard let left = aim != item.originalNumber ? aim : item.isChanged ? item.written : nil else { return nil }
      return InheritedSettings.Item(setting: item.setting, original: item.original, left: left)
    }
    return items.isEmpty ? nil : InheritedSettings(owner: .init(identity), language: language, items: items)
  }

  /// Whether everything is as it is wanted, or refused.
  var isSettled: Bool { step == nil && nextStep == nil }

  /// Settings that are not what they were, though nobody wants them so.
  var strandedCount: Int { touched.count { $0.isChanged && !isWanted($0.setting) } }

  /// Whether a message is said because this has set it.
  func says(_ output: ReceiverSetting.Output) -> Bool {
    touched.contains { $0.setting == .output(output) && ($0.number ?? 0) > 0 }
  }

  /// What the settings are to be from now on; those that are not named are put back.
  mutating func want(_ wanted: [(setting: ReceiverSetting, number: Int)]) {
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

  /// The receiver has started anew and forgotten what it was told.
  mutating func receiverRestarted() {
    for index in touched.indices {
      touched[index].number = nil
      touched[index].writes = 0
      touched[index].isGivenUp = false
    }
    end()
  }

  /// The next thing to write; empty while an answer is waited for, and once all is settled.
  mutating func advance(at now: Instant) -> [UInt8] {
    guard step == nil, let next = nextStep else { return [] }
    return begin(next, at: now)
  }

  mutating func heard(_ message: UBXMessage) {
    switch (step, message) {
    case (.reading(let setting)?, .configuration(let answer)):
      guard let value = language.value(of: setting, in: answer) else { return }
      found(value, of: setting)
      // Where acknowledgements are missing there is none to wait for.
      if isDoubtful { end() } else { step = .confirming(setting) }
    case (.reading(let setting)?, .acknowledgement(class: 0x06, let id, isAccepted: false)):
      // In doubt it may be that of something before.
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

  /// The deadline may have passed: what to write again.
  mutating func wake(at now: Instant) -> [UInt8] {
    guard let step, let deadline, now >= deadline else { return advance(at: now) }
    isDoubtful = true
    switch step {
    case .reading(let setting):
      if tries < Self.attempts { return begin(step, at: now) }
      if let index = index(of: setting), !isWanted(setting), !touched[index].isInherited {
        // What was is written then, unseen.
        touched[index].needsReading = false
      } else {
        giveUp(setting)
      }
    case .confirming: break
    // It may have been done all the same.
    case .writing(let setting, _): readAgain(setting)
    }
    end()
    return advance(at: now)
  }

  // MARK: -

  private func index(of setting: ReceiverSetting) -> Int? { touched.firstIndex { $0.setting == setting } }

  /// What a setting that was read is to be.
  private func aim(of touched: TouchedSetting) -> Int {
    guard !refused.contains(touched.setting) else { return touched.originalNumber }
    return wanted.first { $0.setting == touched.setting }?.number ?? touched.originalNumber
  }

  private var nextStep: Step? {
    // Back in the opposite order.
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
      touched.append(TouchedSetting(setting, value, number))
      return
    }
    touched[index].found(value, number)
    if number == aim(of: touched[index]) { touched[index].writes = 0 }
  }

  /// Nobody knows whether it was done.
  private mutating func readAgain(_ setting: ReceiverSetting) {
    guard let index = index(of: setting) else { return }
    touched[index].number = nil
    touched[index].needsReading = true
  }

  /// It is as it is: wanted no more, and not put back where even that fails.
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

/// Asks a receiver which of its ports this line ends at: settings are by port. From generation 10 on none answers, and then
/// it is what the hardware around it says.
struct PortQuestion: Sendable {
  static let patience: Duration = .seconds(2)
  static let attempts = 2

  private let likely: ReceiverPort
  private var asked = 0
  private(set) var deadline: Instant?
  /// The port, once it is known or nobody will tell.
  private(set) var answer: ReceiverPort?

  /// `isUSB`: the receiver itself is the USB device.
  init(isUSB: Bool) { likely = isUSB ? .usb : .uart1 }

  /// What to write.
  mutating func ask(at now: Instant) -> [UInt8] {
    asked += 1
    deadline = now + Self.patience
    return UBXFrame.pollPort
  }

  mutating func heard(_ message: UBXMessage) {
    switch message {
    case .configuration(let port) where port.id == 0x00 && port.bytes.count == 20:
      settle(ReceiverPort(rawValue: port.bytes[0]) ?? likely)
    case .acknowledgement(class: 0x06, id: 0x00, isAccepted: false): settle(likely)
    default: break
    }
  }

  /// The deadline may have passed: what to write again.
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
