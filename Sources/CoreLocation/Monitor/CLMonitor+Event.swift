public import CCoreLocation
public import Foundation

extension CLMonitor {
  /// A change of a condition's state, or why its state is not known.
  public struct Event: Sendable {
    /// Whether the condition holds.
    public typealias State = __CLMonitoringState

    /// The condition's name.
    public let identifier: String
    /// The most specific condition that this is about: the very beacon, where any of several was watched for.
    public let refinement: (any CLCondition)?
    /// Whether the condition holds.
    public let state: State
    /// When it was noticed.
    public let date: Date
    private let circumstances: Circumstances

    init(
      identifier: String, state: State, date: Date, refinement: (any CLCondition)? = nil,
      _ circumstances: Circumstances = []
    ) {
      self.identifier = identifier
      self.refinement = refinement
      self.state = state
      self.date = date
      self.circumstances = circumstances
    }

    /// The person denied this program the location.
    public var authorizationDenied: Bool { circumstances.contains(.authorizationDenied) }
    /// Location services are off.
    public var authorizationDeniedGlobally: Bool { circumstances.contains(.authorizationDeniedGlobally) }
    /// Not allowed, and the person cannot change that.
    public var authorizationRestricted: Bool { circumstances.contains(.authorizationRestricted) }
    /// The program is not sufficiently in use.
    public var insufficientlyInUse: Bool { circumstances.contains(.insufficientlyInUse) }
    /// Only reduced accuracy is allowed.
    public var accuracyLimited: Bool { circumstances.contains(.accuracyLimited) }
    /// Conditions of this kind cannot be monitored.
    public var conditionUnsupported: Bool { circumstances.contains(.conditionUnsupported) }
    /// Too many other conditions are monitored.
    public var conditionLimitExceeded: Bool { circumstances.contains(.conditionLimitExceeded) }
    /// The condition could not be stored, and may not outlive the program.
    public var persistenceUnavailable: Bool { circumstances.contains(.persistenceUnavailable) }
    /// A `CLServiceSession` is required, and there is none.
    public var serviceSessionRequired: Bool { circumstances.contains(.serviceSessionRequired) }
    /// The person is being asked.
    public var authorizationRequestInProgress: Bool { circumstances.contains(.authorizationRequestInProgress) }
  }
}
