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
