import Geodesy
import LinuxDevices
package import LinuxIO
package import LocationIPC
package import LocationdService

/// Which devices the machine's owner has taken from gpsd for this service, and those that are on their way from one to the
/// other.
package final class DeviceOwnership {
  /// Called when some device may be another's than it was.
  var onChange: (() -> Void)?

  private let loop: EventLoop
  private unowned let runner: ServiceRunner
  private let neighbour: GPSDNeighbour
  private let store: DeviceListStore
  private var owned: DeviceList
  /// By the stable ID.
  private var courses: [String: Course] = [:]

  /// A device's way, and who waits for its end.
  private final class Course {
    var handover: Handover
    /// As the service's core knows it.
    var device: DeviceSighting
    var control: GPSDControl?
    var timer: TimerID?
    var answers: [(LocationFailure?) -> Void] = []
    /// What was logged last.
    var news: DeviceNews?

    init(_ handover: Handover, _ device: DeviceSighting) {
      self.handover = handover
      self.device = device
    }
  }

  /// - Parameter stateFolder: `nil`: nothing is remembered.
  package init(loop: EventLoop, runner: ServiceRunner, stateFolder: String?, neighbour: GPSDNeighbour) {
    self.loop = loop
    self.runner = runner
    self.neighbour = neighbour
    store = DeviceListStore(.owned, folder: stateFolder ?? "/dev/null/state")
    owned = store.load()
    runner.onPortClosed = { [unowned self] in portClosed() }
  }

  func isOwned(_ id: String) -> Bool { owned.contains(id) }

  /// Whether there is neither a choice nor a device under way.
  var isEmpty: Bool { owned.identifiers.isEmpty && courses.isEmpty }

  /// Whether of some device it is known only in a moment whose it is.
  var isUndecided: Bool { courses.values.contains { $0.handover.isUndecided } }

  /// The nodes of which nothing but their path is known, and that are the service's, or on their way to gpsd.
  var nodes: [String] {
    let leaving = courses.values.filter { $0.handover.owner == .gpsd }.map(\.device.path).sorted()
    return (owned.identifiers + leaving.filter { !owned.contains($0) }).filter { $0.hasPrefix("/") }
  }

  /// The device as whose it is now; `nil`: that is known in a moment, and told by `onChange`.
  ///
  /// - Parameter id: the stable ID, by which the choice is kept.
  func placed(_ sighting: DeviceSighting, as id: String) -> DeviceSighting? {
    var sighting = sighting
    sighting.isOwned = owned.contains(id)
    let route = neighbour.route(to: sighting.path)
    if sighting.isOwned, route != nil, courses[id] == nil {
      courses[id] = Course(Handover(to: .locationd), sighting)
      feed(.listed(true), to: id)
    }
    guard let course = courses[id] else { return route.map(sighting.owned) ?? sighting }
    course.device = sighting
    if course.handover.isUndecided { return nil }
    if let route { return sighting.owned(by: route) }
    sighting.isLeaving = course.handover.isLeaving
    return sighting
  }

  /// Writes down who is to have a device, and sees to it; `answer` is told when that is done, or why it is not.
  package func set(
    _ owner: DeviceOwner, of device: DeviceSighting, as id: String, _ answer: @escaping (LocationFailure?) -> Void
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
    // Who has it now may have changed since gpsd was asked last.
    neighbour.ask()
  }

  /// Takes up what was written down meanwhile.
  func reload() {
    owned = store.load()
    for (id, course) in courses where course.handover.owner == .locationd && !owned.contains(id) { forget(id) }
  }

  /// It was plugged in or out, or chosen anew: what was before does not matter any more.
  func forget(_ id: String) {
    guard let course = courses.removeValue(forKey: id) else { return }
    if let timer = course.timer { loop.cancel(timer) }
    // The choice is kept, and holds when the device is back.
    for answer in course.answers { answer(nil) }
  }

  /// gpsd has told its list anew, or is not there.
  func listChanged() {
    for (id, course) in courses {
      let isListed = neighbour.route(to: course.device.path) != nil
      feed(.listed(isListed), to: id)
      // Without a gpsd there is nobody to give it to.
      if course.handover.isLeaving, !neighbour.isPresent, course.answers.isEmpty { forget(id) }
    }
  }

  // MARK: -

  private func portClosed() {
    for (id, course) in courses where !runner.holdsPort(of: course.device.id) { feed(.portClosed, to: id) }
  }

  private func feed(_ input: Handover.Input, to id: String) {
    guard let course = courses[id] else { return }
    for action in course.handover.handle(input, at: loop.now) {
      switch action {
      case .leave:
        onChange?()
        if !runner.holdsPort(of: course.device.id) { feed(.portClosed, to: id) }
      case .ask: ask(course, id)
      case .look: neighbour.ask()
      case .concluded(let problem): conclude(course, id, problem)
      }
    }
    arm(course, id)
  }

  private func ask(_ course: Course, _ id: String) {
    let path = course.device.path
    guard let gpsd = neighbour.address else { return feed(.answered(.unminded), to: id) }
    guard gpsd.isLocal else { return feed(.answered(.elsewhere(gpsd: gpsd.text)), to: id) }
    let command: GPSDControlCommand =
      switch course.handover.owner {
      // By the name by which gpsd knows it.
      case .locationd: .remove(neighbour.route(to: path)?.device ?? path)
      case .gpsd: .add(path)
      }
    let socket = gpsd.controlSocket ?? ServiceVariables.gpsdControlSocket
    course.control = GPSDControl(
      loop: loop, sockets: socket.map { [$0] } ?? GPSDControl.usualSockets, command
    ) { [unowned self, unowned course] answer in
      course.control = nil
      feed(.answered(HandoverProblem(answer)), to: id)
    }
  }

  private func conclude(_ course: Course, _ id: String, _ problem: HandoverProblem?) {
    let owner = course.handover.owner
    let news = DeviceNews.handedOver(path: course.device.path, to: owner, problem)
    if course.handover.hasAsked, course.news != news {
      course.news = news
      runner.onDeviceNews?(news)
    }
    // gpsd's own again, as any other of its devices.
    if owner == .gpsd, problem == nil { courses[id] = nil }
    onChange?()
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
      feed(.wake, to: id)
    }
  }
}

extension HandoverProblem {
  /// What gpsd's answer means to a client; `nil`: it has done it.
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
