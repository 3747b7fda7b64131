import GNSSReceiver
import LocationIPC
import LocationPolicy

extension ReceiverConfigurationRequest {
  /// The receiver configuration that a stream's client requests.
  init(_ options: UpdateOptions) {
    self.init(dynamicModel: options.activity.flatMap(DynamicModel.init), rateHertz: options.rateHertz)
  }
}

extension DynamicModel {
  /// The dynamic model that fits a client's activity; `nil`: the receiver keeps its own.
  fileprivate init?(_ activity: Activity) {
    switch activity {
    case .other: return nil
    case .automotiveNavigation: self = .automotive
    // The closest model, although runners and cyclists are faster than it expects, and a wrist swings.
    case .fitness: self = .pedestrian
    case .otherNavigation: self = .portable
    case .airborne: self = .airborne
    case .maritime: self = .sea
    }
  }
}
