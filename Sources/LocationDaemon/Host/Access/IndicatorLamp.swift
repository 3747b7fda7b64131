import LinuxIO
import LocationPolicy

/// Shows that location is used: in a file that everybody may read, and on a light where one is named.
final class IndicatorLamp {
  private let file: String?
  /// A folder of the kernel's class `leds` (Documentation/leds/leds-class.rst): `brightness`, 0 to `max_brightness`.
  private let light: String?
  private var isBroken = false
  /// Hears once what keeps it from being shown, in words.
  var onProblem: ((String) -> Void)?

  init(file: String?, light: String?) {
    self.file = file
    self.light = light
  }

  /// `indicator`: `none`, `hollow`, `solid`; `background`: how many use location in the background while only in use is granted.
  func show(_ state: IndicatorState) {
    do throws(SystemError) {
      if let file {
        let text = "{\"indicator\":\"\(state.mark.rawValue)\",\"background\":\(state.backgroundCount)}\n"
        try StateFile.write(file, Array(text.utf8), waitsForDisk: false, isPublic: true)
      }
      if let light { try LightFile.set(light, isOn: state.mark == .solid) }
    } catch {
      guard !isBroken else { return }
      isBroken = true
      onProblem?(error.description)
    }
  }
}
