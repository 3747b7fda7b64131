import Foundation
import Synchronization

/// What a program does that cannot work, said once on standard error: nothing is fatal that a program may have got away with.
enum Complaint: Hashable, Sendable {
  /// A manager lives on a thread without a run loop.
  case deafThread
  /// A request for one location was answered, and there was no delegate.
  case noDelegate
  /// A request for one location was answered, and the delegate has no method for that.
  case deafDelegate(type: String, method: String)

  private static let said = Mutex<Set<Complaint>>([])

  func say() {
    guard Self.said.withLock({ $0.insert(self).inserted }) else { return }
    try? FileHandle.standardError.write(contentsOf: Data("CoreLocation: \(words)\n".utf8))
  }

  private var words: String {
    switch self {
    case .deafThread:
      "a location manager was made on a thread that runs no run loop, so that its delegate hears nothing: make it on the"
        + " main thread, or run that thread's run loop."
    case .noDelegate: "a requested location has come, and the manager has no delegate: set one, and keep it."
    case .deafDelegate(let type, let method):
      "a requested location is answered to \(type), which lacks \(method): add it, in the class that declares the"
        + " conformance."
    }
  }
}
