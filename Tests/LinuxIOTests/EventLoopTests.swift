import Geodesy
import Glibc
import LinuxIO
import Testing

@Suite struct EventLoopTests {
  @Test func reportsBytes() throws {
    let loop = try EventLoop()
    let pipe = try Pipe()
    let fd = pipe.reader.rawValue
    var seen: [Readiness] = []
    _ = try loop.watch(fd) {
      seen.append($0); loop.stop()
    }
    pipe.send()
    try loop.runGuarded()
    #expect(seen == [Readiness(readable: true)])
  }

  @Test func reportsAHangUpOnceToAPausedWatch() throws {
    let loop = try EventLoop()
    let terminal = try PluggedTerminal()
    let port = try SerialPort.open(path: terminal.path, baud: nil)
    var seen: [Readiness] = []
    let id = try loop.watch(port.descriptor) {
      seen.append($0)
      loop.schedule(at: loop.now + .milliseconds(40)) { loop.stop() }
    }
    loop.pause(id)
    loop.schedule(at: loop.now) { terminal.unplug() }
    try loop.run()
    #expect(seen.map(\.hangUp) == [true])
    // The hang-up persists, and must not keep the loop awake: one return for each timer, one for the hang-up.
    #expect(loop.wakeups == 3)
  }

  /// Data that waited while the loop was busy is late; an event for which the loop waited is not.
  @Test func measuresHowLongEventsHaveWaited() throws {
    let loop = try EventLoop()
    loop.measuresLateness = true
    let pipe = try Pipe()
    var lateness: [Duration] = []
    pipe.send()
    _ = try loop.watch(pipe.reader.rawValue) { _ in
      lateness.append(loop.lateness)
      loop.stop()
    }
    try loop.runGuarded()
    #expect(try #require(lateness.first) > .zero)
    let idle = try EventLoop()
    idle.measuresLateness = true
    idle.schedule(at: idle.now + .milliseconds(50)) { idle.stop() }
    try idle.runGuarded()
    #expect(idle.lateness == .zero)
  }

  @Test func isSilentWhenIdle() throws {
    let loop = try EventLoop()
    let pipe = try Pipe()
    _ = try loop.watch(pipe.reader.rawValue) { _ in Issue.record("nothing to read") }
    let cancelled = loop.schedule(at: loop.now + .milliseconds(10)) { Issue.record("cancelled") }
    let moved = loop.schedule(at: loop.now + .milliseconds(5)) { loop.stop() }
    loop.cancel(cancelled)
    #expect(loop.reschedule(moved, at: loop.now + .milliseconds(50)))
    try loop.run()
    #expect(loop.wakeups == 1)
  }

  @Test func keepsWhatComesInAPauseUntilResume() throws {
    let loop = try EventLoop()
    let pipe = try Pipe()
    var order: [String] = []
    let id = try loop.watch(pipe.reader.rawValue) { _ in
      order.append("bytes"); loop.stop()
    }
    pipe.send()
    loop.pause(id)
    loop.schedule(at: loop.now + .milliseconds(5)) {
      order.append("resume"); loop.resume(id)
    }
    try loop.runGuarded()
    #expect(order == ["resume", "bytes"])
  }

  @Test func firesTimersInOrder() throws {
    let loop = try EventLoop()
    let start = loop.now
    var fired: [Int] = []
    for (number, delay) in [(3, 9), (1, 3), (2, 6), (20, 6), (0, -5)] {
      loop.schedule(at: start + .milliseconds(delay)) { fired.append(number) }
    }
    loop.schedule(at: start + .milliseconds(10)) { loop.stop() }
    try loop.runGuarded()
    #expect(fired == [0, 1, 2, 20, 3])
    #expect(loop.now >= start + .milliseconds(10))
  }

  @Test func cancelsAndMovesTimersFromTheirCallbacks() throws {
    let loop = try EventLoop()
    let due = loop.now
    var fired: [String] = []
    var ids: [TimerID] = []
    loop.schedule(at: due) {
      fired.append("first")
      // Both timers are due in the current turn.
      loop.cancel(ids[0])
      #expect(loop.reschedule(ids[1], at: loop.now + .milliseconds(1)))
    }
    ids.append(loop.schedule(at: due) { Issue.record("cancelled") })
    ids.append(
      loop.schedule(at: due) {
        fired.append("moved"); loop.stop()
      })
    ids.append(loop.schedule(at: due) { fired.append("third") })
    try loop.runGuarded()
    #expect(fired == ["first", "third", "moved"])
    #expect(!loop.reschedule(ids[2], at: due))
  }

