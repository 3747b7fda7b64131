import LinuxIO

/// Opens the page in the user's browser.
///
/// Other users of this machine see the arguments of all programs. So the browser gets the address in a file that only its user can read.
final class BrowserStart {
  private let path: String
  private let opener: ChildProcess
  private var hasPage = true

  /// Whether the user is at another machine, over SSH.
  static var isRemote: Bool { ["SSH_CONNECTION", "SSH_TTY"].contains { isSet($0) } }

  private static func isSet(_ name: String) -> Bool { ProcessEnvironment.value(name).map { !$0.isEmpty } ?? false }

  /// `nil`: there is no graphical session, or no program that opens pages (xdg-open(1)).
  init?(_ address: String) {
    guard !Self.isRemote, Self.isSet("DISPLAY") || Self.isSet("WAYLAND_DISPLAY"),
      let folder = ProcessEnvironment.value("XDG_RUNTIME_DIR"), folder.hasPrefix("/")
    else { return nil }
    path = "\(folder)/locationctl-map-\(ProcessEnvironment.processID).html"
    guard let started = Self.start(path, address) else { return nil }
    opener = started
    // It may have become the browser, which stays when the map ends.
    opener.leaveRunning()
  }

  private static func start(_ path: String, _ address: String) -> ChildProcess? {
    let page = "<!doctype html><meta http-equiv=refresh content=\"0;url=\(address)\"><title>Map</title>\n"
    do throws(SystemError) {
      var file = try NewFile(path: path, replacing: true, mode: 0o600)
      try file.append(Array(page.utf8))
      try file.finish()
      return try ChildProcess("xdg-open", [path])
    } catch {
      try? FileChange.remove(path)
      return nil
    }
  }

  /// The browser has the page, or the map has ended.
  func removePage() {
    guard hasPage else { return }
    hasPage = false
    try? FileChange.remove(path)
  }
}
