/// What the machine's accounts entitle a client to before anybody was asked.
package enum ClientStanding: Hashable, Sendable {
  /// Root, the service's own user and members of group `location`, unconfined: they have always, and answer for others.
  case inCharge
  /// Unconfined, and may open the receivers itself (group `dialout`): has always, as it could know anyway, but does not answer
  /// for others.
  case entitled
  /// Everybody else: has what was granted.
  case asks
}
