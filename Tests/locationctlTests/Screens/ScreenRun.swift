import Foundation
import Testing

/// One run of a program on a real pseudo-terminal, with the screens that a person would have seen. `terminal.py` runs it.
struct ScreenRun: Decodable {
  struct Screen: Decodable {
    var lines: [String]
    var isCursorHidden: Bool
    /// Whether long lines wrap, as on every terminal at first.
    var wraps: Bool
    var isAlternate: Bool
    /// Whether typed characters are shown, and read line by line.
    var hasEcho: Bool
    /// The longest line that was drawn in the present size.
    var widest: Int?

    /// Whether the terminal is as a shell expects it.
    var isClean: Bool { !isCursorHidden && wraps && !isAlternate && hasEcho }
  }

  enum Step: Encodable {
    case wait(String)
    case absent(String)
    case type(String)
    case signal(Int32)
    case resize(columns: Int, rows: Int)
    /// Waits until the program has erased the screen since its size changed.
    case redrawn
    case screen(String)
    case run([String])
    case hangUp

    private enum Key: String, CodingKey { case wait, absent, type, signal, resize, redrawn, screen, run, hangUp }

    func encode(to encoder: any Encoder) throws {
      var step = encoder.container(keyedBy: Key.self)
      switch self {
      case .wait(let text): try step.encode(text, forKey: .wait)
      case .absent(let text): try step.encode(text, forKey: .absent)
      case .type(let text): try step.encode(text, forKey: .type)
      case .signal(let number): try step.encode(number, forKey: .signal)
      case .resize(let columns, let rows): try step.encode([columns, rows], forKey: .resize)
      case .redrawn: try step.encode(true, forKey: .redrawn)
      case .screen(let name): try step.encode(name, forKey: .screen)
      case .run(let command): try step.encode(command, forKey: .run)
      case .hangUp: try step.encode(true, forKey: .hangUp)
      }
    }
  }

  var status: Int32
  var screens: [String: Screen]
  /// What the program had drawn on the alternate screen before it left it.
  var last: [String]
  /// The screen after the end of the program.
  var after: Screen?
  var widest: Int

  private static let python = ".build/pyte/bin/python3"

  /// Whether `.ci/pyte` has fetched the terminal emulator.
  static let isPossible = FileManager.default.isExecutableFile(atPath: python)

  private struct Request: Encodable {
    var command: [String]
    var environment: [String: String]
    var columns: Int
    var rows: Int
    var steps: [Step]
  }

  struct Failed: Error { var text: String }

  /// Runs `locationctl` with `arguments`, or `command`, and takes `steps`.
  static func run(
    _ arguments: [String], command: [String]? = nil, columns: Int = 80, rows: Int = 24,
    environment: [String: String] = [:], _ steps: [Step] = []
  ) throws -> ScreenRun {
    // As long in every run and on every machine, so that lines end at the same place.
    let state = "/tmp/screen-\(UUID().uuidString.prefix(8))"
    defer { try? FileManager.default.removeItem(atPath: state) }
    let usual = [
      "TERM": "xterm-256color", "LANG": "C.UTF-8", "TZ": "Europe/Zurich", "LOCATIOND_GPSD": "off",
      "LOCATIOND_STATE": state,
      "LOCATIOND_SOCKET": state + ".socket",
    ]
    let request = Request(
      command: command ?? [ProgramRun.locationctl] + arguments, environment: usual.merging(environment) { $1 },
      columns: columns, rows: rows, steps: steps)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: python)
    process.arguments = [
      URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("terminal.py").path
    ]
    let (input, output, errors) = (Pipe(), Pipe(), Pipe())
    (process.standardInput, process.standardOutput, process.standardError) = (input, output, errors)
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: JSONEncoder().encode(request))
    try input.fileHandleForWriting.close()
    let answer = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failed(text: String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self))
    }
    return try JSONDecoder().decode(ScreenRun.self, from: answer)
  }
}

/// Screens that a person has read and found good. With LOCATION_SCREENS=write in the environment, the tests write them anew.
enum Golden {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
    "Goldens")

  /// What differs from run to run. Digits become `#`.
  enum Mask: Int { case nothing, ages, all, numbers }

  private static func masked(_ line: String, _ mask: Mask) -> String {
    var line = line
    func hide(_ pattern: Regex<Substring>) {
      line.replace(pattern) { match in String(match.output.map { $0.isNumber ? "#" : $0 }) }
    }
    switch mask {
    case .nothing: break
    case .ages: hide(/\d+\.\d s ago/)
    case .all:
      hide(/\d{4}-\d\d-\d\d \d\d:\d\d|\d\d:\d\d:\d\d|\d+ [kM]B/)
      // These have no fixed width.
      line.replace(/(process|up|for) \d+( s)?/) { "\($0.output.1) #" }
      line.replace(/\d+ s ago/, with: "# s ago")
      line.replace(/[\d.]+° N, [\d.]+° E  ±[\d.]+ m( now)?/, with: "#° N, #° E  ±# m")
      line.replace(/, ±[\d.]+ m when measured/, with: "")
      line.replace(/\d+ m +(?=[#\d]+ [kM]B)/, with: "# m  ")
      line.replace(/\(\d+\) +/, with: "(#)  ")
      line.replace(/now, for # +/, with: "now, for #  ")
      line.replace(/\/dev\/pts\/\d+( +|$)/) { $0.output.1.isEmpty ? "/dev/pts/#" : "/dev/pts/#  " }
    case .numbers:
      line.replace(/\d+(\.\d+)?/, with: "#")
      line.replace(/screen-[-0-9A-F#]+/, with: "screen-#")
    }
    return line
  }

  static func expect(
    _ lines: [String], _ name: String, _ mask: Mask, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let shown = lines.map { masked($0, mask) + "\n" }.joined()
    let file = folder.appendingPathComponent("\(name).txt")
    if ProcessInfo.processInfo.environment["LOCATION_SCREENS"] == "write" {
      return try Data(shown.utf8).write(to: file)
    }
    let golden = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    #expect(shown == golden, "\(name):\n\(shown)", sourceLocation: sourceLocation)
  }
}
