import LocationdConfiguration
import LocationdConfigurationFiles

/// Gives the helper of locationd the right to set the clock, or takes it back.
enum ClockSwitch {
  private static let dropIn = "/etc/systemd/system/location-time.service.d/set-clock.conf"
  /// The unit's own lines forbid all of this.
  private static let text = """
    # Written by 'locationctl time set-clock on'; 'locationctl time set-clock off' removes it.
    [Service]
    CapabilityBoundingSet=CAP_SYS_TIME
    ProtectClock=no
    SystemCallFilter=@clock

    """

  static func set(isOn: Bool) -> CommandStatus {
    let files = SystemFiles.ofProcess
    if isOn, files.exists("/usr/sbin/chronyd") {
      return Diagnostics.report(
        FailureMessage(
          "chrony is installed, and sets the clock itself: run 'sudo locationctl time setup' instead.", .usage))
    }
    if let failure = isOn ? files.write(text, to: dropIn) : files.remove(dropIn) { return failure }
    if let failure = files.set(.setClock, to: isOn ? "on" : "off") { return failure }
    files.systemctl("daemon-reload")
    // The helper starts again with its next request, with the rights that it has now.
    files.systemctl("stop", "location-time.service")
    if isOn { files.systemctl("enable", "--now", "location-time.socket") }
    return SettingApplication(SettingKey.setClock.name, in: ConfigurationFiles.ofProcess).apply(isOn ? "on" : "off")
  }
}
