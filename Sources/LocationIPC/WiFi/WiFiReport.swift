package import Positioning

/// What the service makes of the machine's Wi-Fi now, without a word of where that is.
package enum WiFiReport: Hashable, Sendable {
  /// Nothing: it is not to be used (LOCATIOND_WIFI=off).
  case off
  /// Nobody wants to know where the machine is, so that nothing is open.
  case resting
  /// It hears so many access points, and knows where some of them are. `problem`: why it does not scan on its own.
  case listening(heard: Int, known: Int, problem: RadioProblem?)
  /// It hears none.
  case deaf(RadioProblem)
}
