import LinuxIO

/// A process as its files describe it.
struct RecordedClient {
  var user: UInt32 = 1000
  var group: UInt32 = 1000
  var groups: [UInt32] = []
  var isInNamespaces = false
  var hasTerminal = false
  /// The path of a control group in version 2.
  var path: String

  var process: PeerProcess {
    PeerProcess(
      PeerCredentials(processID: 4711, userID: user, groupID: group), groups: groups,
      controlGroup: ControlGroup(Array("0::\(path)\n".utf8)), hasOwnNamespaces: isInNamespaces, hasTerminal: hasTerminal
    )
  }

  static let manager = "/user.slice/user-1000.slice/user@1000.service"
  /// A terminal in GNOME 43.
  static let terminal = manager + "/app.slice/app-org.gnome.Terminal.slice/vte-spawn-9f1f2c4e.scope"
  static let session = "/user.slice/user-1000.slice/session-3.scope"
  static let flatpak = manager + "/app.slice/app-flatpak-org.gnome.Maps-2345.scope"
  static let snap = manager + "/app.slice/snap.weather.weather-0d2f.scope"
}
