/// A client as it arrives: what the kernel and the accounts state, and what it states about itself.
package struct AuthorizationClient: Hashable, Sendable {
  package var identity: ClientIdentity
  package var privilege: ClientPrivilege
  package var presence: ClientPresence
  /// Whether it can return from the background to the foreground: an application whose user logs in again. A service, a cron job
  /// and a process whose session has ended cannot (Documentation/Behavior.md, "Activity and automatic pause").
  package var canReturn: Bool
  package var usage: DeclaredUsage
  /// The name that the client gives itself; not authenticated.
  package var name: String?
  /// Whether only the reduced position is for it, even if its authorization is for the exact one: what it asks for is coarse.
  package var takesOnlyReduced = false

  package init(
    _ identity: ClientIdentity, privilege: ClientPrivilege = .asks, presence: ClientPresence, canReturn: Bool = true,
    usage: DeclaredUsage = DeclaredUsage(), name: String? = nil
  ) {
    self.identity = identity
    self.privilege = privilege
    self.presence = presence
    self.canReturn = canReturn
    self.usage = usage
    self.name = name
  }

  /// The client in its role of answering or deciding.
  package var answerer: PromptResponder { PromptResponder(identity, privilege: privilege) }

  /// A copy whose texts are cleaned and shortened for display and storage.
  var cleaned: AuthorizationClient {
    var client = self
    client.usage = usage.cleaned
    client.name = SanitizedText.of(name)
    return client
  }
}

/// Whether a client is in use (Documentation/Behavior.md, "Authorization"): its login session is online, or it has a terminal
/// outside any session. A service, a cron job and a process whose session has ended are in the background.
package enum ClientPresence: UInt8, Hashable, Sendable {
  case inUse = 0
  case background = 1
}

/// The client's usage descriptions, shown to the person (those of its Info.plist, or `--purpose`); a request for a level without a
/// description is ignored.
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

  /// Maximum number of purposes of temporary full accuracy.
  package static let maximumPurposes = 16

  /// A copy whose texts are cleaned and shortened for display and storage.
  var cleaned: DeclaredUsage {
    var usage = self
    usage.whenInUse = SanitizedText.of(whenInUse)
    usage.always = SanitizedText.of(always)
    usage.temporaryFullAccuracy = [:]
    for (key, text) in temporaryFullAccuracy.sorted(by: { $0.key < $1.key }).prefix(Self.maximumPurposes) {
      guard let key = SanitizedText.of(key), let text = SanitizedText.of(text) else { continue }
      usage.temporaryFullAccuracy[key] = text
    }
    return usage
  }
}
