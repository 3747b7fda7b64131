import Geodesy
import LocationIPC

/// The answers to requests.
extension GPSDSession {
  /// What a client without access receives when it begins to watch.
  static let notAuthorized = "locationd: not authorized, see locationctl(1), grant"

  mutating func execute(_ command: GPSDCommand, at now: Instant, clock: GNSSTime) {
    var answer = GPSDObjectBuffer()
    switch command {
    case .version: answer.appendVersion()
    case .devices: appendDevices(to: &answer)
    case .device: appendEveryDevice(to: &answer)
    case .configureDevice(let request): appendDevice(of: request, to: &answer)
    case .poll:
      answer.appendPoll(
        epochForPoll(at: now), device: selectedPath, access: access, time: clock, at: now)
    case .watchState: appendState(to: &answer)
    case .watch(let request): return change(by: request, at: now)
    case .invalid(.watch, let problem):
      answer.appendError("Invalid WATCH: \(problem.rawValue)")
      appendState(to: &answer)
    case .invalid(.device, let problem): answer.appendError("Invalid DEVICE: \(problem.rawValue)")
    case .unrecognized(let text): answer.appendError("Unrecognized request", quoted: text)
    }
    output.append(answer.bytes)
  }

  /// gpsd-py3 reads exactly these two lines after its WATCH.
  private func appendState(to answer: inout GPSDObjectBuffer) {
    appendDevices(to: &answer)
    var shown = watch
    shown.device = watch.device.map { devices.shownPath($0, to: access) }
    answer.appendWatch(shown)
  }

  private func appendDevices(to answer: inout GPSDObjectBuffer) {
    answer.appendDevices(
      devices, access: access, selected: latest?.device ?? "", cycleSeconds: cycleSeconds, activated: serviceActivated)
  }

  private func appendEveryDevice(to answer: inout GPSDObjectBuffer) {
    if devices.entries.isEmpty {
      answer.appendServiceDevice(activated: serviceActivated)
      answer.endLine()
    }
    for entry in devices.entries { append(entry, to: &answer) }
  }

  private func append(_ entry: GPSDDeviceList.Entry, to answer: inout GPSDObjectBuffer) {
    let isSelected = entry.device.path == latest?.device
    answer.appendDevice(entry, access: access, cycleSeconds: isSelected ? cycleSeconds : nil)
    answer.endLine()
  }

  /// The true state of a receiver: no client changes one.
  private func appendDevice(of request: GPSDDeviceRequest, to answer: inout GPSDObjectBuffer) {
    guard !request.sendsBytes else { return answer.appendError("locationd: receivers are read-only here") }
    if let path = request.path {
      guard let entry = devices.entry(path, for: access) else {
        return answer.appendError("No such device as \(path)")
      }
      append(entry, to: &answer)
    } else if devices.entries.count > 1 {
      answer.appendError("No path specified in DEVICE, but multiple devices are attached")
    } else {
      appendEveryDevice(to: &answer)
    }
  }

  // MARK: - WATCH

  private mutating func change(by request: GPSDWatchRequest, at now: Instant) {
    var answer = GPSDObjectBuffer()
    var policy = watch.applying(request)
    if let path = policy.device {
      // A reduced path names the same receiver.
      guard let entry = devices.entry(path, for: access) else {
        answer.appendError("No such device as \(path)")
        return output.append(answer.bytes)
      }
      policy.device = entry.device.path
    }
    if policy.raw > 0, let refusal = rawRefusal(policy) {
      policy.raw = 0
      answer.appendError(refusal)
    }
    let wasOn = watch.isOn
    let old = watch
    watch = policy
    if !policy.isOn || policy.device != old.device { forget() }
    if policy.raw != 1 { decoder = nil }
    appendState(to: &answer)
    // Only to a watcher of JSON: another client would take this line for the answer to its next request.
    if access == .denied, policy.isOn, policy.json, !(wasOn && old.json) { answer.appendError(Self.notAuthorized) }
    output.append(answer.bytes)
    if policy.isOn, !access.isGranted {
      sendWithoutPosition(at: now)
    } else if !policy.isOn {
      output.dropEpoch()
    }
  }

  /// Why a client does not receive the receiver's own bytes; `nil`: it does, or will once access is decided.
  private func rawRefusal(_ policy: GPSDWatchPolicy) -> String? {
    guard isOfThisMachine else { return Self.rawNeedsThisMachine }
    switch access {
    case .denied, .reduced: return Self.rawNeedsAccess
    case .undecided, .full: break
    }
    guard policy.device == nil, devices.entries.count > 1 else { return nil }
    return "locationd: raw data comes from one receiver only, put its path into device"
  }

  static let rawNeedsThisMachine = "locationd: raw data is only for programs of this machine"
  static let rawNeedsAccess = "locationd: raw data needs access to the exact location, see locationctl(1), grant"

  /// Forgets the position.
  mutating func forget() {
    (latest, epochInterval, cycleSeconds, repeatAt) = (nil, nil, nil, nil)
  }

  // MARK: - POLL

  /// The path of the receiver as the client sees it.
  var selectedPath: String {
    let path =
      latest?.device ?? watch.device ?? (devices.entries.first(where: \.isOpen) ?? devices.entries.first)?.device.path
    return devices.shownPath(path ?? GPSDPath.service, to: access)
  }

  /// The last epoch while its fix is current; after that, one without a fix while a receiver is open; otherwise, and for
  /// a client that watches nothing, `nil`.
  private func epochForPoll(at now: Instant) -> GPSDEpoch? {
    guard watch.isOn else { return nil }
    if access.isGranted, var epoch = latest {
      let longest = max(.seconds(2), (epochInterval ?? .zero) * 2)
      if epoch.fix != nil, now - epoch.deliveredAt <= longest { return epoch }
      epoch.fix = nil
      return hasOpenDevice ? epoch : nil
    }
    return hasOpenDevice ? GPSDEpoch(fix: nil, sky: nil, deliveredAt: now) : nil
  }

  private var hasOpenDevice: Bool {
    devices.entries.contains { $0.isOpen && (watch.device == nil || watch.device == $0.device.path) }
  }
}
