import Geodesy
import LocationPolicy
import TrackFormats

/// The description of how the satellite receivers run, and why.
enum PowerPlanDescription {
  static func text(_ plan: PowerPlan) -> StyledText {
    let satellites: StyledText =
      switch plan.satellites {
      case .off: .dim("off")
      case .on: .good("on")
      case .sparing(let period): .good("saving power, one position every \(StatusTable.time(period))")
      }
    return satellites + "   \(reason(plan.reason))"
  }

  static func reason(_ reason: PowerPlan.Reason) -> String {
    switch reason {
    case .noClient: "no program requests the location"
    case .accuracy(nil): "best accuracy requested"
    case .accuracy(let radius?): "accuracy of \(meters(radius)) requested"
    case .satellites: "satellites requested"
    case .wifiSuffices(let radius): "Wi-Fi is accurate enough: its radius is \(meters(radius))"
    case .askingWiFi: "checking first whether Wi-Fi is accurate enough"
    case .stillOnWiFi: "the machine stands still, and Wi-Fi is as accurate here"
    case .trial: "checking whether the receiver is more accurate than Wi-Fi"
    }
  }

  private static func meters(_ radius: Meters) -> String { "\(FixedDecimal.text(radius.value, decimals: 0) ?? "?") m" }

  /// Values that do not apply are absent.
  static func object(_ plan: PowerPlan) -> JSONObject {
    var object = JSONObject()
    switch plan.satellites {
    case .off: object.add("satellites", .text("off"))
    case .on: object.add("satellites", .text("on"))
    case .sparing(let period):
      object.add("satellites", .text("sparing"))
      object.add("period", .number(period.inSeconds, decimals: 0))
    }
    object.add("wifiPeriod", .number(plan.wifiPeriod?.inSeconds, decimals: 0))
    let (reason, radius): (String, Meters?) =
      switch plan.reason {
      case .noClient: ("nobody", nil)
      case .accuracy(let radius): ("accuracy", radius)
      case .satellites: ("satellites", nil)
      case .wifiSuffices(let radius): ("wifiSuffices", radius)
      case .askingWiFi: ("askingWiFi", nil)
      case .stillOnWiFi: ("stillOnWiFi", nil)
      case .trial: ("trial", nil)
      }
    object.add("reason", .text(reason))
    object.add("accuracy", .number(radius?.value, decimals: 0))
    return object
  }
}