  @Test func aTimerSetForNowDoesNotStarveDescriptors() throws {
    let loop = try EventLoop()
    let pipe = try Pipe()
    _ = try loop.watch(pipe.reader.rawValue) { _ in loop.stop() }
    var turns = 0
    func again() {
      turns += 1
      if turns == 3 { pipe.send() }
      #expect(turns < 10)
      if turns < 10 { loop.schedule(at: loop.now) { again() } }
    }
    loop.schedule(at: loop.now) { again() }
    try loop.runGuarded()
    #expect(turns == 3)
  }

  @Test func findsEachOfManyWatchesWhicheverHaveGone() throws {
    let loop = try EventLoop()
    let pipes = try (0..<9).map { _ in try SharedPipe() }
    var seen: Set<Int> = []
    var watches: [WatchID] = []
    for (index, pipe) in pipes.enumerated() {
      watches.append(
        try loop.watch(pipe.ends.reader.rawValue) { _ in
          loop.pause(watches[index])
          seen.insert(index)
          if seen.count == 6 { loop.stop() }
        })
    }
    for index in [0, 4, 8] { loop.unwatch(watches[index]) }
    for pipe in pipes { pipe.ends.send() }
    try loop.runGuarded()
    #expect(seen == [1, 2, 3, 5, 6, 7])
  }

  @Test func toleratesUnwatchingWithinABatch() throws {
    let loop = try EventLoop()
    let a = try Pipe()
    let b = try Pipe()
    var ids: [WatchID] = []
    var called = 0
    // Both are ready in one batch; whichever comes first removes both, including itself.
    let body: (Readiness) -> Void = { _ in
      called += 1
      ids.forEach(loop.unwatch)
      loop.schedule(at: loop.now + .milliseconds(1)) { loop.stop() }
    }
    ids.append(try loop.watch(a.reader.rawValue, body))
    ids.append(try loop.watch(b.reader.rawValue, body))
    a.send()
    b.send()
    try loop.runGuarded()
    #expect(called == 1)
    // An outdated ID has no effect.
    loop.resume(ids[0])
    loop.change(ids[0], to: .writable)
  }

  @Test func changesWhatAWatchWaitsFor() throws {
    let loop = try EventLoop()
    let pipe = try Pipe()
    var seen: [Readiness] = []
    var id: WatchID?
    id = try loop.watch(pipe.writer.rawValue, for: .writable) {
      seen.append($0)
      if let id { loop.change(id, to: []) }
      loop.schedule(at: loop.now + .milliseconds(1)) { loop.stop() }
    }
    try loop.runGuarded()
    #expect(seen == [Readiness(writable: true)])
  }

  @Test func receivesSignals() throws {
    let loop = try EventLoop()
    var seen: [Int32] = []
    try loop.watchSignals([SIGUSR1, SIGUSR2]) {
      seen.append($0)
      if seen.count == 2 { loop.stop() }
    }
    // Only to this thread, because the other threads of the test process have not blocked these signals.
    raise(SIGUSR2)
    raise(SIGUSR1)
    try loop.runGuarded()
    #expect(Set(seen) == [SIGUSR1, SIGUSR2])
  }

  @Test func stopsBeforeFurtherCallbacksAndRunsAgain() throws {
    let loop = try EventLoop()
    var fired = 0
    for _ in 0..<2 {
      loop.schedule(at: loop.now) {
        fired += 1; loop.stop()
      }
    }
    try loop.runGuarded()
    #expect(fired == 1)
    try loop.runGuarded()
    #expect(fired == 2)
    loop.stop()
    try loop.run()
    #expect(fired == 2)
  }

  @Test func refusesWhatCannotBeWatched() throws {
    let loop = try EventLoop()
    #expect(throws: SystemError(operation: "epoll_ctl", errno: EBADF)) { _ = try loop.watch(-1) { _ in } }
    let folder = try TemporaryFolder()
    let fd = unsafe open(folder.path + "/file", O_CREAT | O_RDONLY, 0o600)
    let file = OwnedDescriptor(rawValue: fd)
    #expect(throws: SystemError(operation: "epoll_ctl", errno: EPERM)) { _ = try loop.watch(file.rawValue) { _ in } }
  }
}
