/// What settings are called in files.
extension ReceiverSetting {
  private static let all: [ReceiverSetting] =
    Output.allCases.map { .output($0) } + [.dynamicModel, .measurementPeriod, .sparingPeriod, .powerMode]

  var name: String {
    switch self {
    case .output(.posllh): "posllh"
    case .output(.pvt): "pvt"
    case .output(.velned): "velned"
    case .output(.cov): "cov"
    case .output(.eoe): "eoe"
    case .dynamicModel: "dynamicModel"
    case .measurementPeriod: "measurementPeriod"
    case .sparingPeriod: "sparingPeriod"
    case .powerMode: "powerMode"
    }
  }

  /// The setting of that name.
  init?(name: Substring) {
    guard let setting = Self.all.first(where: { $0.name == name }) else { return nil }
    self = setting
  }
}
