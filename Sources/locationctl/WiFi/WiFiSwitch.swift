import LocationdConfiguration
import LocationdConfigurationFiles
import Positioning

/// Where Wi-Fi positioning is switched off.
enum WiFiSwitch {
  /// As `config get wifi --origin` finds it: the variable, or the file with its line. The daemon may have been started with another
  /// environment.
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
  /// The sentence, with the origin of the setting that is the cause.
  var message: String {
    guard self == .switchedOff else { return sentence }
    return
      "Wi-Fi positioning is off (\(WiFiSwitch.origin)): remove that setting, then restart locationd if it is running."
  }
}
