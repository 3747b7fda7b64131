public import Foundation

/// What kind of source a location came from.
// Unchecked, as programs may subclass it: what it keeps itself never changes.
open class CLLocationSourceInformation: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  private static let simulatedKey = "isSimulatedBySoftware"
  private static let accessoryKey = "isProducedByAccessory"
  private let simulated: Bool
  private let accessory: Bool

  /// Whether it was made up by software, and whether it came from a device that is attached, as a USB receiver is.
  public init(softwareSimulationState isSoftware: Bool, andExternalAccessoryState isAccessory: Bool) {
    simulated = isSoftware
    accessory = isAccessory
    super.init()
  }

  /// Neither, as Apple's inherited initializer makes it.
  public override init() {
    (simulated, accessory) = (false, false)
    super.init()
  }

  /// Reads an archive.
  public required init?(coder: NSCoder) {
    simulated = coder.decodeBool(forKey: Self.simulatedKey)
    accessory = coder.decodeBool(forKey: Self.accessoryKey)
    super.init()
  }

  /// Software made the location up.
  open var isSimulatedBySoftware: Bool { simulated }
  /// A device that is attached told the location.
  open var isProducedByAccessory: Bool { accessory }

  /// Itself: it never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Yes.
  open class var supportsSecureCoding: Bool { true }

  /// Writes an archive.
  open func encode(with coder: NSCoder) {
    coder.encode(simulated, forKey: Self.simulatedKey)
    coder.encode(accessory, forKey: Self.accessoryKey)
  }
}
