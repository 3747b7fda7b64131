/// Whether a client is in use (Documentation/Behavior.md, "Authorization"): its login session is online. A service, cron and a
/// session that has ended are in the background.
package enum ClientPresence: Hashable, Sendable {
  case inUse
  case background
}
