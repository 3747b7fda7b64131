package import Geodesy

/// Why there are no corrections.
package enum NTRIPProblem: Error, Hashable, Sendable {
  /// A mount point of the caster, as a proposal.
  package struct Proposal: Hashable, Sendable {
    package var name: String
    /// From this machine to its station; `nil`: unknown.
    package var distance: Meters?

    package init(name: String, distance: Meters?) {
      self.name = name
      self.distance = distance
    }
  }

  /// The connection could not be made, or was lost.
  case connection(StreamProblem)
  /// The caster closed the connection without an answer.
  case noAnswer
  /// The answer did not come in time.
  case lateAnswer
  /// The answer does not come from a caster.
  case notACaster
  /// A web page for people, often from a network that requires a login.
  case webPage
  /// The status of HTTP.
  case redirected(Int)
  /// 401 or 403: the caster is not tried again with this account.
  case unauthorized(Int)
  /// The mount point does not exist, and is not tried again; the others, best first.
  case noSuchMount([Proposal])
  /// The caster lists the mount point, and sends the list instead of corrections.
  case mountOffline
  /// Another HTTP status that does not mean success.
  case refused(Int)
  /// What the caster wrote after `ERROR`; at most 80 bytes without control characters.
  case error(String)
  /// The body is compressed.
  case encoded
  /// The lengths in the body are wrong.
  case badChunks
  /// What the caster sends contains no corrections.
  case noCorrections
  /// The caster sends nothing.
  case silent

  /// Whether another try would have the same result until the configuration changes.
  package var isFinal: Bool { finalStatus != nil }

  /// A number for storing a final problem; `nil`: it is not final.
  var finalStatus: Int? {
    switch self {
    case .unauthorized(let status): status
    case .noSuchMount: 404
    case .connection, .noAnswer, .lateAnswer, .notACaster, .webPage, .redirected, .mountOffline, .refused, .error,
      .encoded, .badChunks, .noCorrections, .silent:
      nil
    }
  }

  init?(finalStatus: Int) {
    switch finalStatus {
    case 401, 403: self = .unauthorized(finalStatus)
    case 404: self = .noSuchMount([])
    default: return nil
    }
  }
}

/// Text for users.
extension NTRIPProblem {
  /// The problem, its cause, and what to do, to follow "The caster …".
  package var sentence: String {
    switch self {
    case .connection(.noSuchHost): "has an unknown host name: check the address and the network"
    case .connection(.unreachable): "cannot be reached: check the address and the network"
    case .connection(.notTrusted):
      "has a certificate that is not trusted: check the address, this machine's clock, and ca-certificates"
    case .connection(.tooLate): "does not accept the connection in time: check the network"
    case .connection(.closed):
      "closes the connection: check that no other program uses the same account"
    case .connection(.silent), .silent:
      "sends nothing: check that the mount point is in operation, and 'gga=' if it needs a position"
    case .noAnswer:
      "closes the connection without an answer: check the port; if it is for TLS, write ntrips:// instead of ntrip://"
    case .lateAnswer: "does not answer in time: check the port"
    case .notACaster: "does not speak NTRIP: check the port"
    case .webPage: "sends a web page: check the port, and whether this network requires a login"
    case .redirected(let status): "redirects to another address (HTTP \(status)): set that address instead"
    case .unauthorized(let status):
      "refuses the account (HTTP \(status)): correct 'user=' and 'password='"
    case .noSuchMount(let near):
      near.isEmpty
        ? "has no such mount point: write one to 'url=' that 'locationctl ntrip list' prints"
        : "has no such mount point: write another one to 'url=', such as "
          + near.map { $0.name }.joined(separator: ", ")
    case .mountOffline: "lists the mount point, but has no corrections for it: wait, or use another one"
    case .refused(429): "reports too many connections (HTTP 429): it is tried again later"
    case .refused(let status): "refuses the request (HTTP \(status)): it is tried again later"
    case .error(let text): "reports '\(text)': check the account and the mount point"
    case .encoded: "sends compressed data, which was not requested: check the port"
    case .badChunks: "sends data with wrong lengths: use 'version=1' if it supports that"
    case .noCorrections: "sends no RTCM 3: use a mount point whose format is RTCM 3"
    }
  }

  /// The same for a client that keeps trying: after a final problem, the sentence adds how to make it try again.
  package var sentenceOfClient: String {
    isFinal
      ? "\(sentence); then run 'sudo systemctl reload locationd', because the caster is not tried again before"
      : sentence
  }
}

/// What an NTRIP client does now.
package enum NTRIPStatus: Hashable, Sendable {
  /// Corrections are not needed.
  case idle
  /// The caster needs the position of this machine, which is unknown.
  case waitingForPosition
  case connecting
  /// Connected; no corrections yet.
  case waiting
  case streaming
  /// The caster is tried again at that time, after this problem; `nil`: there was no problem, but the last try was too
  /// recent.
  case pausing(NTRIPProblem?, until: Instant)
  /// Not tried again.
  case stopped(NTRIPProblem)
}
