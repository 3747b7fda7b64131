/// One setting that a service may want otherwise than a receiver has it. Each has one number.
enum ReceiverSetting: Hashable, Sendable {
  /// In how many epochs a message of class NAV is said once on this port; 0: never.
  case output(Output)
  /// `DynamicModel`.
  case dynamicModel
  /// Milliseconds from one measurement to the next.
  case measurementPeriod
  /// Milliseconds between positions while power is spared.
  case sparingPeriod
  /// 0: full power; else power save, cyclic.
  case powerMode

  /// Messages that are added; raw value: their identifier within the class NAV.
  enum Output: UInt8, CaseIterable, Hashable, Sendable {
    case posllh = 0x02
    case pvt = 0x07
    case velned = 0x12
    case cov = 0x36
    case eoe = 0x61
  }
}

/// What settings are called in files.
extension ReceiverSetting {
  private static let all: [ReceiverSetting] =
    Output.allCases.map { .output($0) } + [.dynamicModel, .measurementPeriod, .sparingPeriod, .powerMode]

  var name: String {
    switch self {
    case .output(.posllh): "posllh"
    case .output(.pvt): "pvt"
    case .output(.velned): "velned"
    case .output(.cov): "cov"
    case .output(.eoe): "eoe"
    case .dynamicModel: "dynamicModel"
    case .measurementPeriod: "measurementPeriod"
    case .sparingPeriod: "sparingPeriod"
    case .powerMode: "powerMode"
    }
  }

  /// The setting of that name.
  init?(name: Substring) {
    guard let setting = Self.all.first(where: { $0.name == name }) else { return nil }
    self = setting
  }
}

/// A setting that was read, and may have been changed.
struct TouchedSetting: Hashable, Sendable {
  let setting: ReceiverSetting
  /// What the receiver told before anything was changed.
  private(set) var original: [UInt8]
  private(set) var originalNumber: Int
  /// What it is now; `nil`: nobody knows any more.
  var number: Int?
  /// Whether it is to be read before it is written again.
  var needsReading = false
  /// What it was last set to; `nil`: it was never written.
  var written: Int?
  /// Times that it was written in vain.
  var writes = 0
  /// The receiver would not have it put back.
  var isGivenUp = false
  /// Another session has left it, and since then anybody may have set it.
  private(set) var isInherited = false

  /// One that was read for the first time.
  init(_ setting: ReceiverSetting, _ original: [UInt8], _ number: Int) {
    self.setting = setting
    self.original = original
    originalNumber = number
    self.number = number
  }

  /// One that was left changed: what it is now is to be read.
  init(_ inherited: InheritedSettings.Item, in language: SettingLanguage) {
    setting = inherited.setting
    original = inherited.original
    originalNumber = language.number(of: inherited.setting, in: inherited.original)
    written = inherited.left
    isInherited = true
    needsReading = true
  }

  /// Whether it was changed, or may have been, and is not what it was.
  var isChanged: Bool { written != nil && number != originalNumber }

  /// It was read again. What was left, and is neither what it was nor what it was set to, is somebody else's now and stays.
  mutating func found(_ value: [UInt8], _ number: Int) {
    self.number = number
    needsReading = false
    if isInherited, number != written, number != originalNumber {
      original = value
      originalNumber = number
      written = nil
    }
    isInherited = false
  }
}

/// The receiver's own port that this line ends at: u-blox `portID`, and what is added to a key for the port I2C.
enum ReceiverPort: UInt8, Hashable, Sendable {
  case i2c = 0
  case uart1 = 1
  case uart2 = 2
  case usb = 3
  case spi = 4
}
