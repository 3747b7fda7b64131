/// One setting of a receiver that a service may change. Its value is one number.
enum ReceiverSetting: Hashable, Sendable {
  /// How many epochs apart a message of class NAV is sent on this port; 0: never.
  case output(Output)
  /// `DynamicModel`.
  case dynamicModel
  /// Milliseconds from one measurement to the next.
  case measurementPeriod
  /// Milliseconds between positions in power save mode.
  case sparingPeriod
  /// 0: full power; else power save, cyclic.
  case powerMode
  /// 1: RTCM 3 is accepted on this port.
  case correctionInput

  /// Messages that a service may enable; raw value: their identifier within the class NAV.
  enum Output: UInt8, CaseIterable, Hashable, Sendable {
    case posllh = 0x02
    case pvt = 0x07
    case velned = 0x12
    case cov = 0x36
    case eoe = 0x61
  }
}

/// Names of settings in files.
extension ReceiverSetting {
  private static let all: [ReceiverSetting] =
    Output.allCases.map { .output($0) } + [
      .dynamicModel, .measurementPeriod, .sparingPeriod, .powerMode, .correctionInput,
    ]

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
    case .correctionInput: "correctionInput"
    }
  }

  /// The setting with that name.
  init?(name: Substring) {
    guard let setting = Self.all.first(where: { $0.name == name }) else { return nil }
    self = setting
  }
}

/// A setting that was read, and may have been changed.
struct ModifiedSetting: Hashable, Sendable {
  let setting: ReceiverSetting
  /// The receiver's answer before anything was changed.
  private(set) var original: [UInt8]
  private(set) var originalNumber: Int
  /// The current value; `nil`: unknown.
  var number: Int?
  /// Whether the setting has to be read before it is written again.
  var needsReading = false
  /// The value written last; `nil`: it was never written.
  var written: Int?
  /// Consecutive unsuccessful writes.
  var writes = 0
  /// Whether the restoration was given up: the receiver refused the original value, or did not answer.
  var isGivenUp = false
  /// An earlier session left the setting changed; another program may have changed it since.
  private(set) var isFromSavedConfiguration = false

  /// A setting that was read for the first time.
  init(_ setting: ReceiverSetting, _ original: [UInt8], _ number: Int) {
    self.setting = setting
    self.original = original
    originalNumber = number
    self.number = number
  }

  /// A setting that an earlier session left changed; its current value has to be read.
  init(_ inherited: SavedReceiverConfiguration.Item, in language: SettingProtocol) {
    setting = inherited.setting
    original = inherited.original
    originalNumber = language.number(of: inherited.setting, in: inherited.original)
    written = inherited.left
    isFromSavedConfiguration = true
    needsReading = true
  }

  /// Whether the setting may have been changed and does not have its original value.
  var isChanged: Bool { written != nil && number != originalNumber }

  /// Handles a value that was read again. If an inherited setting has neither its original nor the written value, another
  /// program has set it, and it stays unchanged.
  mutating func found(_ value: [UInt8], _ number: Int) {
    self.number = number
    needsReading = false
    if isFromSavedConfiguration, number != written, number != originalNumber {
      original = value
      originalNumber = number
      written = nil
    }
    isFromSavedConfiguration = false
  }
}

/// The receiver's port that this line is connected to: u-blox `portID`, and the offset from the key for the I2C port.
enum ReceiverPort: UInt8, Hashable, Sendable {
  case i2c = 0
  case uart1 = 1
  case uart2 = 2
  case usb = 3
  case spi = 4
}
