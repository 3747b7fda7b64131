import LocationIPC
import LocationPolicy

/// Who knows what a program may have, and whom to ask for it.
protocol AuthorizationSource: Sendable {
  /// The state, once it is known, and every later one, for as long as somebody listens; only the newest counts.
  func states() -> AsyncStream<AuthorizationState>
  /// Asks for a level; `answered` once that is taken up, or nobody is asked.
  func ask(always: Bool, _ answered: @escaping @Sendable () -> Void)
  /// Asks for full accuracy for now.
  func askFullAccuracy(purposeKey: String, _ answered: @escaping @Sendable (FullAccuracyAnswer) -> Void)
}

extension ProcessAuthorization: AuthorizationSource {
  func states() -> AsyncStream<AuthorizationState> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let listener = listen { continuation.yield($0) }
      continuation.onTermination = { _ in self.forget(listener) }
      if let known { continuation.yield(known) }
    }
  }
}
