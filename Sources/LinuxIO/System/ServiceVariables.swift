/// Environment variables of the service, for every program that hosts or uses one.
package enum ServiceVariables {
  /// LOCATIOND_SOURCE; `nil`: not set.
  package static var source: String? { text("LOCATIOND_SOURCE") }
  /// LOCATIOND_GPSD; `nil`: not set.
  package static var gpsd: String? { text("LOCATIOND_GPSD") }
  /// LOCATIOND_WIFI: `off` disables use of the Wi-Fi radio; `nil`: not set.
  package static var wifi: String? { text("LOCATIOND_WIFI") }
  /// LOCATIOND_WIFI_PROVIDER: the provider of access point positions; `nil`: not set.
  package static var wifiProvider: String? { text("LOCATIOND_WIFI_PROVIDER") }
  /// LOCATIOND_WIFI_TILES: the location of access point tiles; `nil`: not set.
  package static var wifiTiles: String? { text("LOCATIOND_WIFI_TILES") }
  /// LOCATIOND_REGIONS: maximum number of monitored regions of one user; a million if it is not set or invalid.
  package static var mostRegions: Int {
    text("LOCATIOND_REGIONS").flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } ?? 1_000_000
  }
  /// GPSD_SOCKET, as for gpsdctl(8): gpsd's control socket; `nil`: not set.
  package static var gpsdControlSocket: String? { text("GPSD_SOCKET") }
  /// LOCATIOND_AGENTS: the folder of the sockets of users' agents; `nil`: not set.
  package static var agents: String? { text("LOCATIOND_AGENTS") }
  /// Whether stderr is the journal, which accepts a priority before each line (sd-daemon(3)).
  package static var isJournal: Bool { text("JOURNAL_STREAM") != nil }

  /// LOCATIOND_DEBUG: whether the daemon logs a line for each client that connects or disconnects.
  package static var isDebugging: Bool { text("LOCATIOND_DEBUG") != nil }

  private static func text(_ name: String) -> String? {
    ProcessEnvironment.value(name).flatMap { $0.isEmpty ? nil : $0 }
  }
}
