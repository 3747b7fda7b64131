import ArgumentParser
import Geodesy
import LocationPolicy

/// The argument of `--batch`: a time as everywhere, such as `15m`, or a distance with the unit `km` or `meters`. A distance has no `m`,
/// which is a minute.
enum BatchArgument {
  static func parse(_ text: String) throws -> DeferralLimits {
    for (unit, meters) in [("km", 1000.0), ("meters", 1.0)] where text.hasSuffix(unit) {
      guard let number = Double(text.dropLast(unit.count)), number.isFinite, number > 0,
        number * meters <= Bounds.meters
      else { throw ValidationError("Use a distance above 0 and of at most 1000km, such as 500meters or 2km.") }
      return DeferralLimits(distance: Meters(number * meters))
    }
    do {
      return DeferralLimits(timeout: .seconds(try Bounds.time(text, upTo: Bounds.watch)))
    } catch {
      throw ValidationError("Use a time, such as 90, 30s, 15m or 1h30m, or a distance, such as 500meters or 2km.")
    }
  }
}
