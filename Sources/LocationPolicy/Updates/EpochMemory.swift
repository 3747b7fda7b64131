import Geodesy

/// Remembers the last epoch of each device, so that a receiver that repeats itself is not taken for one that goes on.
struct EpochMemory {
  /// As many devices are remembered; a machine has one or two.
  static let capacity = 8

  private var epochs: [String: GNSSTime] = [:]

  /// Whether a fix is of the last epoch that its device was noted with.
  func contains(_ fix: PositionFix) -> Bool { epochs[fix.device ?? ""] == fix.time }

  /// Notes a fix as its device's last epoch.
  mutating func note(_ fix: PositionFix) {
    let device = fix.device ?? ""
    if epochs[device] == nil, epochs.count >= Self.capacity { epochs.removeAll() }
    epochs[device] = fix.time
  }
}
