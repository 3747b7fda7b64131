import Geodesy
package import LinuxIO

/// One command through gpsd's control socket, and its answer.
package final class GPSDControl {
  /// gpsd makes it there by its unit; older ones at the second place.
  package static let usualSockets = ["/run/gpsd.sock", "/var/run/gpsd.sock"]

  /// While it opens a receiver it hears nobody: for five seconds (3.22), in which it tries one protocol after the other.
  private static let patience: Duration = .seconds(8)

  private let loop: EventLoop
  private let body: (GPSDControlAnswer) -> Void
  private var stream: UnixStream?
  private var watch: WatchID?
  private var timer: TimerID?
  private var heard: [UInt8] = []
  private var buffer = [UInt8](repeating: 0, count: GPSDControlAnswer.longestLine)

  /// Begins to ask; `body` is called once, from the loop, never from here.
  ///
  /// - Parameter sockets: where it may be, the likeliest first.
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
        // A line of a few dozen bytes into an empty socket.
        guard case .written(line.count) = stream.write(line[...]) else { return end(.noAnswer) }
        self.stream = consume stream
        timer = loop.schedule(at: loop.now + Self.patience) { [unowned self] in end(.noAnswer) }
        return
      } catch {
        if error.isPermission { return end(.denied(socket: socket)) }
        // As many ask it as it lets wait.
        if error.isBusy { return end(.noAnswer) }
      }
    }
    end(.noSocket(sockets.first ?? ""))
  }

  private func read() {
    guard let outcome = stream?.read(into: &buffer) else { return }
    switch outcome {
    case .bytes(let count):
      heard += buffer[..<count]
      if let length = heard.firstIndex(of: UInt8(ascii: "\n")) {
        end(GPSDControlAnswer(line: heard[..<length]) ?? .noAnswer)
      } else if heard.count >= GPSDControlAnswer.longestLine {
        end(.noAnswer)
      }
    case .wouldBlock: break
    case .endOfFile, .failed: end(.noAnswer)
    }
  }

  private func end(_ answer: GPSDControlAnswer) {
    close()
    // Whoever hears it may drop this.
    withExtendedLifetime(self) { body(answer) }
  }

  private func close() {
    if let watch { loop.unwatch(watch) }
    if let timer { loop.cancel(timer) }
    (watch, timer) = (nil, nil)
    stream = nil
  }
}

/// What gpsd is told through its control socket (gpsd(8), "ACCEPTING DEVICES AND INPUT SOURCES"; gpsdctl(8)).
package enum GPSDControlCommand: Hashable, Sendable {
  /// Take this device up.
  case add(String)
  /// Let it go.
  case remove(String)

  /// The longest name that is told: a path is shorter.
  private static let longestName = 1024

  /// The line that says so; `nil` where a name cannot be told in one: gpsd reads it up to the first blank.
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

/// How a question to gpsd's control socket ended.
package enum GPSDControlAnswer: Hashable, Sendable {
  case done
  /// It has no such device, has it already, or has no room.
  case refused
  /// This process may not use the socket there.
  case denied(socket: String)
  /// Nobody listens at any place where the socket may be; the likeliest of them.
  case noSocket(String)
  /// It said nothing in time, or nothing that can be understood.
  case noAnswer

  /// Longer lines are none of gpsd's.
  package static let longestLine = 256

  /// Reads a line: `OK` and `ERROR` of 3.22 and before, objects of the class `ACK` or `ERROR` since 3.23; `nil`: neither.
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
