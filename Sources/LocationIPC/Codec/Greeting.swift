package import Geodesy
package import LocationPolicy

/// A client's first message: its name and purposes, and the versions that it supports.
package struct ClientHello: Hashable, Sendable {
  package var versions: ClosedRange<UInt16>
  /// The program's name, as its maker writes it; a claim without proof.
  package var name: String
  /// Its descriptions of the purposes for which it requests location.
  package var usage: DeclaredUsage
  /// The program for which a bridge from another protocol makes the requests of this connection; `nil`: the client itself. The service
  /// refuses it from anyone but the bridge.
  package var caller: BridgedCaller?

  package init(
    versions: ClosedRange<UInt16> = ProtocolVersion.spoken, name: String, usage: DeclaredUsage = DeclaredUsage(),
    onBehalfOf caller: BridgedCaller? = nil
  ) {
    self.versions = versions
    self.name = name
    self.usage = usage
    self.caller = caller
  }
}

/// A program that uses the service through a bridge, by what the bridge knows of it from the other protocol's own credentials. The service
/// classifies that process as any client.
package struct BridgedCaller: Hashable, Sendable {
  package var processID: Int32
  /// Its effective user.
  package var userID: UInt32
  /// When it started, in ticks since boot (field 22 of proc_pid_stat(5)), so that another process with its ID is not taken for it.
  package var startTicks: Int64
  /// Whether only the reduced position may reach it, even if its authorization is for the exact one.
  package var isReduced: Bool

  package init(processID: Int32, userID: UInt32, startTicks: Int64, isReduced: Bool) {
    (self.processID, self.userID, self.startTicks) = (processID, userID, startTicks)
    self.isReduced = isReduced
  }

  /// The first version of the protocol in which a client can act on behalf of another one.
  package static let firstVersion: UInt16 = 3
}

/// The service's answer: the common version.
package struct ServerHello: Hashable, Sendable {
  package var version: UInt16
  /// The service's own version, for example `0.2.0`.
  package var release: String
  /// The reading of the service's boot clock; a client in a container may have another clock.
  package var present: Instant

  package init(version: UInt16, release: String, present: Instant) {
    self.version = version
    self.release = release
    self.present = present
  }
}

/// The versions of the messages.
package enum ProtocolVersion {
  /// Increases with every case or field that the other side must understand.
  package static let current: UInt16 = 3
  /// The supported versions. Release 0.1 speaks version 1: it gets one error, and no answer that it may misunderstand.
  package static let spoken: ClosedRange<UInt16> = 2...current

  /// Versions as text: `2`, or `2 to 3`.
  package static func text(_ versions: ClosedRange<UInt16>) -> String {
    versions.count == 1 ? "\(versions.lowerBound)" : "\(versions.lowerBound) to \(versions.upperBound)"
  }

  /// The newest version that both sides support.
  static func common(_ a: ClosedRange<UInt16>, _ b: ClosedRange<UInt16>) -> UInt16? {
    let newest = min(a.upperBound, b.upperBound)
    return a.contains(newest) && b.contains(newest) ? newest : nil
  }
}

extension ClientHello: MessageContent {
  func write(to message: inout MessageWriter) {
    message.put(1, UInt64(versions.lowerBound))
    message.put(2, UInt64(versions.upperBound))
    message.put(3, name)
    message.put(4, usage)
    message.put(5, caller)
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    let oldest: UInt16 = try fields.integer(1).required(1)
    let newest: UInt16 = try fields.integer(2).required(2)
    guard oldest <= newest else { throw .outOfRange(field: 1, found: UInt64(oldest)) }
    self.init(
      versions: oldest...newest, name: try fields.text(3).required(3),
      usage: try fields.content(4) ?? DeclaredUsage(), onBehalfOf: try fields.content(5))
  }
}

/// Field 1 is the process, 2 its user, 3 its start, 4 whether only the reduced position is for it.
extension BridgedCaller: MessageContent {
  func write(to message: inout MessageWriter) {
    message.put(1, UInt64(UInt32(bitPattern: processID)))
    message.put(2, UInt64(userID))
    message.put(3, UInt64(bitPattern: startTicks))
    message.put(4, isReduced)
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    let process: UInt32 = try fields.integer(1).required(1)
    let start: UInt64 = try fields.number(3).required(3)
    guard let processID = Int32(exactly: process), processID > 0 else {
      throw .outOfRange(field: 1, found: UInt64(process))
    }
    guard let startTicks = Int64(exactly: start) else { throw .outOfRange(field: 3, found: start) }
    self.init(
      processID: processID, userID: try fields.integer(2).required(2), startTicks: startTicks,
      isReduced: try fields.flag(4).required(4))
  }
}

extension ServerHello: MessageContent {
  func write(to message: inout MessageWriter) {
    message.put(1, UInt64(version))
    message.put(2, release)
    message.put(3, signed: present.nanoseconds)
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    self.init(
      version: try fields.integer(1).required(1), release: try fields.text(2).required(2),
      present: Instant(nanoseconds: try fields.signed(3).required(3)))
  }
}

/// Why the service disconnects a client. The last message to the client.
package enum DisconnectReason: Hashable, Sendable {
  /// There is no common version; the service's versions.
  case unsupportedVersion(oldest: UInt16, newest: UInt16)
  /// The client sent an invalid or unexpected message.
  case brokenProtocol
  /// The client sent nothing, or stopped in the middle of a message.
  case tooQuiet
  case tooManyMessages(perSecond: Int)
  case tooManyClients(limit: Int)
  /// The client does not read its events, or not fast enough.
  case tooSlow
  /// The service is stopping; it may be back soon.
  case stopping

  /// Whether a retry may help.
  package var isTemporary: Bool {
    switch self {
    case .stopping, .tooSlow, .tooManyClients: true
    case .unsupportedVersion, .brokenProtocol, .tooQuiet, .tooManyMessages: false
    }
  }
}

extension DisconnectReason: MessageContent {
  func write(to message: inout MessageWriter) {
    switch self {
    case .unsupportedVersion(let oldest, let newest):
      message.put(1, 0 as UInt64)
      message.put(2, UInt64(oldest))
      message.put(3, UInt64(newest))
    case .brokenProtocol: message.put(1, 1 as UInt64)
    case .tooQuiet: message.put(1, 2 as UInt64)
    case .tooManyMessages(let limit):
      message.put(1, 3 as UInt64)
      message.put(2, UInt64(clamping: limit))
    case .tooManyClients(let limit):
      message.put(1, 4 as UInt64)
      message.put(2, UInt64(clamping: limit))
    case .tooSlow: message.put(1, 5 as UInt64)
    case .stopping: message.put(1, 6 as UInt64)
    }
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    switch try fields.number(1).required(1) {
    case 0:
      self = .unsupportedVersion(
        oldest: try fields.integer(2).required(2), newest: try fields.integer(3).required(3))
    case 1: self = .brokenProtocol
    case 2: self = .tooQuiet
    case 3: self = .tooManyMessages(perSecond: try fields.integer(2).required(2))
    case 4: self = .tooManyClients(limit: try fields.integer(2).required(2))
    case 5: self = .tooSlow
    case 6: self = .stopping
    case let code: throw .unknownCode(field: 1, found: code)
    }
  }
}
