internal import CLinux
package import Geodesy
import Glibc

/// Calls closures when descriptors are ready, deadlines pass and signals arrive, on the thread that runs the loop. The
/// thread sleeps otherwise, and the loop causes no wakeups of its own.
package final class EventLoop {
  private struct Watch {
    let number: UInt64
    var interest: Interest
    var isPaused = false
    let descriptor: Int32
    let body: (Readiness) -> Void
  }

  /// The time of this turn, read once when the kernel returns, so that all events of a turn have the same time.
  package private(set) var now: Instant
  /// Whether `lateness` is measured, which costs one more reading of the clock per turn.
  package var measuresLateness = false
  /// The longest time for which the events of this turn can have waited because the loop was busy: zero if the loop was waiting when
  /// they came, otherwise the time since its previous wake-up.
  package private(set) var lateness: Duration = .zero
  /// How often the kernel has returned from waiting.
  package private(set) var wakeups = 0

  private let epoll: OwnedDescriptor
  private let timer: OwnedDescriptor
  /// Sorted by number: each new number is greater than all earlier ones. Binary search costs less than hashing, and
  /// much less at a program's start.
  private var watches: [Watch] = []
  private var timers = TimerQueue()
  private var armedDeadline: Instant?
  private var nextWatch: UInt64 = EventLoop.timerNumber + 1
  private var isStopped = false
  private var signals: [SignalDescriptor] = []
  /// The events of this turn, in arrays that are reused to avoid an allocation per turn.
  private var readyNumbers = [UInt64](repeating: 0, count: EventLoop.batchSize)
  private var readyEvents = [UInt32](repeating: 0, count: EventLoop.batchSize)

  private static let timerNumber: UInt64 = 0
  /// A wait that ends before this has found its events ready.
  private static let shortestWait: Duration = .microseconds(20)
  /// Maximum number of events per turn; the rest comes with the next turn.
  private static let batchSize = 64

  /// Creates a loop that waits for nothing.
  ///
  /// A write to a closed pipe or socket is an error: this process ignores SIGPIPE from now on.
  ///
  /// - Parameter ownsProcess: `false` in a host program, which keeps its SIGPIPE behavior; the signal is blocked only in
  ///   the calling thread, which has to run the loop.
  package init(ownsProcess: Bool = true) throws(SystemError) {
    if ownsProcess { BrokenPipeSignal.ignore() } else { try BrokenPipeSignal.block() }
    epoll = OwnedDescriptor(rawValue: try SystemCall.run("epoll_create1") { epoll_create1(Int32(EPOLL_CLOEXEC)) })
    let flags = Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK)
    timer = OwnedDescriptor(rawValue: try SystemCall.run("timerfd_create") { timerfd_create(CLOCK_BOOTTIME, flags) })
    now = MonotonicClock.now()
    // Edge-triggered: one event per deadline. There is nothing to read; arming the timer again acknowledges it.
    let once = EPOLLIN.rawValue | EPOLLET.rawValue
    try control(EPOLL_CTL_ADD, timer.rawValue, events: once, number: Self.timerNumber)
  }

  // MARK: Descriptors

  /// Calls `body` whenever `fd` is ready for `interest`, until `unwatch`, which must be called before `fd` is closed. A
  /// descriptor can be watched once; ordinary files cannot be watched.
  package func watch(
    _ fd: Int32, for interest: Interest = .readable, _ body: @escaping (Readiness) -> Void
  ) throws(SystemError) -> WatchID {
    let number = nextWatch
    try control(EPOLL_CTL_ADD, fd, events: interest.events, number: number)
    nextWatch += 1
    watches.append(Watch(number: number, interest: interest, descriptor: fd, body: body))
    return WatchID(number: number)
  }

  /// Changes the interest; a paused watch stays paused.
  package func change(_ id: WatchID, to interest: Interest) {
    guard let index = index(of: id.number), watches[index].interest != interest else { return }
    watches[index].interest = interest
    if !watches[index].isPaused { modify(watches[index], interest) }
  }

  /// Leaves arriving data in the kernel until `resume`. A hang-up or an error is still reported once.
  package func pause(_ id: WatchID) {
    guard let index = index(of: id.number), !watches[index].isPaused else { return }
    watches[index].isPaused = true
    modify(watches[index], [])
  }

  /// Ends a pause; data that arrived in the meantime is reported in the next turn.
  package func resume(_ id: WatchID) {
    guard let index = index(of: id.number), watches[index].isPaused else { return }
    watches[index].isPaused = false
    modify(watches[index], watches[index].interest)
  }

  /// Removes a watch. Its body is not called any more, not even for events of the current turn.
  package func unwatch(_ id: WatchID) {
    guard let index = index(of: id.number) else { return }
    let watch = watches.remove(at: index)
    // Fails only if the descriptor was closed too early, and then there is nothing left to remove.
    _ = clinux_epoll_control(epoll.rawValue, EPOLL_CTL_DEL, watch.descriptor, 0, 0)
  }

  // MARK: Deadlines

  /// Calls `body` once, after `deadline`, and never from within this call. If the body of another timer calls this, the
  /// next turn is the earliest.
  @discardableResult
  package func schedule(at deadline: Instant, _ body: @escaping () -> Void) -> TimerID {
    timers.insert(at: deadline, body)
  }

  /// Moves a deadline; returns `false` and does nothing if the timer has fired or was canceled.
  @discardableResult
  package func reschedule(_ id: TimerID, at deadline: Instant) -> Bool { timers.move(id, to: deadline) }

  /// Cancels a timer, even if its deadline has passed in this turn.
  package func cancel(_ id: TimerID) { timers.remove(id) }

  // MARK: Signals

  /// Calls `body` with each signal of `signals` that arrives. The signals are blocked in the calling thread, so call this
  /// before other threads start. Processes that start later inherit the block, unless `ChildProcess.spawn` starts them.
  package func watchSignals(
    _ signals: [Int32], _ body: @escaping (Int32) -> Void
  ) throws(SystemError) {
    let descriptor = try SignalDescriptor(signals)
    _ = try watch(descriptor.rawValue) { _ in
      while let signal = descriptor.next() { body(signal) }
    }
    self.signals.append(descriptor)
  }

  // MARK: Running

  /// Runs until `stop`; can be called again after that.
  package func run() throws(SystemError) {
    // The single event of the timer may have been skipped when the last run was stopped.
    armedDeadline = nil
    while !isStopped { try turn() }
    isStopped = false
  }

  /// Ends `run` (the next one, if none is active) before any further callback; no ready event is lost.
  package func stop() { isStopped = true }

  /// Whether `stop` was called and `run` has not ended yet: a long callback should return early.
  package var isStopping: Bool { isStopped }

  private func turn() throws(SystemError) {
    try arm()
    let waitBegan = measuresLateness ? MonotonicClock.now() : nil
    let count = try SystemCall.run("epoll_wait") {
      unsafe clinux_epoll_wait(epoll.rawValue, &readyNumbers, &readyEvents, Int32(Self.batchSize))
    }
    wakeups &+= 1
    let before = now
    now = MonotonicClock.now()
    if let waitBegan { lateness = now - waitBegan < Self.shortestWait ? now - before : .zero }
    // Descriptors before deadlines: data that arrived in time may move the deadline of its timeout.
    for index in 0..<Int(count) where !isStopped {
      if readyNumbers[index] == Self.timerNumber {
        armedDeadline = nil
      } else if let watch = self.index(of: readyNumbers[index]) {
        let body = watches[watch].body
        body(Readiness(events: readyEvents[index]))
      }
    }
    let mark = timers.mark
    while !isStopped, let body = timers.takeDue(at: now, before: mark) { body() }
  }

  /// Sets the one kernel timer to the earliest deadline, if that has changed.
  private func arm() throws(SystemError) {
    let deadline = timers.nextDeadline
    guard deadline != armedDeadline else { return }
    // 0 would disarm the timer; a deadline in the past fires at once.
    let nanoseconds = deadline.map { max($0.nanoseconds, 1) } ?? 0
    try SystemCall.run("timerfd_settime") { clinux_timer_arm(timer.rawValue, nanoseconds) }
    armedDeadline = deadline
  }

  private func index(of number: UInt64) -> Int? {
    var range = 0..<watches.count
    while let middle = range.isEmpty ? nil : range.lowerBound + range.count / 2 {
      if watches[middle].number == number { return middle }
      range = watches[middle].number < number ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return nil
  }

  private func modify(_ watch: Watch, _ interest: Interest) {
    // Fails only if the descriptor was closed before `unwatch`; then it reports no more events either way.
    _ = clinux_epoll_control(epoll.rawValue, EPOLL_CTL_MOD, watch.descriptor, interest.events, watch.number)
  }

  private func control(
    _ operation: Int32, _ fd: Int32, events: UInt32, number: UInt64
  ) throws(SystemError) {
    try SystemCall.run("epoll_ctl") { clinux_epoll_control(epoll.rawValue, operation, fd, events, number) }
  }
}

