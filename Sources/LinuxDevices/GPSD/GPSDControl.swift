import Geodesy
package import LinuxIO

/// Sends one command through gpsd's control socket and receives the answer.
package final class GPSDControl {
  /// gpsd's systemd unit creates the first; older versions use the second.
  package static let usualSockets = ["/run/gpsd.sock", "/var/run/gpsd.sock"]

  /// gpsd answers no client while it opens a receiver: for five seconds (3.22), during which it tries one protocol
  /// after the other.
  private static let patience: Duration = .seconds(8)

  private let loop: EventLoop
  private let body: (GPSDControlAnswer) -> Void
  private var stream: UnixStream?
  private var watch: WatchID?
  private var timer: TimerID?
  private var received: [UInt8] = []
  private var buffer = [UInt8](repeating: 0, count: GPSDControlAnswer.longestLine)

  /// Starts to send the command; `body` is called once, from the loop, never during this call.
  ///
  /// - Parameter sockets: possible paths of the socket, the most likely first.
  package init(
    loop: EventLoop, sockets: [String] = usualSockets, _ command: GPSDControlCommand,
    _ body: @escaping (GPSDControlAnswer) -> Void
  ) {
    self.loop = loop
    self.body = body
    timer = loop.schedule(at: loop.now) { [unowned self] in begin(sockets, command) }
  }

  deinit { close() }

  private func begin(_ sockets: [String], _ command: GPSDControlCommand) {
    guard let line = command.line else { return end(.refused) }
    for socket in sockets {
      do throws(SystemError) {
        let stream = try UnixStream(connectingTo: try UnixAddress(path: socket))
        watch = try loop.watch(stream.descriptor) { [unowned self] _ in read() }
        // A few dozen bytes always fit into an empty socket.
        guard case .written(line.count) = stream.write(line[...]) else { return end(.noAnswer) }
        self.stream = consume stream
        timer = loop.schedule(at: loop.now + Self.patience) { [unowned self] in end(.noAnswer) }
        return
      } catch {
        if error.isPermission { return end(.denied(socket: socket)) }
        // gpsd's queue of connections is full.
        if error.isBusy { return end(.noAnswer) }
      }
    }
    end(.noSocket(sockets.first ?? ""))
  }

  private func read() {
    guard let outcome = stream?.read(into: &buffer) else { return }
    switch outcome {
    case .bytes(let count):
      received += buffer[..<count]
      if let length = received.firstIndex(of: UInt8(ascii: "\n")) {
        end(GPSDControlAnswer(line: received[..<length]) ?? .noAnswer)
      } else if received.count >= GPSDControlAnswer.longestLine {
        end(.noAnswer)
      }
    case .wouldBlock: break
    case .endOfFile, .failed: end(.noAnswer)
    }
  }

  private func end(_ answer: GPSDControlAnswer) {
    close()
    // The answer's handler may release this object.
    withExtendedLifetime(self) { body(answer) }
  }

  private func close() {
    if let watch { loop.unwatch(watch) }
    if let timer { loop.cancel(timer) }
    (watch, timer) = (nil, nil)
    stream = nil
  }
}

/// A command to gpsd's control socket (gpsd(8), "ACCEPTING DEVICES AND INPUT SOURCES"; gpsdctl(8)).
package enum GPSDControlCommand: Hashable, Sendable {
  /// Open this device.
  case add(String)
  /// Release this device.
  case remove(String)

  /// Maximum length of a device name, bytes; paths are shorter.
  private static let longestName = 1024

  /// The command's line; `nil` if the name cannot be sent, because gpsd reads a name only up to the first blank.
  package var line: [UInt8]? {
    let (sign, name) =
      switch self {
      case .add(let name): ("+", name)
      case .remove(let name): ("-", name)
      }
    guard !name.isEmpty, name.utf8.count <= Self.longestName, name.utf8.allSatisfy({ (0x21..<0x7F).contains($0) })
    else { return nil }
    return Array("\(sign)\(name)\n".utf8)
  }
}

/// The outcome of a command to gpsd's control socket.
package enum GPSDControlAnswer: Hashable, Sendable {
  case done
  /// gpsd does not have the device, already has it, or has no room for another.
  case refused
  /// This process has no permission to use that socket.
  case denied(socket: String)
  /// No process listens at any possible path of the socket; this is the most likely one.
  case noSocket(String)
  /// gpsd did not answer in time, or the answer was invalid.
  case noAnswer

  /// Maximum length in bytes; gpsd sends no longer lines.
  package static let longestLine = 256

  /// Parses a line: `OK` and `ERROR` up to 3.22, objects of the class `ACK` or `ERROR` since 3.23; `nil` for any other
  /// line.
  package init?(line: some Sequence<UInt8>) {
    let text = String(decoding: line.lazy.filter { $0 > 0x20 && $0 < 0x7F }, as: UTF8.self)
    switch text {
    case "OK", #"{"class":"ACK"}"#, #"{"class":"OK"}"#: self = .done
    case "ERROR": self = .refused
    case _ where text.hasPrefix(#"{"class":"ERROR""#): self = .refused
    default: return nil
    }
  }
}
