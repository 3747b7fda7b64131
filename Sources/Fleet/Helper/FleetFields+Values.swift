import FleetDestinations
import NetworkSources

extension FleetConnection {
  func write(to fields: inout FleetFieldWriter) {
    fields.put(kind.rawValue)
    fields.put(server.text)
    fields.put(isEncrypted)
    fields.put(clientID)
    fields.put(keepAlive)
    fields.put(account) { $0.put($1) }
    for secret in [password, authorities, certificate, key, encryptionSecret] {
      fields.put(secret) { $0.put(bytes: $1) }
    }
    fields.put(will) { $1.write(to: &$0) }
    fields.put(commandTopic) { $0.put($1) }
    fields.put(UInt8(headers.count))
    for header in headers { fields.put(header) }
    fields.put(window)
    fields.put(expectsVersion5)
  }

  init?(_ fields: inout FleetFieldReader) {
    guard let kind = fields.number(UInt8.self).flatMap(FleetKind.init(rawValue:)),
      let text = fields.line(limit: 300), let server = try? HostAndPort(parsing: text[...], usualPort: nil),
      let isEncrypted = fields.flag(), let clientID = fields.line(limit: 256),
      let keepAlive = fields.number(UInt16.self), let account = fields.optional({ $0.line(limit: 256) })
    else { return nil }
    self.init(kind: kind, server: server, isEncrypted: isEncrypted)
    (self.clientID, self.keepAlive, self.account) = (clientID, keepAlive, account)
    let most = FleetCredential.longestContent
    for path in [\Self.password, \.authorities, \.certificate, \.key, \.encryptionSecret] {
      guard let secret = fields.optional({ $0.bytes(limit: most) }) else { return nil }
      self[keyPath: path] = secret
    }
    guard let will = fields.optional({ FleetMessage(&$0) }),
      let topic = fields.optional({ $0.line(limit: FleetMessage.longestTarget) }),
      let count = fields.number(UInt8.self), Int(count) <= Self.mostHeaders
    else { return nil }
    (self.will, commandTopic) = (will, topic)
    for _ in 0..<count {
      guard let header = fields.line(limit: 1024) else { return nil }
      headers.append(header)
    }
    guard let window = fields.number(UInt16.self), window > 0, let expectsVersion5 = fields.flag() else { return nil }
    (self.window, self.expectsVersion5) = (window, expectsVersion5)
  }
}

extension FleetMessage {
  func write(to fields: inout FleetFieldWriter) {
    fields.put(id)
    fields.put(kind.rawValue)
    fields.put(method.rawValue)
    fields.put(target)
    fields.put(bytes: body)
    fields.put(contentType) { $0.put($1) }
    fields.put(isRetained)
    fields.put(qos.rawValue)
  }

  init?(_ fields: inout FleetFieldReader) {
    guard let id = fields.number(UInt64.self), let kind = fields.number(UInt8.self).flatMap(Kind.init(rawValue:)),
      let method = fields.number(UInt8.self).flatMap(Method.init(rawValue:)),
      let target = fields.line(limit: Self.longestTarget), let body = fields.bytes(limit: Self.longestBody),
      let contentType = fields.optional({ $0.line(limit: 128) }), let isRetained = fields.flag(),
      let qos = fields.number(UInt8.self).flatMap(FleetQoS.init(rawValue:))
    else { return nil }
    self.init(id: id, kind: kind, method: method, target: target, body: body, contentType: contentType)
    (self.isRetained, self.qos) = (isRetained, qos)
  }
}

extension FleetSession {
  func write(to fields: inout FleetFieldWriter) {
    fields.put(version)
    fields.put(receiveMaximum) { $0.put($1) }
    fields.put(maximumPacket) { $0.put($1) }
    fields.put(maximumQoS.rawValue)
    fields.put(canRetain)
  }

  init?(_ fields: inout FleetFieldReader) {
    guard let version = fields.number(UInt8.self), [0, 4, 5].contains(version),
      let receive = fields.optional({ $0.number(UInt16.self) }), receive != 0,
      let packet = fields.optional({ $0.number(UInt32.self) }),
      let qos = fields.number(UInt8.self).flatMap(FleetQoS.init(rawValue:)), let canRetain = fields.flag()
    else { return nil }
    self.init(version: version)
    (receiveMaximum, maximumPacket, maximumQoS) = (receive, packet, qos)
    self.canRetain = canRetain
  }
}

extension FleetReply {
  func write(to fields: inout FleetFieldWriter) {
    switch self {
    case .mqtt(let code):
      fields.put(1 as UInt8)
      fields.put(code)
    case .http(let status, let retryAfter):
      fields.put(2 as UInt8)
      fields.put(status)
      fields.put(retryAfter) { $0.put($1) }
    }
  }

  init?(_ fields: inout FleetFieldReader) {
    switch fields.number(UInt8.self) {
    case 1:
      guard let code = fields.number(UInt8.self) else { return nil }
      self = .mqtt(code)
    case 2:
      guard let status = fields.number(UInt16.self), (100...999).contains(status),
        let retryAfter = fields.optional({ $0.number(UInt32.self) })
      else { return nil }
      self = .http(status, retryAfter: retryAfter)
    default: return nil
    }
  }
}
