import GNSSReceiver
import Geodesy

/// The session of an open port, as an object: it is large and gets input every few bytes, so that moving it in and out of its link
/// would cost more than its work.
final class OpenReceiver {
  var session: ReceiverSession

  init(_ session: ReceiverSession) { self.session = session }

  /// When the session must be woken.
  var nextDeadline: Instant? { session.earliestDeadline() }
}
