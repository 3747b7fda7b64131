import Geodesy
import LinuxIO

extension GNSSTime {
  /// The time of this machine's clock, for events to which no receiver assigns a time.
  static var ofThisMachine: GNSSTime {
    let milliseconds = WallClock.now().nanosecondsSince1970 / 1_000_000
    return GNSSTime(nanosecondsSince1970: milliseconds * 1_000_000)
  }
}
