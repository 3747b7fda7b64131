/// What firmware and USB hubs say of the power.
package struct PowerFacts: Hashable, Sendable {
  /// The supply is below what the board needs, now.
  package var isUnderVoltage = false
  /// It was, at some time since the start.
  package var wasUnderVoltage = false
  /// Over-current events that the USB ports have counted since the start.
  package var overCurrentEvents = 0

  package init() {}
}
