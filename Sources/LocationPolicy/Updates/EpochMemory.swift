import Geodesy

/// Remembers the last epoch of each device, so that a receiver that repeats itself is not taken for one that goes on.
struct EpochMemory {
  /// As many devices are remembered; a machine has one or two, which are found sooner than hashed.
  static let capacity = 8

  private var epochs: [(device: String?, time: GNSSTime)] = []

  /// Whether a fix is of the last epoch that its device was noted with.
  func contains(_ fix: PositionFix) -> Bool {
    // By index: an element would be copied out.
    for index in epochs.indices where epochs[index].time == fix.time {
      if epochs[index].device == fix.device { return true }
    }
    return false
  }

  /// Notes a fix as its device's last epoch.
  mutating func note(_ fix: PositionFix) {
    if let index = epochs.indices.first(where: { epochs[$0].device == fix.device }) {
      epochs[index].time = fix.time
    } else {
      if epochs.count >= Self.capacity { epochs.removeAll() }
      epochs.append((fix.device, fix.time))
    }
  }
}
