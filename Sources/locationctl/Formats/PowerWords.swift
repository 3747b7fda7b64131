import Geodesy
import LocationPolicy
import TrackFormats

/// Which sources run, and why.
enum PowerWords {
  static func sentence(_ plan: PowerPlan) -> String {
    let satellites =
      switch plan.satellites {
      case .off: "off"
      case .on: "on"
      case .sparing(let period): "sparing, one position every \(StatusTable.time(period))"
      }
    return "Satellites: \(satellites), \(reason(plan.reason))."
  }

  private static func reason(_ reason: PowerPlan.Reason) -> String {
    switch reason {
    case .nobody: "as nobody wants to know where this machine is"
    case .accuracy(nil): "as somebody wants the best that there is"
    case .accuracy(let radius?): "as somebody wants a radius of \(metres(radius))"
    case .satellites: "as somebody wants to see them"
    case .wifiSuffices(let radius): "as Wi-Fi gives a radius of \(metres(radius)), which is enough"
    case .askingWiFi: "as it is seen first whether Wi-Fi says enough"
    case .stillOnWiFi: "as it stands still where they say no more than Wi-Fi"
    case .trial: "to try whether they say more than Wi-Fi again"
    }
  }

  private static func metres(_ radius: Meters) -> String { "\(FixedDecimal.text(radius.value, decimals: 0) ?? "?") m" }

  /// What is not so is absent.
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
      case .nobody: ("nobody", nil)
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
