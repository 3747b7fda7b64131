public import Foundation

/// The part of a program that answers a location push; it has one of the two forms of the first method.
public protocol CLLocationPushServiceExtension: NSObjectProtocol {
  /// A push has come; the completion is called when it is dealt with.
  func didReceiveLocationPushPayload(_ payload: [String: Any], completion: @escaping () -> Void)
  /// A push has come.
  func didReceiveLocationPushPayload(_ payload: [String: Any]) async
  /// Time is running out. Optional.
  func serviceExtensionWillTerminate()
}

/// What stands for the forms that a class does not have. The system calls the asynchronous one.
extension CLLocationPushServiceExtension {
  /// Does nothing but complete: the class has the other form.
  public func didReceiveLocationPushPayload(_ payload: [String: Any], completion: @escaping () -> Void) { completion() }

  /// Calls the form with a completion.
  public func didReceiveLocationPushPayload(_ payload: [String: Any]) async {
    await withCheckedContinuation { continuation in
      didReceiveLocationPushPayload(payload) { continuation.resume() }
    }
  }

  /// Does nothing.
  public func serviceExtensionWillTerminate() {}
}
