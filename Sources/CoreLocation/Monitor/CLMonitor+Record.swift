extension CLMonitor {
  /// A condition and what was last told of it.
  public struct Record: Sendable {
    /// The last event; of state `unknown`, or what was assumed, until there was one.
    public let lastEvent: Event
    /// What is watched.
    public let condition: any CLCondition
  }
}
