import Geodesy
import LocationIPC
import LocationPolicy
import TrackFormats

/// The current position, as the center of a region.
enum CurrentPosition {
  /// Finds a position that is accurate enough for a region of this radius; throws the exit status if there is none.
  static func find(radius: Meters, purpose: String?) throws(CommandStatus) -> Coordinate {
    var found: PositionFix?
    let status = MonitoringSession.open(purpose: purpose) { session in
      FixSearch(session, OneShotOptions()) { located in
        found = located.fix
        return .done
      }.run()
    }
    guard status == .done, let found else { throw status }
    let error = Int(found.horizontalRadius68.value.rounded(.up))
    if found.qualityFlag != nil {
      throw Diagnostics.report(
        FailureMessage("The receiver's position is suspect: see why with 'locationctl doctor'.", .locationUnknown))
    }
    guard found.horizontalRadius68 <= radius else {
      throw Diagnostics.report(
        FailureMessage(
          "The position is accurate only to ± \(error) m, which is more than the radius of the region: give the receiver a free view "
            + "of the sky and try again, or use a larger --radius.", .locationUnknown))
    }
    Diagnostics.print("This machine is at \(EventDescription.place(found.coordinate, found.horizontalRadius68)).")
    return found.coordinate
  }
}
