import GNSSReceiver
import LocationIPC

extension ReceiverWish {
  /// What a stream's client would have of a receiver.
  init(_ options: UpdateOptions) {
    self.init(dynamicModel: options.activity.flatMap(DynamicModel.init), rateHertz: options.rateHertz)
  }
}

extension DynamicModel {
  /// The filter that fits a client's movement; `nil`: as the receiver is set.
  fileprivate init?(_ activity: Activity) {
    switch activity {
    case .other: return nil
    case .automotiveNavigation: self = .automotive
    // Runners and riders are faster than the pedestrian's model likes, and wrists swing.
    case .fitness: self = .pedestrian
    case .otherNavigation: self = .portable
    case .airborne: self = .airborne
    case .maritime: self = .sea
    }
  }
}
