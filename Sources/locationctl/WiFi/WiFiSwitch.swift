import LocationdConfiguration
import LocationdConfigurationFiles
import Positioning

/// The origin of the setting that switches Wi-Fi positioning off.
enum WiFiSwitch {
  /// The variable, or the file with its line, as `config get wifi --origin` reports it. The environment of the daemon
  /// may be different.
  static var origin: String {
    let configuration = ConfigurationFiles.ofProcess.load(ofUnit: true)
    guard !configuration.settings.usesWiFi, let entry = configuration.entry(SettingKey.wifi.name),
      let value = entry.value
    else { return "in the environment of locationd" }
    return switch entry.origin {
    case .variable(let name): "\(name)=\(value)"
    default: "wifi = \(value), \(entry.origin.text)"
    }
  }
}

extension RadioProblem {
  /// The sentence, with the origin of the setting if Wi-Fi is switched off.
  var message: String {
    guard self == .switchedOff else { return sentence }
    return
      "Wi-Fi positioning is off (\(WiFiSwitch.origin)): remove that setting, then restart locationd if it is running."
  }
}
