import BusMessages
import Geodesy
import GeoClueBridge
import LinuxIO
import LocationIPC
import LocationPolicy
import LocationdClient
import SystemBus

/// Passes the messages of the bus and the events of the service to the bridge, and carries out its actions.
final class BridgeSession {
  private let bus: SystemBus
  private let loop: EventLoop
  private var bridge: GeoClueBridge
  private var watch: WatchID?
  private lazy var timer = EarliestTimer(loop) { [unowned self] in handle(.wake) }
  private var pending: [CallNumber: PendingCall] = [:]
  private var nextCall: UInt64 = 0
  /// The connections that have called, until they end.
  private var callers: [String: BusCaller] = [:]
  /// The calls to agents that are not answered yet.
  private var agentCalls: [UInt64: String] = [:]
  private var services: [Int: CallerService] = [:]
  /// Closed connections, which live to the end of the turn: one of them may be delivering an event now.
  private var closed: [CallerService] = []
  /// Inputs in the order in which they came: an action may cause one before the next action is carried out.
  private var inputs: [BridgeInput] = []
  private var isHandling = false
  private var sources: SourceWatch?
  /// Why the loop was stopped; `nil`: nobody needs the bridge, or a signal came.
  private(set) var problem: SystemBusError?

  init(_ bus: SystemBus, _ loop: EventLoop) {
    (self.bus, self.loop) = (bus, loop)
    bridge = GeoClueBridge(at: MonotonicClock.now())
  }

  /// Starts to receive messages.
  func begin() throws {
    for rule in BusCaller.rules { try bus.match(rule) }
    watch = try loop.watch(bus.descriptor) { [unowned self] _ in receive() }
    // Messages that arrived during the connection are in memory, and do not wake the loop.
    loop.schedule(at: loop.now) { [unowned self] in receive() }
    sources = SourceWatch(loop) { [unowned self] in handle(.available($0)) }
    arm()
  }

  // MARK: - The bus

  private func receive() {
    do throws(SystemBusError) {
      while !loop.isStopping, let message = try bus.next() { try receive(message) }
    } catch {
      stop(error)
    }
    listen()
  }

  private func receive(_ message: ReceivedMessage) throws(SystemBusError) {
    switch message {
    case .call(let call, let sender, let reply):
      guard let caller = try caller(sender) else { return }
      nextCall += 1
      let number = CallNumber(nextCall)
      pending[number] = reply
      handle(.call(number, call, from: sender, userID: caller.userID, isSandboxed: caller.isSandboxed))
    case .unreadableCall(let reply): try bus.answer(reply, .invalidArguments("The arguments cannot be read"))
    case .signal(let signal, let sender) where sender == SystemBus.busName: receiveOfBus(signal)
    case .signal(let signal, let sender): handle(.signal(signal, from: sender))
    case .answer(let number, let values, let sender):
      guard let agent = agentCalls[number], agent == sender || sender == SystemBus.busName else { return }
      agentCalls[number] = nil
      handle(.agentProperties(values, from: agent))
    }
  }

  /// The process of a connection, from the bus; `nil`: the connection has ended.
  private func caller(_ name: String) throws(SystemBusError) -> BusCaller? {
    if let known = callers[name] { return known }
    guard let values = try bus.askBus("GetConnectionCredentials", [.string(name)]),
      let caller = BusCaller(values.first?.entries ?? [:])
    else { return nil }
    callers[name] = caller
    return caller
  }

  private func receiveOfBus(_ signal: BusSignal) {
    guard signal.member == "NameOwnerChanged", signal.arguments.count == 3, let name = signal.arguments[0].text,
      signal.arguments[2].text == "", callers.removeValue(forKey: name) != nil
    else { return }
    for (number, agent) in agentCalls where agent == name { agentCalls[number] = nil }
    handle(.left(name))
  }

  /// Waits until the socket is writable as long as messages are queued.
  private func listen() {
    if let watch { loop.change(watch, to: bus.waitsToWrite ? [.readable, .writable] : .readable) }
  }

  private func stop(_ error: SystemBusError? = nil) {
    problem = problem ?? error
    loop.stop()
  }

  // MARK: - The bridge

  private func handle(_ input: BridgeInput) {
    inputs.append(input)
    guard !isHandling else { return }
    isHandling = true
    while !inputs.isEmpty {
      for action in bridge.handle(inputs.removeFirst(), at: MonotonicClock.now()) { carryOut(action) }
    }
    isHandling = false
    listen()
    arm()
  }

  private func carryOut(_ action: BridgeAction) {
    do throws(SystemBusError) {
      try perform(action)
    } catch {
      stop(error)
    }
  }

  private func perform(_ action: BridgeAction) throws(SystemBusError) {
    switch action {
    case .answer(let number, let values):
      if let call = pending.removeValue(forKey: number) { try bus.answer(call, values) }
    case .fail(let number, let error):
      if let call = pending.removeValue(forKey: number) { try bus.answer(call, error) }
    case .emit(let signal, let destination): try bus.emit(signal, to: destination)
    case .readAgent(let name):
      let call = BusCall(
        path: GeoClue.agentPath, interface: StandardInterface.properties, member: "GetAll",
        [.string(GeoClue.agentInterface)])
      agentCalls[try bus.send(call, to: name)] = name
    case .open(let client, let owner, let name, let isReduced): open(client, owner, name, isReduced)
    case .ask(let client): services[client]?.ask()
    case .update(let client, let isReduced): services[client]?.update(isReduced: isReduced)
    case .close(let client): close(client)
    case .exit: stop()
    }
  }

  private func close(_ client: Int) {
    guard let service = services.removeValue(forKey: client) else { return }
    service.close()
    if closed.isEmpty { loop.schedule(at: loop.now) { [unowned self] in closed = [] } }
    closed.append(service)
  }

  private func open(_ client: Int, _ owner: String, _ name: String, _ isReduced: Bool) {
    // Answers come within a later turn, after the actions of this one.
    let service = callers[owner].flatMap { caller in
      CallerService(loop, caller.onBehalf(isReduced: isReduced), name: name) { [unowned self] event in
        handle(event.input(for: client))
      }
    }
    services[client] = service
    sources?.refresh()
    guard service == nil else { return }
    loop.schedule(at: loop.now) { [unowned self] in handle(.failed(client: client, isUnreachable: true)) }
  }

  private func arm() {
    if let deadline = bridge.nextDeadline { timer.arm(for: deadline) } else { timer.cancel() }
  }
}
