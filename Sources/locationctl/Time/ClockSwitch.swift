import LocationdConfiguration
import LocationdConfigurationFiles
import TimeService

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
    let configured = ConfigurationFiles.ofProcess
    let (key, value) = (SettingKey.setClock.name, isOn ? "on" : "off")
    // The right is given last and taken first, so that no failure leaves it behind.
    if !isOn, let failure = files.remove(dropIn) { return failure }
    if let failure = ConfigCommand.change(configured, { $0.set(key, to: value) }) { return failure }
    if isOn, let failure = files.write(text, to: dropIn) { return failure }
    files.systemctl("daemon-reload")
    // The helper starts again with its next request, with the rights that it has now.
    files.systemctl("stop", "location-time.service")
    if isOn {
      files.systemctl("enable", "--now", "location-time.socket")
    } else if !configured.load(ofUnit: true).settings.time.isActive {
      files.systemctl("disable", "--now", "location-time.socket")
    }
    return SettingApplication(key, in: configured).apply(value)
  }
}
