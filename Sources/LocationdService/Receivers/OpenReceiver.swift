import GNSSReceiver
import Geodesy

/// The session behind an open port, in a place of its own: it is large, and is fed for every few bytes, so that moving it
/// in and out of its link would cost more than what it does.
final class OpenReceiver {
  var session: ReceiverSession

  init(_ session: ReceiverSession) { self.session = session }

  /// When the session wants to be woken.
  var nextDeadline: Instant? { session.earliestDeadline() }
}
