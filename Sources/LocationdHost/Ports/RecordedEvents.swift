import Diagnosis
package import Geodesy
import LinuxIO
import LocationReplay
package import LocationdClient

/// The events of a recording in order, read from its file on demand: a capture, or a plain NMEA or UBX log.
package final class RecordedEvents {
  /// An event, with its time since the start of the recording.
  struct Event {
    var arrival: Duration
    var source: Int
    var event: CaptureEvent
  }

  let path: String
  private let file: InputFile
  /// Only one of the two is set, and decodes the file. Two properties can be changed in place; an enum's payload
  /// cannot.
  private var log: PlainLogPacer?
  private var capture: CaptureReader?
  private var buffer = [UInt8](repeating: 0, count: 65_536)
  private var isAtEnd = false
  /// The damage of the file, once the damaged part has been reached.
  private(set) var problem: String?

  /// Opens the recording and detects its format from its first bytes.
  package init(path: String) throws(HostError) {
    self.path = path
    do throws(InputFileError) {
      file = try InputFile(path: path)
    } catch {
      throw HostError(error, path: path)
    }
    let count = try fill()
    let beginning = buffer
    switch LogFormat.detect(beginning.span.extracting(0..<count)) {
    case .capture: capture = CaptureReader()
    case .nmea, .ubx:
      log = PlainLogPacer()
      if let foreign = UnsupportedProtocol.alone(in: beginning.span.extracting(0..<count)) {
        throw .badFile(path: path, reason: Self.reason(foreign))
      }
    case .empty: throw .badFile(path: path, reason: "it is empty")
    case .unknown:
      let foreign = UnsupportedProtocol.alone(in: beginning.span.extracting(0..<count))
      throw .badFile(path: path, reason: foreign.map(Self.reason) ?? "its format is unknown")
    }
    push(count)
  }

  private static func reason(_ foreign: UnsupportedProtocol) -> String {
    "it contains \(foreign.rawValue), which is not supported"
  }

  /// The start time that the recording states, if its first records do. Reads no further than the first bytes of a
  /// receiver.
  package func startTime() -> GNSSTime? {
    var held: [Event] = []
    defer { held.reversed().forEach { pushBack($0) } }
    while held.count < 16, let event = next() {
      held.append(event)
      switch event.event {
      case .start(let time): return time
      case .bytes, .gone: return nil
      case .device, .speed, .scan: continue
      }
    }
    return nil
  }

  private var returned: [Event] = []
  private func pushBack(_ event: Event) { returned.append(event) }

  /// The next event; `nil` at the end. `problem` is set if the recording ended early.
  func next() -> Event? {
    if let event = returned.popLast() { return event }
    while problem == nil {
      if let event = decoded() { return event }
      guard problem == nil, !isAtEnd else { return nil }
      do throws(HostError) {
        let count = try fill()
        if count == 0 { finish() } else { push(count) }
      } catch {
        if case .badFile(_, let reason) = error { problem = reason } else { problem = "it cannot be read" }
      }
    }
    return nil
  }

  private func decoded() -> Event? {
    if let bytes = log?.next() { return Event(arrival: bytes.arrival, source: 1, event: .bytes(bytes.bytes)) }
    do throws(CaptureError) {
      return try capture?.next().map { Event(arrival: $0.arrival, source: $0.source, event: $0.event) }
    } catch {
      problem = error.description
      return nil
    }
  }

  private func fill() throws(HostError) -> Int {
    do throws(SystemError) {
      return try file.read(into: &buffer)
    } catch {
      throw .badFile(path: path, reason: error.description)
    }
  }

  private func push(_ count: Int) {
    let bytes = buffer[..<count]
    log?.push(bytes)
    capture?.push(bytes.span)
  }

  private func finish() {
    isAtEnd = true
    log?.finish()
    do throws(CaptureError) {
      try capture?.finish()
    } catch {
      problem = error.description
    }
  }
}
