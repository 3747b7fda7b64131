import Geodesy
import LinuxDevices
import LinuxIO
package import LocationIPC
package import LocationdService

/// The devices that the machine's owner has moved from gpsd to this service, and the handovers in progress.
package final class DeviceOwnership {
  private let loop: EventLoop
  private unowned let runner: ServiceRunner
  private let neighbour: GPSDOwnership
  private unowned let observer: any OwnershipObserver
  private let store: DeviceListStore
  private var owned: DeviceList
  /// The control socket of gpsd, if it is configured; `nil` for one of the usual sockets.
  package var controlSocket: String?
  /// The handovers in progress, by stable ID.
  private var courses: [String: Course] = [:]

  /// A handover of a device, and the requests that wait for its result.
  private final class Course {
    var handover: Handover
    /// The device as the service's core knows it.
    var device: DetectedDevice
    var control: GPSDControl?
    var timer: TimerID?
    var answers: [(LocationFailure?) -> Void] = []
    /// The event that was logged last.
    var lastEvent: DeviceEvent?

    init(_ handover: Handover, _ device: DetectedDevice) {
      self.handover = handover
      self.device = device
    }
  }

  /// - Parameter stateFolder: `nil` to store nothing.
  init(
    loop: EventLoop, runner: ServiceRunner, stateFolder: String?, neighbour: GPSDOwnership,
    observer: any OwnershipObserver
  ) {
    self.loop = loop
    self.runner = runner
    self.neighbour = neighbour
    self.observer = observer
    store = DeviceListStore(.owned, folder: stateFolder ?? DeviceSource.noFolder)
    owned = store.load()
  }

  func isOwned(_ id: String) -> Bool { owned.contains(id) }

  /// Whether there is neither a stored choice nor a handover in progress.
  var isEmpty: Bool { owned.identifiers.isEmpty && courses.isEmpty }

  /// Whether the owner of any device is being determined.
  var isUndecided: Bool { courses.values.contains { $0.handover.isUndecided } }

  /// The device nodes that are known only by their path, and that belong to the service or are being handed over to
  /// gpsd.
  var nodes: [String] {
    let leaving = courses.values.filter { $0.handover.owner == .gpsd }.map(\.device.path).sorted()
    return (owned.identifiers + leaving.filter { !owned.contains($0) }).filter { $0.hasPrefix("/") }
  }

  /// The device with its current owner; `nil` if the owner is being determined: `ownersChanged` follows.
  ///
  /// - Parameter id: the stable ID, under which the choice is stored.
  func placed(_ detectedDevice: DetectedDevice, as id: String) -> DetectedDevice? {
    var detectedDevice = detectedDevice
    detectedDevice.isOwned = owned.contains(id)
    let route = neighbour.route(to: detectedDevice.path)
    if detectedDevice.isOwned, route != nil, courses[id] == nil {
      courses[id] = Course(Handover(to: .locationd), detectedDevice)
      handle(.listed(true), to: id)
    }
    guard let course = courses[id] else { return route.map(detectedDevice.owned) ?? detectedDevice }
    course.device = detectedDevice
    if course.handover.isUndecided { return nil }
    if let route { return detectedDevice.owned(by: route) }
    detectedDevice.isLeaving = course.handover.isLeaving
    return detectedDevice
  }

  /// Stores the choice of a device's owner and starts the handover; `answer` is called with the result.
  package func set(
    _ owner: DeviceOwner, of device: DetectedDevice, as id: String, _ answer: @escaping (LocationFailure?) -> Void
  ) {
    do throws(SystemError) {
      owned = try store.set(id, owner == .locationd)
    } catch {
      return answer(.cannotStore(path: store.path, errno: error.errno))
    }
    forget(id)
    let course = Course(.chosen(owner), device)
    course.answers = [answer]
    courses[id] = course
    // The owner may have changed since gpsd's last answer.
    neighbour.ask()
  }

  /// Loads the choices that other processes have stored in the meantime.
  func reload() {
    owned = store.load()
    for (id, course) in courses where course.handover.owner == .locationd && !owned.contains(id) { forget(id) }
  }

  /// Ends a handover because the device was unplugged, its owner was chosen again, or no gpsd runs that could take it.
  func forget(_ id: String) {
    guard let course = courses.removeValue(forKey: id) else { return }
    if let timer = course.timer { loop.cancel(timer) }
    // The choice is stored, and takes effect when the device is plugged in again.
    for answer in course.answers { answer(nil) }
  }

  /// Called when gpsd has sent its list again, or is not running.
  func listChanged() {
    for (id, course) in courses {
      let isListed = neighbour.route(to: course.device.path) != nil
      handle(.listed(isListed), to: id)
      // Without a running gpsd the device cannot be handed over to it.
      if course.handover.isLeaving, !neighbour.isPresent, course.answers.isEmpty { forget(id) }
    }
  }

  // MARK: -

  /// Called when a port that was open or was being opened may have been closed.
  func portMayHaveClosed() {
    for (id, course) in courses where !runner.holdsPort(of: course.device.id) { handle(.portClosed, to: id) }
  }

  private func handle(_ input: Handover.Input, to id: String) {
    guard let course = courses[id] else { return }
    for action in course.handover.handle(input, at: loop.now) {
      switch action {
      case .leave:
        observer.ownersChanged()
        if !runner.holdsPort(of: course.device.id) { handle(.portClosed, to: id) }
      case .ask: ask(course, id)
      case .listDevices: neighbour.ask()
      case .concluded(let problem): conclude(course, id, problem)
      }
    }
    arm(course, id)
  }

  private func ask(_ course: Course, _ id: String) {
    let path = course.device.path
    guard let gpsd = neighbour.address else { return handle(.answered(.unminded), to: id) }
    guard gpsd.isLocal else { return handle(.answered(.elsewhere(gpsd: gpsd.text)), to: id) }
    let command: GPSDControlCommand =
      switch course.handover.owner {
      // The name under which gpsd lists the device.
      case .locationd: .remove(neighbour.route(to: path)?.device ?? path)
      case .gpsd: .add(path)
      }
    let socket = gpsd.controlSocket ?? controlSocket
    course.control = GPSDControl(
      loop: loop, sockets: socket.map { [$0] } ?? GPSDControl.usualSockets, command
    ) { [unowned self, unowned course] answer in
      course.control = nil
      handle(.answered(HandoverProblem(answer)), to: id)
    }
  }

  private func conclude(_ course: Course, _ id: String, _ problem: HandoverProblem?) {
    let owner = course.handover.owner
    let event = DeviceEvent.handedOver(path: course.device.path, to: owner, problem)
    if course.handover.hasAsked, course.lastEvent != event {
      course.lastEvent = event
      runner.report(event)
    }
    // The device belongs to gpsd again, like any other of gpsd's devices.
    if owner == .gpsd, problem == nil { courses[id] = nil }
    observer.ownersChanged()
    let answers = course.answers
    course.answers = []
    for answer in answers { answer(problem.map { .notHandedOver(path: course.device.path, to: owner, $0) }) }
  }

  private func arm(_ course: Course, _ id: String) {
    if let timer = course.timer { loop.cancel(timer) }
    course.timer = nil
    guard courses[id] === course, let deadline = course.handover.nextDeadline else { return }
    course.timer = loop.schedule(at: deadline) { [unowned self, unowned course] in
      course.timer = nil
      handle(.wake, to: id)
    }
  }
}

/// Reports devices to the service, with their current owners.
protocol OwnershipObserver: AnyObject {
  /// Called when the owner of a device may have changed.
  func ownersChanged()
  /// Called when gpsd has sent its list, or is not running.
  func gpsdAnswered()
}

extension HandoverProblem {
  /// The meaning of gpsd's answer for a client; `nil` if gpsd has executed the command.
  init?(_ answer: GPSDControlAnswer) {
    switch answer {
    case .done: return nil
    case .refused: self = .refused
    case .denied(let socket): self = .denied(socket: socket)
    case .noSocket(let socket): self = .noSocket(socket)
    case .noAnswer: self = .noAnswer
    }
  }
}
