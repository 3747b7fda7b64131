package import Geodesy

/// Where fixes came from. A segment's header lists its sources; each fix names one by its number.
package struct TrackSource: Hashable, Sendable {
  /// Longer names are not kept.
  package static let maximumLength = 255

  /// Path of the device.
  package let device: String?
  /// Identity of the receiver.
  package let receiver: String?

  package init(device: String?, receiver: String?) {
    func kept(_ name: String?) -> String? {
      name.flatMap { $0.isEmpty || $0.utf8.count > Self.maximumLength ? nil : $0 }
    }
    self.device = kept(device)
    self.receiver = kept(receiver)
  }

  /// The source of a fix.
  package init(of fix: PositionFix) { self.init(device: fix.device, receiver: fix.receiver) }

  var isUnknown: Bool { device == nil && receiver == nil }
}
