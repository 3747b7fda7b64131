package import Geodesy

/// One client of one mount point: requests corrections in the version of NTRIP that the caster supports, sends the
/// caster the position that it needs, and reconnects after a loss so seldom that the client is not banned.
///
/// The caller makes connections, encrypts them and passes bytes; nothing here reads a clock. Of the caster's data, it
/// passes on only RTCM 3 frames with a correct CRC.
package struct NTRIPSession: Sendable {
  package enum Input: Hashable, Sendable {
    /// Corrections are needed.
    case start
    /// Corrections are no longer needed.
    case stop
    /// The connection is made, and encrypted if it was to be.
    case connected
    /// The connection was not made, or the network failed.
    case failed(StreamProblem)
    /// The caster closed or reset the connection.
    case closed
    /// The position of this machine; `nil`: it is lost.
    case position(CasterPosition?)
    /// `nextDeadline` was reached. An early call has no effect.
    case wake
  }

  package enum Action: Hashable, Sendable {
    /// Start to connect; answered by `.connected` or `.failed`.
    case connect(HostAndPort, isEncrypted: Bool)
    case send([UInt8])
    /// Close the connection, or give up making it. No input and no bytes of that connection may follow.
    case close
    /// Corrections for a receiver.
    case pass(RTCMFrame)
    /// Store this for the next process.
    case store(NTRIPMemory)
    /// The status has changed.
    case report(NTRIPStatus)
  }

  enum State: Hashable, Sendable {
    case idle
    case waitingForPosition
    case connecting(since: Instant)
    case asked(since: Instant)
    case streaming(since: Instant)
    /// The caster sends the list of mount points instead of corrections.
    case listing(since: Instant)
    case pausing
    case stopped(NTRIPProblem)
  }

  package static let longestConnect: Duration = .seconds(20)
  /// An answer that is incomplete after this long counts as missing.
  package static let longestAnswer: Duration = .seconds(15)
  package static let longestTable: Duration = .seconds(30)
  /// A caster that sends no frame for this long is lost. A virtual station takes up to half a minute to begin.
  package static let longestSilence: Duration = .seconds(60)
  /// More bytes than this without a frame are not corrections.
  package static let mostNoise: UInt64 = 64 << 10
  /// An older position is not sent.
  package static let longestPositionAge: Duration = .seconds(60)
  /// The number of mount points that are proposed in place of a wrong one.
  package static let proposalCount = 5

  let configuration: CasterConfiguration
  private let release: String
  var state = State.idle
  var connection: NTRIPConnection
  var backOff: CasterBackOff
  private var usesVersion1: Bool
  private var isVersion1Proven: Bool
  private var hasFallenBack = false
  private var hasProvenNeed = false
  private var position: (value: CasterPosition, receivedAt: Instant)?
  private var refusal: NTRIPProblem?
  /// The reason of the last loss; `nil`: there was none, or corrections have come in since.
  private var problem: NTRIPProblem?
  var hasUnstoredChange = false

  /// - Parameters:
  ///   - release: the version of this program, which the request names.
  ///   - memory: what the last process stored; `nil`: nothing.
  ///   - elapsed: the time since it was stored; zero if that is unknown.
  ///   - isSameConfiguration: the configuration has not changed since; otherwise the caster is tried again.
  ///   - seed: a random number.
  package init(
    _ configuration: CasterConfiguration, release: String, memory: NTRIPMemory? = nil, elapsed: Duration = .zero,
    isSameConfiguration: Bool = false, at now: Instant, seed: UInt64
  ) {
    self.configuration = configuration
    self.release = release
    backOff =
      memory.flatMap { CasterBackOff($0.backOff, elapsed: elapsed, at: now, seed: seed) } ?? CasterBackOff(seed: seed)
    if !isSameConfiguration { backOff.forgive() }
    let remembersVersion1 = isSameConfiguration && memory?.isVersion1 == true
    isVersion1Proven = remembersVersion1
    switch configuration.version {
    case .automatic: usesVersion1 = remembersVersion1
    case .one: usesVersion1 = true
    case .two: usesVersion1 = false
    }
    refusal = isSameConfiguration ? memory?.refusal : nil
    connection = NTRIPConnection(configuration, isVersion1: usesVersion1, needsPosition: false, at: now)
  }

  package var status: NTRIPStatus {
    switch state {
    case .idle: .idle
    case .waitingForPosition: .waitingForPosition
    case .connecting: .connecting
    case .asked, .listing: .waiting
    case .streaming: connection.lastFrameAt == nil ? .waiting : .streaming
    case .pausing: .pausing(problem, until: backOff.earliestTry ?? Instant(nanoseconds: 0))
    case .stopped(let problem): .stopped(problem)
    }
  }

  package var nextDeadline: Instant? {
    switch state {
    case .idle, .waitingForPosition, .stopped: return nil
    case .connecting(let since): return since + Self.longestConnect
    case .asked(let since): return since + Self.longestAnswer
    case .listing(let since): return since + Self.longestTable
    case .pausing: return backOff.earliestTry
    case .streaming(let since):
      // Without a position, no report is due before the next position arrives.
      let report = position == nil ? nil : connection.reports.nextDeadline
      return [report, silenceDeadline(since: since)].compactMap { $0 }.min()
    }
  }

  package mutating func handle(_ input: Input, at now: Instant) -> [Action] {
    var actions: [Action] = []
    let before = status
    step(input, at: now, &actions)
    finish(since: before, at: now, &actions)
    return actions
  }

  /// Bytes of the connection have arrived.
  package mutating func receive(_ bytes: Span<UInt8>, at now: Instant) -> [Action] {
    var actions: [Action] = []
    let before = status
    read(bytes, at: now, &actions)
    finish(since: before, at: now, &actions)
    return actions
  }

  private mutating func finish(since before: NTRIPStatus, at now: Instant, _ actions: inout [Action]) {
    if hasUnstoredChange {
      hasUnstoredChange = false
      var memory = NTRIPMemory()
      memory.isVersion1 = isVersion1Proven
      memory.refusal = refusal
      memory.backOff = backOff.text(at: now)
      // Stored before connecting, so that the attempt counts even if the process is killed during it.
      actions.insert(.store(memory), at: 0)
    }
    let after = status
    if after != before { actions.append(.report(after)) }
  }

  private mutating func step(_ input: Input, at now: Instant, _ actions: inout [Action]) {
    if case .position(let value) = input { position = value.map { ($0, now) } }
    if let receivedAt = position?.receivedAt, now - receivedAt > Self.longestPositionAge { position = nil }
    switch (state, input) {
    case (.idle, .start):
      if let refusal { state = .stopped(refusal) } else { begin(at: now, &actions) }
    case (.waitingForPosition, .position(.some)): begin(at: now, &actions)
    case (.pausing, .wake):
      if backOff.earliestTry.map({ now >= $0 }) ?? true { begin(at: now, &actions) }
    case (.connecting, .connected): ask(at: now, &actions)
    case (.connecting, .failed(let problem)), (.asked, .failed(let problem)), (.listing, .failed(let problem)),
      (.streaming, .failed(let problem)):
      fail(.connection(problem), isClosed: true, at: now, &actions)
    case (.connecting, .closed): fail(.connection(.closed), isClosed: true, at: now, &actions)
    case (.connecting(let since), .wake):
      if now - since >= Self.longestConnect { fail(.connection(.tooLate), at: now, &actions) }
    case (.asked(let since), .wake):
      if now - since >= Self.longestAnswer { fail(.lateAnswer, at: now, &actions) }
    case (.asked, .closed): closedBeforeReply(at: now, &actions)
    case (.listing(let since), .wake):
      if now - since >= Self.longestTable { endTable(isClosed: false, at: now, &actions) }
    case (.listing, .closed): endTable(isClosed: true, at: now, &actions)
    case (.streaming, .closed): fail(.connection(.closed), isClosed: true, at: now, &actions)
    case (.streaming(let since), .wake):
      if let deadline = silenceDeadline(since: since), now >= deadline {
        fail(connection.isSilent ? .silent : .noCorrections, at: now, &actions)
      } else {
        sendPosition(at: now, &actions)
      }
    case (.streaming, .position): sendPosition(at: now, &actions)
    case (.waitingForPosition, .stop), (.pausing, .stop), (.stopped, .stop): state = .idle
    case (.connecting, .stop), (.asked, .stop), (.listing, .stop), (.streaming, .stop):
      actions.append(.close)
      state = .idle
    case (.idle, _), (.stopped, _), (_, .start), (.waitingForPosition, _), (.pausing, _), (_, .connected),
      (_, .position):
      break
    }
  }

  /// Connects, or waits for what is needed first.
  private mutating func begin(at now: Instant, _ actions: inout [Action]) {
    if needsPosition, position == nil {
      state = .waitingForPosition
    } else if let earliest = backOff.earliestTry, now < earliest {
      state = .pausing
    } else {
      backOff.tried(at: now)
      hasUnstoredChange = true
      state = .connecting(since: now)
      actions.append(.connect(configuration.address.server, isEncrypted: configuration.address.isEncrypted))
    }
  }

  private mutating func ask(at now: Instant, _ actions: inout [Action]) {
    backOff.connected(at: now)
    hasUnstoredChange = true
    connection = NTRIPConnection(
      configuration, isVersion1: usesVersion1, needsPosition: needsPosition, near: position?.value.coordinate, at: now)
    var request = CasterRequest(
      configuration.address, credentials: configuration.credentials, isVersion1: usesVersion1, release: release)
    if needsPosition, !usesVersion1, let position {
      request.position = position.value
      connection.reports.sentInRequest(position.value, at: now)
    }
    state = .asked(since: now)
    actions.append(.send(request.bytes))
  }

  /// Whether it is known that the caster needs a position.
  private var needsPosition: Bool {
    switch configuration.positions {
    case .never: false
    case .every: true
    case .automatic: configuration.mountNeedsPosition == true || hasProvenNeed
    }
  }

  private mutating func sendPosition(at now: Instant, _ actions: inout [Action]) {
    guard let position, connection.reports.send(position.value, at: now) else { return }
    actions.append(.send(position.value.sentence))
  }

  /// When a stream without a frame is lost; `nil`: it waits for a position that is unknown.
  private func silenceDeadline(since: Instant) -> Instant? {
    if position == nil, connection.reports.isWaiting { return nil }
    return max(since, connection.lastFrameAt ?? since, connection.reports.firstSentAt ?? since) + Self.longestSilence
  }

  /// Some casters of version 1 close the connection when they see a request of version 2.
  private mutating func closedBeforeReply(at now: Instant, _ actions: inout [Action]) {
    if let reply = connection.reply.reply(), case .error(let text) = reply.content {
      receivedError(text, isClosed: true, at: now, &actions)
    } else if connection.reply.isEmpty, configuration.version == .automatic, !usesVersion1, !hasFallenBack {
      // The next try is not a repetition, so only the least interval must pass before it.
      (hasFallenBack, usesVersion1, problem) = (true, true, .noAnswer)
      state = .pausing
    } else {
      if configuration.version == .automatic, !isVersion1Proven { usesVersion1 = false }
      fail(.noAnswer, isClosed: true, at: now, &actions)
    }
  }

  /// The reply says that corrections follow.
  mutating func beginStreaming(at now: Instant, _ actions: inout [Action]) {
    if connection.isVersion1, configuration.version == .automatic, !isVersion1Proven {
      isVersion1Proven = true
      hasUnstoredChange = true
    }
    state = .streaming(since: now)
    connection.reports.begin(at: now)
    sendPosition(at: now, &actions)
  }

  /// A frame has come in.
  mutating func receivedFrame(at now: Instant) {
    problem = nil
    connection.reports.receivedCorrections()
    if connection.reports.isProvenNeeded { hasProvenNeed = true }
  }

  mutating func receivedError(_ text: String, isClosed: Bool, at now: Instant, _ actions: inout [Action]) {
    // RTCM 10410.0, 2.2: `ERROR - Bad Password`.
    let letters = String(decoding: text.utf8.map { ASCII.lowercased($0) }, as: UTF8.self)
    if letters.holds("password") || letters.holds("unauthori") {
      stop(.unauthorized(401), isClosed: isClosed, &actions)
    } else {
      fail(.error(text), isClosed: isClosed, at: now, &actions)
    }
  }

  /// The connection is of no use, and another one will be made.
  mutating func fail(
    _ problem: NTRIPProblem, isClosed: Bool = false, at now: Instant, _ actions: inout [Action]
  ) {
    if !isClosed { actions.append(.close) }
    self.problem = problem
    backOff.failed(at: now)
    hasUnstoredChange = true
    state = .pausing
  }

  /// No other connection will be made with this configuration.
  mutating func stop(_ problem: NTRIPProblem, isClosed: Bool, _ actions: inout [Action]) {
    if !isClosed { actions.append(.close) }
    refusal = problem
    hasUnstoredChange = true
    state = .stopped(problem)
  }
}
