package import Geodesy
package import LocationIPC
import LocationPolicy
import TrackFormats

/// The grants and the pending requests: tables for people, one JSON object per line for scripts.
package enum GrantTable {
  /// Whether location services are on, the decisions, and below them the pending requests.
  ///
  /// - Parameters:
  ///   - now: the monotonic time, by which the age of pending requests is computed.
  ///   - clock: the wall-clock time, by which the time since the last use is computed.
  package static func text(
    _ list: GrantList, at now: Instant, clock: GNSSTime, _ look: Presentation = .current
  ) -> [UInt8] {
    var bytes = headline(list, look) + [0x0A]
    if list.grants.isEmpty {
      bytes += "No access has been granted or refused yet.\n".utf8
    } else {
      let rows = list.grants.map { row($0, clock: clock) }
      bytes += TextTable.aligned([["WHO", "ACCESS", "LAST USED", "CLAIMED NAME", "PURPOSE"]] + rows, look)
    }
    guard !list.pending.isEmpty else { return bytes }
    let rows = list.pending.map { row($0, at: now) }
    bytes += [0x0A] + TextTable.bytes([.warning("Waiting for an answer:")], look)
    bytes += TextTable.aligned([["WHO", "ASKS FOR", "SINCE", "CLAIMED NAME", "PURPOSE"]] + rows, look)
    return bytes
      + TextTable.sentences(
        "\nAnswer with 'locationctl agent', 'locationctl grant WHO' or 'locationctl revoke WHO'.", look)
  }

  package static func headline(_ list: GrantList, _ look: Presentation = .current) -> [UInt8] {
    let dot: StyledText = list.isOn ? .good(look.dot) : .bad(look.hollowDot)
    return TextTable.bytes([dot + " Location services are \(list.isOn ? "on" : "off")"], look)
  }

  // MARK: - JSON

  /// First the switch, then the decisions, then the pending requests.
  package static func jsonLines(_ list: GrantList, at now: Instant) -> [UInt8] {
    services(list) + list.grants.flatMap { object($0).line } + list.pending.flatMap { object($0, at: now).line }
  }

  package static func services(_ list: GrantList) -> [UInt8] {
    var object = JSONObject()
    object.add("services", .flag(list.isOn))
    return object.line
  }

  private static func object(_ grant: Grant) -> JSONObject {
    var object = JSONObject()
    object.add(client: grant.identity)
    object.add("level", .text(grant.record.level.key))
    object.add("reduced", .flag(grant.record.isReduced))
    object.add("provisional", .flag(grant.record.isProvisional))
    object.add("usedAt", .text(time(grant.record.usedAt)))
    object.add("decidedAt", .text(time(grant.record.decidedAt)))
    object.add("purpose", .text(grant.record.purpose))
    object.add("selfNamed", .text(grant.record.name))
    return object
  }

  private static func object(_ question: LocationPolicy.AuthorizationPrompt, at now: Instant) -> JSONObject {
    var object = JSONObject()
    object.add(client: question.identity)
    object.add("asks", .text(question.requestedKey))
    object.add("reduced", .flag(question.isReduced))
    object.add("askedAgo", .number(max(.zero, now - question.since).inSeconds, decimals: 3))
    object.add("purpose", .text(question.purpose))
    object.add("selfNamed", .text(question.name))
    return object
  }

  private static func time(_ time: GNSSTime?) -> String? { time.flatMap { Timestamp($0)?.iso8601 } }

  // MARK: - Tables

  private static func row(_ grant: Grant, clock: GNSSTime) -> [StyledText] {
    let record = grant.record
    return [
      "\(ClientName.selector(of: grant.identity))", access(record),
      "\(record.usedAt.map { "\(StatusTable.time(clock - $0)) ago" } ?? "-")",
      "\(ownName(record.name))", "\(record.purpose.map { TerminalText.sanitized($0) } ?? "-")",
    ]
  }

  private static func row(_ question: LocationPolicy.AuthorizationPrompt, at now: Instant) -> [StyledText] {
    [
      "\(ClientName.selector(of: question.identity))",
      "\(question.requestedText + (question.isReduced ? ", approximate" : ""))",
      "\(StatusTable.time(now - question.since)) ago", "\(ownName(question.name))",
      "\(question.purpose.map { TerminalText.sanitized($0) } ?? "-")",
    ]
  }

  private static func access(_ record: GrantRecord) -> StyledText {
    switch record.level {
    case .notDetermined, .restricted, .denied: StyledText(record.level.text, record.level.role)
    case .whenInUse, .always:
      StyledText(
        record.level.text + (record.isReduced ? ", approximate" : "") + (record.isProvisional ? ", provisional" : ""),
        record.level.role)
    }
  }

  /// The name in quotes, because the client states it itself and it is not verified.
  static func ownName(_ name: String?) -> String { name.map { "“\(TerminalText.sanitized($0))”" } ?? "-" }
}

extension JSONObject {
  /// The identity that an entry belongs to.
  mutating func add(client identity: ClientIdentity) {
    let user = ClientName.userName(of: identity)
    self.add("who", .text(ClientName.selector(of: identity, user: user)))
    // Another machine is no user, and its user ID is none of this machine.
    self.add("user", .text(identity.userID == .max ? nil : user))
    self.add("uid", .number(Int(identity.userID)))
    let realm = identity.realm.text
    self.add("realm", .text(realm.isEmpty ? nil : realm))
  }
}
