public import Foundation

/// A storey of a building.
// Unchecked, as programs may subclass it: what it keeps itself never changes.
open class CLFloor: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  private static let levelKey = "level"
  private let storedLevel: Int

  /// The ground floor.
  public override init() {
    storedLevel = 0
    super.init()
  }

  /// A storey by its number.
  init(level: Int) {
    storedLevel = level
    super.init()
  }

  /// Reads an archive.
  public required init?(coder: NSCoder) {
    storedLevel = coder.decodeInteger(forKey: Self.levelKey)
    super.init()
  }

  /// Storeys above (positive) or below the ground floor, which is 0.
  open var level: Int { storedLevel }

  /// Itself: a floor never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Yes.
  open class var supportsSecureCoding: Bool { true }

  /// Writes an archive.
  open func encode(with coder: NSCoder) { coder.encode(storedLevel, forKey: Self.levelKey) }
}
