import Geodesy

/// What a caster sends.
extension NTRIPSession {
  mutating func read(_ bytes: Span<UInt8>, at now: Instant, _ actions: inout [Action]) {
    switch state {
    case .asked: readReply(bytes, at: now, &actions)
    case .streaming, .listing: readBody(bytes, at: now, &actions)
    case .idle, .waitingForPosition, .connecting, .pausing, .stopped: break
    }
  }

  private mutating func readReply(_ bytes: Span<UInt8>, at now: Instant, _ actions: inout [Action]) {
    let found: (reply: CasterReply, body: Int)?
    do throws(CasterReplyError) {
      found = try connection.reply.push(bytes)
    } catch {
      return fail(.notACaster, at: now, &actions)
    }
    guard let found else { return }
    switch found.reply.content {
    case .corrections:
      if found.reply.isChunked { connection.chunks = ChunkReader() }
      beginStreaming(at: now, &actions)
      readBody(bytes.extracting(found.body..<bytes.count), at: now, &actions)
    case .sourceTable:
      if found.reply.isChunked { connection.chunks = ChunkReader() }
      state = .listing(since: now)
      readBody(bytes.extracting(found.body..<bytes.count), at: now, &actions)
    case .webPage: fail(.webPage, at: now, &actions)
    case .redirected(let status): fail(.redirected(status), at: now, &actions)
    case .refused(let status) where status == 401 || status == 403:
      stop(.unauthorized(status), isClosed: false, &actions)
    case .refused(404): stop(.noSuchMount([]), isClosed: false, &actions)
    case .refused(let status): fail(.refused(status), at: now, &actions)
    case .error(let text): receivedError(text, isClosed: false, at: now, &actions)
    case .encoded: fail(.encoded, at: now, &actions)
    }
  }

  private mutating func readBody(_ bytes: Span<UInt8>, at now: Instant, _ actions: inout [Action]) {
    guard connection.chunks != nil else { return readData(bytes, at: now, &actions) }
    var ranges: [Range<Int>] = []
    var isBad = false
    do throws(ChunkReader.Failure) {
      try connection.chunks?.push(bytes) { ranges.append($0) }
    } catch {
      isBad = true
    }
    for range in ranges {
      readData(bytes.extracting(range), at: now, &actions)
      guard isReading else { return }
    }
    if isBad {
      fail(.badChunks, at: now, &actions)
    } else if connection.chunks?.isEnded == true {
      if case .listing = state {
        endTable(isClosed: false, at: now, &actions)
      } else {
        fail(.connection(.closed), at: now, &actions)
      }
    }
  }

  /// Whether further data of the connection matters.
  private var isReading: Bool {
    switch state {
    case .streaming, .listing: true
    case .idle, .waitingForPosition, .connecting, .asked, .pausing, .stopped: false
    }
  }

  /// Data without the lengths of chunks.
  private mutating func readData(_ bytes: Span<UInt8>, at now: Instant, _ actions: inout [Action]) {
    if case .listing = state { return readTable(bytes, at: now, &actions) }
    if connection.beginning.count < NTRIPConnection.beginningLength, connection.lastFrameAt == nil {
      var count = 0
      while count < bytes.count, connection.beginning.count < NTRIPConnection.beginningLength {
        connection.beginning.append(bytes[count])
        count += 1
      }
      switch connection.recognized {
      case .table:
        state = .listing(since: now)
        let beginning = connection.beginning
        readTable(beginning.span, at: now, &actions)
        if case .listing = state { readTable(bytes.extracting(count..<bytes.count), at: now, &actions) }
        return
      case .page: return fail(.webPage, at: now, &actions)
      case nil: break
      }
    }
    readFrames(bytes, at: now, &actions)
  }

  private mutating func readFrames(_ bytes: Span<UInt8>, at now: Instant, _ actions: inout [Action]) {
    let count = actions.count
    connection.framer.push(bytes) { actions.append(.pass($0)) }
    if actions.count > count {
      if connection.receivedFrame(at: now) {
        backOff.succeeded()
        hasUnstoredChange = true
      }
      receivedFrame(at: now)
    }
    if connection.noise > Self.mostNoise { fail(.noCorrections, at: now, &actions) }
  }

  private mutating func readTable(_ bytes: Span<UInt8>, at now: Instant, _ actions: inout [Action]) {
    var mounts: [MountPoint] = []
    connection.table.push(bytes) { mounts.append($0) }
    for mount in mounts { connection.near.add(mount) }
    if connection.table.isEnded { endTable(isClosed: false, at: now, &actions) }
  }

  /// The list of mount points is complete, or as complete as it will be.
  mutating func endTable(isClosed: Bool, at now: Instant, _ actions: inout [Action]) {
    var mounts: [MountPoint] = []
    connection.table.finish { mounts.append($0) }
    for mount in mounts { connection.near.add(mount) }
    if connection.near.hasNamed {
      fail(.mountOffline, isClosed: isClosed, at: now, &actions)
    } else {
      let proposals = connection.near.entries.map {
        NTRIPProblem.Proposal(name: $0.mount.name, distance: $0.distance)
      }
      stop(.noSuchMount(proposals), isClosed: isClosed, &actions)
    }
  }
}
