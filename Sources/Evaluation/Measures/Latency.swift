import Geodesy

/// How late answers came.
package enum Latency {
  /// The delays of answers in seconds; `nil`: there are no answers.
  package static func distribution(_ answers: some Collection<JudgedPosition>) -> Distribution? {
    Distribution(answers.map(\.latency.inSeconds))
  }
}
