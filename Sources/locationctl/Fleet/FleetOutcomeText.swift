import FleetDestinations
import LocationIPC
import TrackFormats

/// What is wrong with a destination, and what to do, as one sentence.
enum FleetProblemText {
  /// `nil`: nothing is wrong.
  static func sentence(_ report: FleetReport) -> String? {
    switch report.state {
    case .notAllowed:
      "it gets no positions: location services are off, or its access was revoked with 'locationctl revoke'."
    case .paused, .resting, .connected, .idle, .connecting:
      report.isClockUnsure
        ? "positions are not recorded, and are lost, until a receiver or a time server confirms the time"
          + (report.unrecorded > 0 ? " (\(report.unrecorded) so far)." : ".") : nil
    case .refused, .unheard, .waiting:
      report.problem.map { sentence($0, report.kind) } ?? report.reply.flatMap { sentence($0) }
        ?? (report.state == .unheard ? sentence(.mqtt(0x10)) : nil)
    }
  }

  static func sentence(_ problem: FleetProblem, _ kind: FleetKind?) -> String {
    switch problem {
    case .noSuchHost: "the name of the server is unknown: check the address, and the DNS of this machine."
    case .unreachable: "the server cannot be reached: check the network, the port, and that the server is running."
    case .serverNotTrusted:
      "the certificate of the server is not trusted: use the name that is in it, or give its authority with --ca"
        + (kind == .mqtt
          ? "; if it was accepted before, it may have expired, or the clock of this machine may be wrong." : ".")
    case .certificateDate:
      "the certificate of the server is not valid at the time of this machine: check the clock, then renew the certificate."
    case .certificateRefused:
      "the server refuses the certificate of this machine, or wants one: check --cert and --key."
    case .badCredentials: "the server refuses the account or the password: check --account and --password."
    case .notAuthorized: "the server refuses this machine: check its account, and its right to publish (ACL)."
    case .takenOver:
      "another client with the same identifier has connected: give one of the two machines another name with --as."
    case .tooLate: "the server did not answer in time: check the network and the port."
    case .closed:
      "the server closed the connection: check the port, whether it needs TLS, and whether it needs a certificate."
    case .unavailable: "the server is busy or in maintenance: it is tried again later."
    case .notUnderstood: "what answers there does not speak this protocol: check the address and the port."
    case .libraryMissing:
      "a library is missing: install \(library(kind))."
    case .notFound: "the server has nothing at this path, or no such device: check the address."
    case .credentialUnreadable:
      "the file of a password, certificate or key cannot be read: it must belong to the user locationd, with mode 0600."
    case .noAcknowledgement:
      "the broker does not confirm messages (it has quality of service 0 alone), so that none would be known to have arrived: use another one."
    case .helperFailed: "the process with the connection has failed: see 'journalctl -u location-fleet@*'."
    }
  }

  private static func library(_ kind: FleetKind?) -> String {
    switch kind {
    case .mqtt: "the package libmosquitto1, and for --encrypt libsodium23"
    case .ownTracksHTTP: "the package libcurl4, and for --encrypt libsodium23"
    case .osmAnd, .overland, .http: "the package libcurl4"
    case nil: "the package libmosquitto1 for MQTT, libcurl4 for HTTP, and libsodium23 for --encrypt"
    }
  }

  /// `nil`: the answer is good.
  static func sentence(_ reply: FleetReply) -> String? {
    switch reply {
    case .mqtt(0): nil
    case .mqtt(0x10):
      "the broker accepts the positions, but nobody has subscribed to them: start the program that reads them, or use --unheard."
    case .mqtt(0x87): "the broker does not allow this machine to publish to its topic: change the broker's ACL."
    case .mqtt(0x97): "a quota of the broker is exceeded: it is tried again later."
    case .mqtt(let code): "the broker refuses the positions (reason code \(code))."
    case .http(200..<300, _): nil
    case .http(401, _), .http(403, _): "the server refuses the account: check --account, --password and the address."
    case .http(404, _), .http(410, _): "the server has nothing at this path: check the address."
    case .http(400, _): "the server calls the message invalid: check that the device is registered there, and its ID."
    case .http(429, _), .http(503, _): "the server is busy: it is tried again later."
    case .http(300..<400, _): "the server redirects to another address: use that address."
    case .http(let status, _): "the server answers with status \(status)."
    }
  }

  /// The reason code, or the HTTP status.
  static func code(of reply: FleetReply?) -> Int? {
    switch reply {
    case .mqtt(let code)?: Int(code)
    case .http(let status, _)?: Int(status)
    case nil: nil
    }
  }
}

/// The result of `fleet test`.
struct FleetOutcomeText {
  let result: FleetTestResult
  let sentence: String
  let status: CommandStatus

  init(_ result: FleetTestResult) {
    self.result = result
    if let problem = result.problem {
      sentence = FleetProblemText.sentence(problem, nil)
      status =
        switch problem {
        case .badCredentials, .notAuthorized, .certificateRefused: .denied
        case .noAcknowledgement: .protocolError
        case .credentialUnreadable: .badInput
        case .libraryMissing, .noSuchHost: .noSource
        case .notUnderstood, .serverNotTrusted, .certificateDate, .helperFailed: .protocolError
        case .unreachable, .takenOver, .tooLate, .closed, .unavailable, .notFound: .locationUnknown
        }
    } else if case .http(100..<500, _)? = result.reply {
      // The root of the server was requested: whatever it answers, it is there.
      sentence = "the server answers; 'locationctl fleet send' shows whether it takes positions."
      status = .done
    } else if let reply = result.reply, let text = FleetProblemText.sentence(reply) {
      sentence = text
      switch reply {
      case .mqtt(0x87), .http(401, _), .http(403, _): status = .denied
      default: status = .locationUnknown
      }
    } else if result.reply == nil {
      (sentence, status) = (FleetProblemText.sentence(.tooLate, nil), .locationUnknown)
    } else {
      let old = result.session?.version == 4
      sentence =
        "it works" + (old ? "; the broker has no MQTT 5, and does not say if it refuses positions." : ".")
      status = .done
    }
  }

  func object(_ name: String) -> JSONObject {
    var object = JSONObject()
    object.add("name", .text(name))
    object.add("works", .flag(status == .done))
    object.add("problem", .text(result.problem?.name))
    object.add("reply", .number(FleetProblemText.code(of: result.reply)))
    object.add("sentence", .text(sentence))
    object.add("mqttVersion", .number(result.session.flatMap { $0.version > 0 ? Int($0.version) : nil }))
    return object
  }
}
