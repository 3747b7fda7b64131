package import Geodesy
import LocationIPC
import WireFormats

/// The server's side of one client of gpsd's protocol: its requests, what it watches, its limits, and the output queue.
///
/// After each `handle`, write `unsent` to the client and report what was written with `.sent`; read from the client only while
/// `isReading`; and call with `.wake` at `nextDeadline`.
package struct GPSDSession: Sendable {
  package enum Input: Hashable, Sendable {
    /// Bytes of the client, at most `mostBytesRead` at once.
    case received([UInt8])
    /// This number of bytes of `unsent` has been written.
    case sent(Int)
    /// `nextDeadline` has come. Too early is harmless.
    case wake
    /// What the client may receive, on every change.
    case access(GPSDAccess)
    /// The receivers, on every change.
    case devices(GPSDDeviceList)
    /// An epoch, encoded for this client's access and `forms`.
    case epoch(GPSDEpochText)
    /// There is no longer a position.
    case lost
    /// Bytes as a receiver sent them, if the updates include them.
    case raw([UInt8], device: String)
    /// A moment by the receiver's time, if the updates include it.
    case mark(GPSDTimeMark)
  }

  package enum Action: Hashable, Sendable {
    /// The client needs this from the service from now on, instead of what it needed before.
    case startUpdates(GPSDUpdates)
    /// The client needs nothing from the service.
    case stopUpdates
    /// Write `unsent` as far as possible without waiting, and close the connection.
    case close(GPSDCloseReason)
  }

  /// The limits of one client.
  package struct Limits: Hashable, Sendable {
    package var requestsPerSecond = 20
    /// A client that watches nothing is disconnected this long after its last request.
    package var idleTime: Duration = .seconds(15 * 60)
    /// A client is disconnected if bytes wait for it and it reads none for this long.
    package var stallTime: Duration = .seconds(180)
    /// If more bytes than this wait, raw bytes and answers, when raw bytes are added, the client is disconnected.
    package var rawBytes = 256 << 10
    /// While more bytes than this wait, further requests wait, too.
    package var answerBytes = 16 << 10

    package init() {}
  }

  /// The largest read that the session accepts at once.
  package static let mostBytesRead = GPSDCommandReader.mostBytes - GPSDCommandReader.longestLine

  /// The interval of TPV reports to a client without a position, and to a client that is not allowed any.
  static let (lostInterval, deniedInterval): (Duration, Duration) = (.seconds(1), .seconds(60))
  /// The first such interval after an epoch without a position: longer, so that the next epoch can come first.
  static let epochPatience: Duration = .milliseconds(1500)

  let limits: Limits
  /// What the client may receive.
  package internal(set) var access: GPSDAccess
  let isOfThisMachine: Bool
  var devices: GPSDDeviceList
  var watch = GPSDWatchPolicy()
  var output = ClientOutput()
  /// The last epoch since the client began to watch, for POLL, with the last complete list of satellites.
  var latest: GPSDEpoch?
  /// The time between the last two epochs, and between the last two fixes by the receiver's time.
  var (epochInterval, cycleSeconds): (Duration?, Double?) = (nil, nil)
  /// When the first fix from no receiver arrived, by the machine's clock.
  var serviceActivated: GNSSTime?
  /// Splits raw bytes into frames, for raw 1.
  var decoder: WireDecoder?
  /// When the client without a position gets the next TPV.
  var repeatAt: Instant?
  private var reader = GPSDCommandReader()
  private var rate: RateLimit
  private var updates: GPSDUpdates?
  private var receivedAt: Instant
  /// When a request without a line end counts as complete, when the next request is within the limit, when the client is
  /// closed because it requests nothing, and when because it does not read.
  private var (silenceEnd, throttleEnd): (Instant?, Instant?) = (nil, nil)
  private var (idleEnd, stallEnd): (Instant?, Instant?) = (nil, nil)
  /// Whether requests wait because the client does not read the answers.
  private var isBlocked = false

  /// A session whose first output is VERSION.
  ///
  /// - Parameter isOfThisMachine: whether the client is a program of this machine; others get no raw data.
  package init(
    access: GPSDAccess, devices: GPSDDeviceList, isOfThisMachine: Bool = true, limits: Limits = Limits(),
    at now: Instant
  ) {
    self.isOfThisMachine = isOfThisMachine
    (self.access, self.devices, self.limits) = (access, devices, limits)
    rate = RateLimit(perSecond: limits.requestsPerSecond, burst: limits.requestsPerSecond, at: now)
    receivedAt = now
    idleEnd = now + limits.idleTime
    var version = GPSDObjectBuffer()
    version.appendVersion()
    output.append(version.bytes)
    stallEnd = now + limits.stallTime
  }

  /// The bytes for a client whose connection is refused.
  package static var tooManyClients: [UInt8] {
    var error = GPSDObjectBuffer()
    error.appendError("locationd: too many clients")
    return error.bytes
  }

  /// The bytes to be written next; empty: none.
  package var unsent: ArraySlice<UInt8> { output.unsent }

  /// Whether to read from the client; otherwise its requests wait in the socket.
  package var isReading: Bool { !isOver && throttleEnd == nil && !isBlocked }

  /// Whether the connection is to be closed.
  package private(set) var isOver = false

  /// The forms in which this client receives epochs now.
  package var forms: GPSDForms {
    guard watch.isOn, access.isGranted else { return [] }
    var forms: GPSDForms = []
    if watch.json { forms.insert(.json) }
    // With raw, the client receives the sentences of the receiver itself.
    if watch.nmea, watch.raw == 0 { forms.insert(.nmea) }
    return forms
  }

  /// The same as `forms`, and as the other properties, without a copy of the session, for an owner that needs them after every epoch.
  package mutating func currentForms() -> GPSDForms { forms }
  package mutating func currentNeeds() -> (unsent: ArraySlice<UInt8>, isReading: Bool, nextDeadline: Instant?) {
    (unsent, isReading, nextDeadline)
  }

  package var nextDeadline: Instant? {
    guard !isOver else { return nil }
    return Instant.earlier(
      Instant.earlier(silenceEnd, throttleEnd), Instant.earlier(Instant.earlier(idleEnd, stallEnd), repeatAt))
  }

  /// - Parameter clock: the machine's clock at `now`.
  package mutating func handle(_ input: Input, at now: Instant, clock: GNSSTime) -> [Action] {
    guard !isOver else {
      if case .sent(let count) = input { output.sent(count) }
      return []
    }
    var problem: GPSDCloseReason?
    switch input {
    case .received(let bytes): problem = receive(bytes, at: now, clock: clock)
    case .sent(let count):
      output.sent(count)
      if count > 0 { stallEnd = nil }
      if isBlocked { problem = serve(at: now, clock: clock) }
    case .wake: problem = wake(at: now, clock: clock)
    case .access(let access): change(to: access, at: now)
    case .devices(let list): change(to: list)
    case .epoch(let text): send(text, at: now, clock: clock)
    case .lost: lose(at: now)
    case .raw(let bytes, let device):
      sendRaw(bytes, of: device)
      if output.keptCount > limits.rawBytes { problem = .tooSlow }
    case .mark(let mark): send(mark)
    }
    if let problem { return close(problem) }
    stallEnd = output.isEmpty ? nil : stallEnd ?? now + limits.stallTime
    idleEnd = watch.isOn ? nil : idleEnd ?? now + limits.idleTime
    return changedUpdates()
  }

  private mutating func wake(at now: Instant, clock: GNSSTime) -> GPSDCloseReason? {
    if let stallEnd, now >= stallEnd { return .tooSlow }
    if let idleEnd, now >= idleEnd { return .idle }
    if let repeatAt, now >= repeatAt { sendWithoutPosition(at: now) }
    let isDue = silenceEnd.map { now >= $0 } ?? false || throttleEnd.map { now >= $0 } ?? false
    return isDue ? serve(at: now, clock: clock) : nil
  }

  private mutating func close(_ reason: GPSDCloseReason) -> [Action] {
    isOver = true
    switch reason {
    case .tooLong:
      var error = GPSDObjectBuffer()
      error.appendError("Request too long")
      output.append(error.bytes)
    // A web browser or a program of another protocol gets no answer.
    case .foreign: output.clear()
    case .idle, .tooSlow: break
    }
    let hadUpdates = updates != nil
    updates = nil
    return hadUpdates ? [.stopUpdates, .close(reason)] : [.close(reason)]
  }

  private mutating func changedUpdates() -> [Action] {
    var needed: GPSDUpdates?
    if watch.isOn, access != .denied {
      let isExact = access == .full
      needed = GPSDUpdates(
        device: watch.device, satellites: isExact, raw: isExact && watch.raw > 0, marks: isExact && watch.pps)
    }
    guard needed != updates else { return [] }
    updates = needed
    return needed.map { [.startUpdates($0)] } ?? [.stopUpdates]
  }

  // MARK: - Requests

  private mutating func receive(_ bytes: [UInt8], at now: Instant, clock: GNSSTime) -> GPSDCloseReason? {
    receivedAt = now
    do throws(GPSDCommandReader.Problem) {
      try reader.append(bytes)
    } catch {
      return GPSDCloseReason(error)
    }
    return serve(at: now, clock: clock)
  }

  /// Carries out the requests that are complete, as many as the limits allow.
  private mutating func serve(at now: Instant, clock: GNSSTime) -> GPSDCloseReason? {
    (silenceEnd, throttleEnd, isBlocked) = (nil, nil, false)
    let isSilent = now - receivedAt >= GPSDCommandReader.silence
    while true {
      guard output.keptCount <= limits.answerBytes else {
        isBlocked = true
        return nil
      }
      if rate.nextAt > now {
        if reader.hasBytes { throttleEnd = rate.nextAt }
        return nil
      }
      let command: GPSDCommand?
      do throws(GPSDCommandReader.Problem) {
        command = try reader.next(isSilent: isSilent)
      } catch {
        return GPSDCloseReason(error)
      }
      guard let command else {
        if reader.hasBytes, !isSilent { silenceEnd = receivedAt + GPSDCommandReader.silence }
        return nil
      }
      _ = rate.tryAcquire(at: now)
      if idleEnd != nil { idleEnd = now + limits.idleTime }
      execute(command, at: now, clock: clock)
    }
  }
}

/// What a client needs from the service.
package struct GPSDUpdates: Hashable, Sendable {
  /// Fixes of this receiver only; `nil`: the position of the service.
  package var device: String?
  /// Reports of satellites, in addition to fixes.
  package var satellites: Bool
  /// The bytes of the receiver.
  package var raw: Bool
  /// The moments by the receiver's time.
  package var marks: Bool

  package init(device: String?, satellites: Bool, raw: Bool, marks: Bool) {
    (self.device, self.satellites, self.raw, self.marks) = (device, satellites, raw, marks)
  }
}

/// Why a connection is closed.
package enum GPSDCloseReason: Hashable, Sendable {
  /// A line of the client is too long.
  case tooLong
  /// The client speaks another protocol.
  case foreign
  /// The client requests and watches nothing.
  case idle
  /// The client does not read.
  case tooSlow

  init(_ problem: GPSDCommandReader.Problem) {
    switch problem {
    case .tooLong: self = .tooLong
    case .foreign: self = .foreign
    }
  }
}
