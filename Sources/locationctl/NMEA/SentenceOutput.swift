import Geodesy
import LinuxIO
import TrackFormats

/// Writes sentences to standard output or to a pseudo-terminal, each at once.
final class SentenceOutput {
  private let terminal: SentenceTerminal?
  private let timestamps: Bool
  private let count: Int?
  private let isForPeople = Results.areForPeople
  /// The number of sentences so far.
  private(set) var written = 0

  /// - Parameter terminal: `nil` for standard output.
  init(terminal: SentenceTerminal?, timestamps: Bool, count: Int?) throws(FailureMessage) {
    (self.terminal, self.timestamps, self.count) = (terminal, timestamps, count)
    if let terminal, Results.write(Array("\(terminal.path)\n".utf8)) != nil {
      throw FailureMessage("The path of the port cannot be printed: check the standard output.", .cannotWrite)
    }
  }

  /// Writes one sentence with its line ending; returns the exit status if the output ends with it.
  func write(_ sentence: [UInt8]) -> CommandStatus? {
    if let terminal {
      terminal.write(sentence)
    } else if let status = Results.write(line(sentence)) {
      return status
    }
    written += 1
    return count.map { written >= $0 } ?? false ? .done : nil
  }

  private func line(_ sentence: [UInt8]) -> [UInt8] {
    // For a terminal, the carriage return and all other characters that are not printable ASCII are removed.
    let text = isForPeople ? sentence.filter { (0x20..<0x7F).contains($0) } + [0x0A] : sentence
    return timestamps ? Self.timestamp + text : text
  }

  /// The form of `gpspipe -t` (gpspipe(1)): `%F %T` and a colon.
  private static var timestamp: [UInt8] {
    guard let local = LocalTime.clock(of: WallClock.now()), let text = Timestamp(local.clock)?.iso8601 else {
      return []
    }
    return Array("\(text.prefix(19).substituting("T", with: " ")): ".utf8)
  }
}

/// A pseudo-terminal that other programs open like the port of a receiver. Sentences that no program reads are dropped,
/// as on a serial line.
final class SentenceTerminal {
  private let terminal: PseudoTerminal
  private let link: PortLink?
  private var buffer = [UInt8](repeating: 0, count: 1024)
  private var sentences = WholeSentences()

  /// The path that other programs open.
  let path: String

  /// - Parameter link: the path of a symbolic link to create.
  init(link: String?) throws(FailureMessage) {
    do throws(SystemError) {
      terminal = try PseudoTerminal()
      path = link ?? terminal.path
      try terminal.markClosed()
    } catch {
      throw FailureMessage(
        "No pseudo-terminal can be created (\(ErrorDescription.of(error.errno))): check /dev/pts.", .cannotWrite)
    }
    do throws(PortLinkFailure) {
      let target = terminal.path
      self.link = try link.map { path throws(PortLinkFailure) in
        try PortLink(path: path, target: target, lockFolders: ProcessEnvironment.lockFolders)
      }
    } catch {
      throw FailureMessage(error, of: link ?? "")
    }
  }

  func write(_ sentence: [UInt8]) {
    while true {
      switch terminal.read(into: &buffer) {
      case .bytes: continue
      case .wouldBlock: break
      // No program has the port open.
      case .endOfFile, .failed:
        sentences.forget()
        return
      }
      break
    }
    // A reader that is too slow loses sentences, because the kernel's buffer is full.
    sentences.write(sentence) { bytes in
      if case .written(let count) = terminal.write(Array(bytes)) { count } else { 0 }
    }
  }
}

extension FailureMessage {
  fileprivate init(_ failure: PortLinkFailure, of link: String) {
    let name = TerminalText.sanitized(link)
    switch failure {
    case .inUse(let processID):
      let process = processID.map { " (process \($0))" } ?? ""
      self.init("Another 'locationctl nmea'\(process) offers \(name): end it, or use another link.", .locationUnknown)
    case .exists: self.init("\(name) exists: use a link that does not exist yet.", .cannotWrite)
    case .system(let error):
      self.init("\(name) cannot be created (\(ErrorDescription.of(error.errno))): check its folder.", .cannotWrite)
    }
  }
}
