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

/// Whether a client is in use (Documentation/Behavior.md, "Authorization"): its login session is online. A service, cron and a
/// session that has ended are in the background.
package enum ClientPresence: Hashable, Sendable {
  case inUse
  case background
}

/// What a client says that it wants location for, in the person's words (the usage descriptions of its Info.plist, or
/// `--purpose`); a request for a level without its description is ignored.
package struct DeclaredUsage: Hashable, Sendable {
  /// NSLocationWhenInUseUsageDescription, else NSLocationUsageDescription.
  package var whenInUse: String?
  /// NSLocationAlwaysAndWhenInUseUsageDescription, else the older NSLocationAlwaysUsageDescription or NSLocationUsageDescription.
  package var always: String?
  /// NSLocationTemporaryUsageDescriptionDictionary; the first 16 by their keys are kept.
  package var temporaryFullAccuracy: [String: String] = [:]
  /// NSLocationDefaultAccuracyReduced.
  package var prefersReduced = false
  /// UIBackgroundModes has `location`.
  package var hasBackgroundMode = false

  package init(whenInUse: String? = nil, always: String? = nil) {
    self.whenInUse = whenInUse
    self.always = always
  }

  /// More purposes of temporary full accuracy are not kept.
  package static let maximumPurposes = 16

  /// The same with texts that can be shown and kept.
  var cleaned: DeclaredUsage {
    var usage = self
    usage.whenInUse = ShownText.of(whenInUse)
    usage.always = ShownText.of(always)
    usage.temporaryFullAccuracy = [:]
    for (key, text) in temporaryFullAccuracy.sorted(by: { $0.key < $1.key }).prefix(Self.maximumPurposes) {
      guard let key = ShownText.of(key), let text = ShownText.of(text) else { continue }
      usage.temporaryFullAccuracy[key] = text
    }
    return usage
  }
}
