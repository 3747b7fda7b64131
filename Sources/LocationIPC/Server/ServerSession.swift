package import Geodesy

/// The service's side of one client: greeting, limits, and the output queue.
package struct ServerSession: Sendable {
  package enum Input: Hashable, Sendable {
    case received([UInt8])
    /// An event for the client.
    case send(ServiceEvent)
    /// This number of bytes of `unsent` has been written.
    case sent(Int)
    /// Disconnect the client with this reason.
    case refuse(DisconnectReason)
    /// `nextDeadline` has come. Too early is harmless.
    case wake
  }

  package enum Action: Hashable, Sendable {
    /// The client has sent its greeting.
    case greeted(ClientHello)
    case request(ClientRequest)
    /// The client is being disconnected: ignore its requests; close the socket once `unsent` is empty, or `isOver`.
    case disconnect(DisconnectReason)
  }

  /// The limits of one client.
  package struct Limits: Hashable, Sendable {
    /// Pending requests.
    package var requests = 64
    package var messagesPerSecond = 200
    package var burst = 400
    /// Bytes in the output queue.
    package var waitingBytes = 1 << 20
    /// From the connection to the greeting, and from the beginning of a message to its end.
    package var messageTime: Duration = .seconds(10)
    /// Maximum time without a byte read by the client while bytes are waiting.
    package var stallTime: Duration = .seconds(60)
    /// Maximum time to write the farewell.
    package var farewell: Duration = .seconds(1)

    package init() {}
  }

  private enum State {
    case greeting
    case serving
    /// Until the farewell is written, or until this time.
    case leaving(Instant)
  }

  private let versions: ClosedRange<UInt16>
  private let release: String
  private let limits: Limits
  private var state = State.greeting
  private var reader = FrameReader(limit: MessageLimits.request)
  private var queue = OutgoingQueue()
  private var rate: RateLimit
  /// When the greeting, or the rest of a partly received message, must have arrived.
  private var messageEnd: Instant?
  /// When the client must have read some of the waiting bytes.
  private var stallEnd: Instant?
  private var open: Set<RequestID> = []

  package init(
    versions: ClosedRange<UInt16> = ProtocolVersion.spoken, release: String, limits: Limits = Limits(), at now: Instant
  ) {
    self.versions = versions
    self.release = release
    self.limits = limits
    rate = RateLimit(perSecond: limits.messagesPerSecond, burst: limits.burst, at: now)
    messageEnd = now + limits.messageTime
  }

  /// The bytes to be written next; empty: none.
  package var unsent: [UInt8] { queue.next }

  /// Whether nothing waits to be written.
  package var isSettled: Bool { queue.isEmpty }

  /// Whether the client has sent its hello, and has no request in progress.
  package var isIdle: Bool {
    if case .serving = state { open.isEmpty } else { false }
  }

  /// Whether the client has been disconnected, and the farewell was sent or timed out.
  package private(set) var isOver = false

  package var nextDeadline: Instant? {
    switch state {
    case .leaving(let end): isOver ? nil : end
    case .greeting, .serving: Instant.earlier(messageEnd, stallEnd)
    }
  }

  package mutating func handle(_ input: Input, at now: Instant) -> [Action] {
    switch (state, input) {
    case (.greeting, .received(let bytes)), (.serving, .received(let bytes)): return receive(bytes, at: now)
    case (.serving, .send(let event)): return send(event, at: now)
    case (.greeting, .refuse(let refusal)), (.serving, .refuse(let refusal)): return disconnect(refusal, at: now)
    case (.greeting, .sent(let count)), (.serving, .sent(let count)):
      queue.drop(count)
      stallEnd = queue.isEmpty ? nil : now + limits.stallTime
      return []
    case (.leaving, .sent(let count)):
      queue.drop(count)
      isOver = queue.isEmpty
      return []
    case (.greeting, .wake), (.serving, .wake):
      if let messageEnd, now >= messageEnd { return disconnect(.tooQuiet, at: now) }
      if let stallEnd, now >= stallEnd { return disconnect(.tooSlow, at: now) }
      return []
    case (.leaving(let end), .wake):
      if now >= end { isOver = true }
      return []
    // The client has not greeted yet, or is being disconnected.
    case (.greeting, .send), (.leaving, .send), (.leaving, .received), (.leaving, .refuse): return []
    }
  }

  // MARK: - From the client

  private mutating func receive(_ bytes: [UInt8], at now: Instant) -> [Action] {
    reader.push(bytes[...])
    var actions: [Action] = []
    do throws(MessageError) {
      while let payload = try reader.next() {
        guard rate.tryAcquire(at: now) else {
          return actions + disconnect(.tooManyMessages(perSecond: limits.messagesPerSecond), at: now)
        }
        actions += receive(try ClientMessage(payload.span), at: now)
        if case .leaving = state { return actions }
        messageEnd = nil
      }
    } catch {
      return actions + disconnect(.brokenProtocol, at: now)
    }
    if !reader.isWithinMessage {
      if case .serving = state { messageEnd = nil }
    } else if messageEnd == nil {
      messageEnd = now + limits.messageTime
    }
    return actions
  }

  private mutating func receive(_ message: ClientMessage, at now: Instant) -> [Action] {
    switch (state, message) {
    case (.greeting, .hello(let hello)):
      guard let version = ProtocolVersion.common(versions, hello.versions) else {
        return disconnect(.unsupportedVersion(oldest: versions.lowerBound, newest: versions.upperBound), at: now)
      }
      state = .serving
      write(ServerMessage.hello(ServerHello(version: version, release: release, present: now)).frame, at: now)
      return [.greeted(hello)]
    case (.serving, .request(.cancel(let id))): return open.remove(id) == nil ? [] : [.request(.cancel(id))]
    case (.serving, .request(let request)):
      // Two requests of one number would be indistinguishable.
      guard open.insert(request.id).inserted else { return disconnect(.brokenProtocol, at: now) }
      guard open.count <= limits.requests else {
        open.remove(request.id)
        queue.append(.failed(request.id, .tooManyRequests(limit: limits.requests)))
        return limitQueue(at: now)
      }
      return [.request(request)]
    case (.greeting, .request), (.serving, .hello), (.leaving, .hello), (.leaving, .request):
      return disconnect(.brokenProtocol, at: now)
    }
  }

  // MARK: - To the client

  private mutating func send(_ event: ServiceEvent, at now: Instant) -> [Action] {
    // Drops events that were on their way when their request was cancelled.
    guard event.isLast ? open.remove(event.request) != nil : open.contains(event.request) else { return [] }
    queue.append(event)
    return limitQueue(at: now)
  }

  private mutating func limitQueue(at now: Instant) -> [Action] {
    if stallEnd == nil { stallEnd = now + limits.stallTime }
    return queue.count > limits.waitingBytes ? disconnect(.tooSlow, at: now) : []
  }

  private mutating func write(_ frame: [UInt8], at now: Instant) {
    queue.append(frame)
    if stallEnd == nil { stallEnd = now + limits.stallTime }
  }

  private mutating func disconnect(_ refusal: DisconnectReason, at now: Instant) -> [Action] {
    if case .leaving = state { return [] }
    open.removeAll()
    queue.clear()
    queue.append(ServerMessage.refused(refusal).frame)
    state = .leaving(now + limits.farewell)
    return [.disconnect(refusal)]
  }
}

/// A limit of `perSecond` on average, with a larger burst after a pause.
package struct RateLimit: Sendable {
  package let perSecond: Int
  private let burst: Double
  private var tokens: Double
  private var filledAt: Instant

  package init(perSecond: Int, burst: Int, at now: Instant) {
    self.perSecond = perSecond
    self.burst = Double(burst)
    tokens = Double(burst)
    filledAt = now
  }

  /// When the next request is within the limit if none comes before.
  package var nextAt: Instant { filledAt + .seconds(max(0, 1 - tokens) / Double(perSecond)) }

  /// Counts one more request; returns whether it is within the limit.
  package mutating func tryAcquire(at now: Instant) -> Bool {
    tokens = min(burst, tokens + max(0, (now - filledAt).inSeconds) * Double(perSecond))
    filledAt = now
    guard tokens >= 1 else { return false }
    tokens -= 1
    return true
  }
}
