/// What the environment says of a service, for every program that hosts one or asks one.
package enum ServiceVariables {
  /// LOCATIOND_SOURCE; `nil`: not set.
  package static var source: String? { text("LOCATIOND_SOURCE") }
  /// LOCATIOND_GPSD; `nil`: not set.
  package static var gpsd: String? { text("LOCATIOND_GPSD") }
  /// LOCATIOND_WIFI: `off` leaves the radio alone; `nil`: not set.
  package static var wifi: String? { text("LOCATIOND_WIFI") }
  /// LOCATIOND_WIFI_PROVIDER: whom to ask where access points are; `nil`: not set.
  package static var wifiProvider: String? { text("LOCATIOND_WIFI_PROVIDER") }
  /// LOCATIOND_WIFI_TILES: where tiles of access points are; `nil`: not set.
  package static var wifiTiles: String? { text("LOCATIOND_WIFI_TILES") }
  /// LOCATIOND_REGIONS: how many regions of one user are monitored at most; a million where it says nothing that makes sense.
  package static var mostRegions: Int {
    text("LOCATIOND_REGIONS").flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } ?? 1_000_000
  }
  /// GPSD_SOCKET, as gpsdctl(8) takes it: gpsd's control socket; `nil`: not set.
  package static var gpsdControlSocket: String? { text("GPSD_SOCKET") }
  /// LOCATIOND_AGENTS: the folder of the sockets of users' agents; `nil`: not set.
  package static var agents: String? { text("LOCATIOND_AGENTS") }
  /// Whether stderr is the journal's, which takes a priority before each line (sd-daemon(3)).
  package static var isJournal: Bool { text("JOURNAL_STREAM") != nil }

  /// LOCATIOND_DEBUG: whether the daemon's log has a line for each client that comes or goes.
  package static var isDebugging: Bool { text("LOCATIOND_DEBUG") != nil }

  private static func text(_ name: String) -> String? {
    ProcessEnvironment.value(name).flatMap { $0.isEmpty ? nil : $0 }
  }
}
