import LinuxIO
import LocationPolicy

/// Shows the use of location: in a world-readable file, and on an LED if one is configured.
final class IndicatorOutput {
  private let file: String?
  /// A folder of the kernel's class `leds` (Documentation/leds/leds-class.rst): `brightness`, 0 to `max_brightness`.
  private let light: String?
  private var broken: Set<IndicatorProblem.Place> = []
  private let journal: DaemonJournal

  /// - Parameter journal: receives each problem that keeps the indicator from being shown, once.
  init(file: String?, light: String?, journal: DaemonJournal) {
    self.file = file
    self.light = light
    self.journal = journal
  }

  /// Sets the LED, which is on while the mark is solid, and writes the file. Its keys: `indicator`: `none`, `hollow`, `solid`;
  /// `background`: the number of programs that use location in the background although they have only "while in use"
  /// authorization; `process`: the daemon's process ID. The file is valid while that process runs.
  func show(_ state: IndicatorState) {
    if let file {
      trying(.file(file)) { () throws(SystemError) in
        let text =
          "{\"schema\":1,\"indicator\":\"\(state.mark.name)\",\"background\":\(state.backgroundCount),"
          + "\"process\":\(ProcessEnvironment.processID)}\n"
        try StateFile.write(file, Array(text.utf8), waitsForDisk: false, isPublic: true)
      }
    }
    if let light {
      trying(.light(light)) { () throws(SystemError) in try LEDFile.set(light, isOn: state.mark == .solid) }
    }
  }

  private func trying(_ place: IndicatorProblem.Place, _ body: () throws(SystemError) -> Void) {
    do throws(SystemError) {
      try body()
      broken.remove(place)
    } catch {
      guard broken.insert(place).inserted else { return }
      journal.write(.access(.cannotShow(IndicatorProblem(place: place, errno: error.errno))))
    }
  }
}

/// Why the indicator for the use of location cannot be shown.
package struct IndicatorProblem: Hashable, Sendable {
  package enum Place: Hashable, Sendable {
    case file(String)
    /// A folder of the kernel's class `leds`.
    case light(String)
  }

  package var place: Place
  /// The kernel's error number.
  package var errno: Int32
}
