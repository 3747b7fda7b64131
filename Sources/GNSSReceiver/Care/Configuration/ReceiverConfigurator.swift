import Geodesy
import WireFormats

/// Sets a receiver as it is wanted, one setting at a time, and back: reads what it is, writes what it is to be, waits for
/// the acknowledgement, and believes neither a missing one nor a late one without reading again.
struct ReceiverConfigurator: Sendable {
  /// An acknowledgement comes within a second (UBX-13003221, section "UBX acknowledgement"); then a full line before it.
  static let patience: Duration = .seconds(2)
  /// Times that something is asked or written before it is left.
  static let attempts = 3

  private enum Step {
    case reading(ReceiverSetting)
    case writing(ReceiverSetting, Int)
  }

  private let language: SettingLanguage
  private var wanted: [(setting: ReceiverSetting, number: Int)] = []
  private var touched: [TouchedSetting] = []
  private var refused: Set<ReceiverSetting> = []
  private var step: Step?
  private var tries = 0
  /// When the answer is given up.
  private(set) var deadline: Instant?
  /// An acknowledgement was missed, so that a late one may be taken for the next one's: what is written is read again.
  private var isDoubtful = false

  init(_ language: SettingLanguage) { self.language = language }

  /// Goes on where the one before had to end.
  init(inheriting settings: InheritedSettings) {
    language = settings.language
    touched = settings.touched.map {
      TouchedSetting(setting: $0.setting, original: $0.original, originalNumber: $0.originalNumber)
    }
  }

  /// What is to be put back still; `nil`: nothing.
  func inheritance(of owner: ReceiverIdentity) -> InheritedSettings? {
    let changed = touched.filter { $0.number != $0.originalNumber }
    return changed.isEmpty && !isWriting ? nil : InheritedSettings(owner: owner, language: language, touched: touched)
  }

  /// Whether something was written of which it is not known whether it was done.
  private var isWriting: Bool { if case .writing? = step { true } else { false } }

  /// Whether everything is as it is wanted, or refused.
  var isSettled: Bool { step == nil && nextStep == nil }

  /// Whether a message is said because this has set it.
  func says(_ output: ReceiverSetting.Output) -> Bool {
    touched.contains { $0.setting == .output(output) && ($0.number ?? 0) > 0 }
  }

  /// What the settings are to be from now on; those that are not named are put back.
  mutating func want(_ wanted: [(setting: ReceiverSetting, number: Int)]) {
    for (setting, number) in wanted where !self.wanted.contains(where: { $0 == (setting, number) }) {
      if let index = index(of: setting) { touched[index].writes = 0 }
    }
    self.wanted = wanted
  }

  /// The receiver has started anew and forgotten what it was told.
  mutating func receiverRestarted() {
    for index in touched.indices {
      touched[index].number = nil
      touched[index].writes = 0
    }
    end()
  }

  /// The next thing to write; empty while an answer is waited for, and once all is settled.
  mutating func advance(at now: Instant) -> [UInt8] {
    // Reading again after a doubtful acknowledgement has no deadline yet.
    if let step { return deadline == nil ? begin(step, at: now) : [] }
    return nextStep.map { begin($0, at: now) } ?? []
  }

  mutating func heard(_ message: UBXMessage) {
    switch (step, message) {
    case (.reading(let setting)?, .configuration(let answer)):
      guard let value = language.value(of: setting, in: answer) else { return }
      let number = language.number(of: setting, in: value)
      if let index = index(of: setting) {
        touched[index].number = number
      } else {
        touched.append(TouchedSetting(setting: setting, original: value, originalNumber: number, number: number))
      }
      end()
    case (.reading(let setting)?, .acknowledgement(class: 0x06, let id, isAccepted: false)):
      guard id == language.readID(setting) else { return }
      refused.insert(setting)
      end()
    case (.writing(let setting, let number)?, .acknowledgement(class: 0x06, let id, let isAccepted)):
      guard id == language.writeID(setting), let index = index(of: setting) else { return }
      if !isAccepted { give(up: setting) } else { touched[index].number = isDoubtful ? nil : number }
      end()
      if isAccepted, isDoubtful { step = .reading(setting) }
    case (nil, _), (.reading?, _), (.writing?, _): break
    }
  }

  /// The deadline may have passed: what to write again.
  mutating func wake(at now: Instant) -> [UInt8] {
    guard let step, let deadline, now >= deadline else { return advance(at: now) }
    isDoubtful = true
    switch step {
    case .reading(let setting):
      guard tries < Self.attempts else {
        give(up: setting)
        end()
        return advance(at: now)
      }
      return begin(step, at: now)
    case .writing(let setting, _):
      // It may have been done all the same.
      if let index = index(of: setting) { touched[index].number = nil }
      end()
      return begin(.reading(setting), at: now)
    }
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
    for item in touched.reversed() where item.number != aim(of: item) && !isWanted(item.setting) {
      return .writing(item.setting, aim(of: item))
    }
    for (setting, _) in wanted where !refused.contains(setting) {
      guard let index = index(of: setting) else { return .reading(setting) }
      if touched[index].number != aim(of: touched[index]) { return .writing(setting, aim(of: touched[index])) }
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
    case .writing(let setting, let number):
      guard let index = index(of: setting) else {
        end()
        return []
      }
      guard touched[index].writes < Self.attempts else {
        give(up: setting)
        end()
        return advance(at: now)
      }
      touched[index].writes += 1
      return language.write(setting, number, in: touched[index].original)
    }
  }

  /// It is as it is: wanted no more, and not put back where even that fails.
  private mutating func give(up setting: ReceiverSetting) {
    if isWanted(setting) {
      refused.insert(setting)
      if let index = index(of: setting) { touched[index].writes = 0 }
    } else {
      touched.removeAll { $0.setting == setting }
    }
  }

  private mutating func end() {
    step = nil
    tries = 0
    deadline = nil
  }
}
