internal import CLinux
package import Geodesy
import Glibc

/// Calls closures when descriptors are ready, deadlines pass and signals arrive, on the thread that runs it; asleep
/// otherwise, with no wakeup of its own.
package final class EventLoop {
  private struct Watch {
    let number: UInt64
    var interest: Interest
    var isPaused = false
    let descriptor: Int32
    let body: (Readiness) -> Void
  }

  /// The time of this turn: read once when the kernel returns, so that all that happens in a turn happens at one time.
  package private(set) var now: Instant
  /// How often the kernel has returned.
  package private(set) var wakeups = 0

  private let epoll: OwnedDescriptor
  private let timer: OwnedDescriptor
  /// By number, which only grows: halved in search of one, which costs less than hashing, and a program's start much less.
  private var watches: [Watch] = []
  private var timers = TimerQueue()
  private var armedDeadline: Instant?
  private var nextWatch: UInt64 = EventLoop.timerNumber + 1
  private var isStopped = false
  private var signals: [SignalDescriptor] = []
  /// What the kernel has told this turn; kept, as every turn would make them anew.
  private var readyNumbers = [UInt64](repeating: 0, count: EventLoop.batchSize)
  private var readyEvents = [UInt32](repeating: 0, count: EventLoop.batchSize)

  private static let timerNumber: UInt64 = 0
  /// Events taken from the kernel at once; what does not fit comes with the next turn.
  private static let batchSize = 64

  /// A loop with nothing to wait for.
  ///
  /// A reader that goes is an error of the write: this process ignores SIGPIPE from now on.
  ///
  /// - Parameter ownsProcess: `false` in a program of others, which ends by SIGPIPE as it always did; only the calling
  ///   thread, which is to run the loop, does not hear the signal.
  package init(ownsProcess: Bool = true) throws(SystemError) {
    if ownsProcess { BrokenPipeSignal.ignore() } else { try BrokenPipeSignal.block() }
    epoll = OwnedDescriptor(rawValue: try SystemCall.run("epoll_create1") { epoll_create1(Int32(EPOLL_CLOEXEC)) })
    let flags = Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK)
    timer = OwnedDescriptor(rawValue: try SystemCall.run("timerfd_create") { timerfd_create(CLOCK_BOOTTIME, flags) })
    now = MonotonicClock.now()
    // Told once a deadline: nothing to read from it, arming it anew is what acknowledges it.
    let once = EPOLLIN.rawValue | EPOLLET.rawValue
    try control(EPOLL_CTL_ADD, timer.rawValue, events: once, number: Self.timerNumber)
  }

  // MARK: Descriptors

  /// Calls `body` whenever `fd` is ready for `interest`, until `unwatch`, which has to come before `fd` closes.
  /// A descriptor can be watched once; ordinary files cannot.
  package func watch(
    _ fd: Int32, for interest: Interest = .readable, _ body: @escaping (Readiness) -> Void
  ) throws(SystemError) -> WatchID {
    let number = nextWatch
    try control(EPOLL_CTL_ADD, fd, events: interest.events, number: number)
    nextWatch += 1
    watches.append(Watch(number: number, interest: interest, descriptor: fd, body: body))
    return WatchID(number: number)
  }

  /// Waits for something else from now on; a paused watch stays paused.
  package func change(_ id: WatchID, to interest: Interest) {
    guard let index = index(of: id.number), watches[index].interest != interest else { return }
    watches[index].interest = interest
    if !watches[index].isPaused { modify(watches[index], interest) }
  }

  /// Leaves what arrives in the kernel until `resume`. A hang-up or an error is still reported, once.
  package func pause(_ id: WatchID) {
    guard let index = index(of: id.number), !watches[index].isPaused else { return }
    watches[index].isPaused = true
    modify(watches[index], [])
  }

  /// Ends a pause; what arrived meanwhile is reported in the next turn.
  package func resume(_ id: WatchID) {
    guard let index = index(of: id.number), watches[index].isPaused else { return }
    watches[index].isPaused = false
    modify(watches[index], watches[index].interest)
  }

  /// Forgets a watch. Its body is not called any more, not even for what this turn has already brought.
  package func unwatch(_ id: WatchID) {
    guard let index = index(of: id.number) else { return }
    let watch = watches.remove(at: index)
    // Fails only where the descriptor was closed too early, and then there is nothing left to remove.
    _ = clinux_epoll_control(epoll.rawValue, EPOLL_CTL_DEL, watch.descriptor, 0, 0)
  }

  // MARK: Deadlines

  /// Calls `body` once, when `deadline` has passed; in the next turn at the earliest.
  @discardableResult
  package func schedule(at deadline: Instant, _ body: @escaping () -> Void) -> TimerID {
    timers.insert(at: deadline, body)
  }

  /// Moves a deadline; `false` where the timer has fired or was cancelled, and nothing happens.
  @discardableResult
  package func reschedule(_ id: TimerID, at deadline: Instant) -> Bool { timers.move(id, to: deadline) }

  /// Forgets a timer, also one whose deadline has passed in this turn.
  package func cancel(_ id: TimerID) { timers.remove(id) }

  // MARK: Signals

  /// Calls `body` with each signal of `signals` that arrives. They are blocked in the calling thread, so call this before
  /// other threads start; processes started later inherit the block.
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

  /// Serves until `stop`; can be run again after that.
  package func run() throws(SystemError) {
    // A timer's one event may have been left out when the last run was stopped.
    armedDeadline = nil
    while !isStopped { try turn() }
    isStopped = false
  }

  /// Ends `run` (the next one, where none is running) before any further callback; nothing that is ready gets lost.
  package func stop() { isStopped = true }

  /// Whether `stop` was called and `run` has not ended yet: a callback with much to do had better leave it.
  package var isStopping: Bool { isStopped }

  private func turn() throws(SystemError) {
    try arm()
    let count = try SystemCall.run("epoll_wait") {
      unsafe clinux_epoll_wait(epoll.rawValue, &readyNumbers, &readyEvents, Int32(Self.batchSize))
    }
    wakeups &+= 1
    now = MonotonicClock.now()
    // Descriptors before deadlines: bytes that came in time may move the deadline that waits for them.
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

  /// One kernel timer for the earliest deadline, touched only when that changes.
  private func arm() throws(SystemError) {
    let deadline = timers.nextDeadline
    guard deadline != armedDeadline else { return }
    // 0 would disarm; a deadline in the past fires at once.
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
    // Fails only where the descriptor was closed before `unwatch`; then it reports nothing any more either way.
    _ = clinux_epoll_control(epoll.rawValue, EPOLL_CTL_MOD, watch.descriptor, interest.events, watch.number)
  }

  private func control(
    _ operation: Int32, _ fd: Int32, events: UInt32, number: UInt64
  ) throws(SystemError) {
    try SystemCall.run("epoll_ctl") { clinux_epoll_control(epoll.rawValue, operation, fd, events, number) }
  }
}

/// What the kernel reports about a watched descriptor.
package struct Readiness: Hashable, Sendable {
  /// A read would not block: there are bytes, a connection, or the end.
  package var readable = false
  /// A write would not block.
  package var writable = false
  /// The other side is gone, or the device was unplugged.
  package var hangUp = false
  /// The descriptor is in error; the next read or write says which.
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

/// What a watch waits for; hang-up and error are always reported.
package struct Interest: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Wait for something to read.
  package static let readable = Interest(rawValue: 1)
  /// Wait for room to write.
  package static let writable = Interest(rawValue: 2)

  var events: UInt32 {
    // The kernel reports a hang-up even to a watch that waits for nothing, again and again. Once is enough: ONESHOT.
    guard !isEmpty else { return EPOLLONESHOT.rawValue }
    return (contains(.readable) ? EPOLLIN.rawValue : 0) | (contains(.writable) ? EPOLLOUT.rawValue : 0)
  }
}

/// Names one watch of an event loop; never used again after it.
package struct WatchID: Hashable, Sendable { let number: UInt64 }

/// Names one timer of an event loop; never used again after it.
package struct TimerID: Hashable, Sendable { let number: UInt64 }
