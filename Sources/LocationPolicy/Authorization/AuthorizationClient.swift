/// A client as it arrives: what the kernel and the accounts say of it, and what it says of itself.
package struct AuthorizationClient: Hashable, Sendable {
  package var identity: ClientIdentity
  package var standing: ClientStanding
  package var presence: ClientPresence
  /// Whether it can come to the foreground from the background: an application of a user who logs in again. A service, a cron job and
  /// a process whose session has ended cannot (Documentation/Behavior.md, "Activity and automatic pause").
  package var canReturn: Bool
  package var usage: DeclaredUsage
  /// The name that it gives itself; vouches for nothing.
  package var name: String?

  package init(
    _ identity: ClientIdentity, standing: ClientStanding = .asks, presence: ClientPresence, canReturn: Bool = true,
    usage: DeclaredUsage = DeclaredUsage(), name: String? = nil
  ) {
    self.identity = identity
    self.standing = standing
    self.presence = presence
    self.canReturn = canReturn
    self.usage = usage
    self.name = name
  }

  /// Who it is where it answers or decides.
  package var answerer: Answerer { Answerer(identity, standing: standing) }

  /// The same with texts that can be shown and kept.
  var cleaned: AuthorizationClient {
    var client = self
    client.usage = usage.cleaned
    client.name = ShownText.of(name)
    return client
  }
}
