package import Geodesy
import LinuxDevices
package import LinuxIO
package import LocationIPC
package import LocationdService
package import NetworkSources

/// Passes corrections of one caster or file to the receivers that can use them, while such a receiver is open.
package final class CorrectionSource {
  private let loop: EventLoop
  private unowned let ports: any ServicePorts
  private let selection: CorrectionSelection
  private let root: String
  private let stateFolder: String?
  private let release: String
  private var stream: (any CorrectionStream)?
  private var receivers: [LinkID: CorrectedReceiver] = [:]
  private var gate = CorrectionGate()
  private var position: PositionFix?
  private var problem: CorrectionStatus.Problem?
  private var sentence: String?
  /// The caster's file as it was read; `nil`: none is in use.
  private var usedFile: [UInt8]?

  /// - Parameters:
  ///   - root: the root of the files of the configuration.
  ///   - release: the version of this program, which casters get.
  package init(
    _ selection: CorrectionSelection, loop: EventLoop, ports: any ServicePorts, root: String, stateFolder: String?,
    release: String
  ) {
    (self.selection, self.loop, self.ports) = (selection, loop, ports)
    (self.root, self.stateFolder, self.release) = (root, stateFolder, release)
  }

  /// A receiver that gets corrections, and what waits for it.
  private final class CorrectedReceiver {
    /// `nil`: its line is fast.
    var baud: Int?
    var queue = CorrectionQueue()
    /// Until then the line transmits what was written.
    var busyUntil = Instant(nanoseconds: .min)
    var timer: TimerID?
  }

  /// The receivers that are open and can use corrections have changed, or the position.
  package func update(_ open: [ServiceCore.CorrectedLink], at fix: PositionFix?) {
    for (id, receiver) in receivers where !open.contains(where: { $0.id == id }) {
      if let timer = receiver.timer { loop.cancel(timer) }
      receivers[id] = nil
    }
    for link in open {
      let receiver = receivers[link.id] ?? CorrectedReceiver()
      receiver.baud = link.baud
      receivers[link.id] = receiver
    }
    if receivers.isEmpty { return end() }
    let hasMoved = fix?.receivedAt != position?.receivedAt
    position = fix
    // A bad file is read again when the settings are.
    if stream == nil, problem == nil { begin() }
    if hasMoved { stream?.moved(to: fix) }
  }

  /// Whether a new source with these settings would do the same as this one. Each connection counts for casters, so a source that
  /// works, or waits to try again, is kept.
  package func isCurrent(for selection: CorrectionSelection) -> Bool {
    guard selection == self.selection, problem == nil, stream?.state != .stopped else { return false }
    guard let usedFile, case .caster(let name) = selection else { return true }
    let file = try? CasterFile.read(name, root: root).1
    return file == usedFile
  }

  /// Ends the connection.
  package func close() {
    for receiver in receivers.values { if let timer = receiver.timer { loop.cancel(timer) } }
    receivers = [:]
    end()
  }

  package var status: CorrectionStatus {
    var status = CorrectionStatus(name: selection.name, state: stream?.state ?? .idle)
    (status.problem, status.sentence) = (stream?.problem ?? problem, stream?.sentence ?? sentence)
    if gate.isTooFar, stream != nil {
      status.problem = .tooFar
      status.sentence =
        "The reference station is more than 100 km away, so that its corrections are of no use: use another mount point."
    }
    status.age = gate.age(at: loop.now)
    (status.bytes, status.frames) = (gate.passedByteCount, gate.passedCount)
    status.station = gate.station?.id
    status.receivers = receivers.count
    if problem != nil { status.state = .stopped }
    return status
  }

  private func begin() {
    switch selection {
    case .file(let path): stream = RecordedCorrections(path: path, loop: loop) { [unowned self] in pass($0) }
    case .caster(let name):
      do throws(CasterFile.Problem) {
        let (configuration, bytes) = try CasterFile.read(name, root: root)
        (problem, sentence, usedFile) = (nil, nil, bytes)
        stream = CasterStream(
          configuration, memory: CorrectionMemory(stateFolder: stateFolder, name: name, configuration: bytes),
          release: release, loop: loop
        ) { [unowned self] in pass($0) }
      } catch {
        (problem, sentence) = (.badFile, error.sentence)
        return
      }
    }
    stream?.begin(at: position)
  }

  private func end() {
    stream?.close()
    (stream, usedFile) = (nil, nil)
    gate = CorrectionGate()
  }

  private func pass(_ frame: RTCMFrame) {
    guard case .pass = gate.receive(frame, position: position?.coordinate, at: loop.now) else { return }
    for (id, receiver) in receivers {
      receiver.queue.append(frame, at: loop.now)
      send(to: id)
    }
  }

  /// Writes what the line can transmit, frame by frame: a receiver loses a frame that is cut.
  private func send(to id: LinkID) {
    guard let receiver = receivers[id] else { return }
    while loop.now >= receiver.busyUntil, let frame = receiver.queue.next(at: loop.now) {
      ports.links?.write(id, frame.bytes)
      guard let baud = receiver.baud, baud > 0 else { continue }
      // Ten bits for each byte, with start and stop bit.
      receiver.busyUntil = loop.now + .microseconds(frame.bytes.count * 10_000_000 / baud)
    }
    guard !receiver.queue.isEmpty, receiver.timer == nil else { return }
    receiver.timer = loop.schedule(at: receiver.busyUntil) { [unowned self] in
      receiver.timer = nil
      send(to: id)
    }
  }
}

/// Gives corrections until it is closed.
protocol CorrectionStream: AnyObject {
  func begin(at fix: PositionFix?)
  func moved(to fix: PositionFix?)
  func close()
  var state: CorrectionStatus.State { get }
  var problem: CorrectionStatus.Problem? { get }
  /// The problem as a sentence.
  var sentence: String? { get }
}
