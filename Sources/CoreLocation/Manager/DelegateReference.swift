import Foundation

/// A manager's delegate, held weakly. An owner may take itself away on any thread, as in its `deinit`, while the manager's own
/// tells it something; a weak variable of Swift bears only readers at once.
final class DelegateReference {
  private let lock = NSLock()
  private weak var delegate: (any CLLocationManagerDelegate)?

  var value: (any CLLocationManagerDelegate)? {
    get { lock.withLock { delegate } }
    set { lock.withLock { delegate = newValue } }
  }
}