/// The state of a watched descriptor, as the kernel reports it.
package struct Readiness: Hashable, Sendable {
  /// A read would not block: there is data, a connection, or the end of file.
  package var readable = false
  /// A write would not block.
  package var writable = false
  /// The peer has closed the connection, or the device was unplugged.
  package var hangUp = false
  /// The descriptor has an error, which the next read or write returns.
  package var error = false

  package init(readable: Bool = false, writable: Bool = false, hangUp: Bool = false, error: Bool = false) {
    self.readable = readable
    self.writable = writable
    self.hangUp = hangUp
    self.error = error
  }

  init(events: UInt32) {
    func has(_ flag: EPOLL_EVENTS) -> Bool { events & flag.rawValue != 0 }
    self.init(
      readable: has(EPOLLIN), writable: has(EPOLLOUT), hangUp: has(EPOLLHUP), error: has(EPOLLERR))
  }
}

/// The events that a watch waits for; hang-up and error are always reported.
package struct Interest: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Wait for something to read.
  package static let readable = Interest(rawValue: 1)
  /// Wait for room to write.
  package static let writable = Interest(rawValue: 2)

  var events: UInt32 {
    // The kernel reports a hang-up repeatedly, even to a watch without interest. ONESHOT limits that to one event.
    guard !isEmpty else { return EPOLLONESHOT.rawValue }
    return (contains(.readable) ? EPOLLIN.rawValue : 0) | (contains(.writable) ? EPOLLOUT.rawValue : 0)
  }
}

/// Identifies one watch of an event loop; never reused.
package struct WatchID: Hashable, Sendable { let number: UInt64 }

/// Identifies one timer of an event loop; never reused.
package struct TimerID: Hashable, Sendable { let number: UInt64 }
