import Geodesy
import LinuxIO
import LocationdService

extension WallClock {
  /// The machine's clock, where it has been set since power-on.
  static var believable: GNSSTime? { ServiceCore.Settings.believable(now(), after: BuildDate.date) }
}
