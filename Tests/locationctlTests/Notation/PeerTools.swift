import Foundation

/// Programs that convert positions: GeographicLib's GeoConvert, and the Python packages in `.build/pytools`.
enum PeerTools {
  static let geoConvert = "/usr/bin/GeoConvert"
  static let python = ".build/pytools/bin/python3"
  static let hasGeoConvert = FileManager.default.isExecutableFile(atPath: geoConvert)
  static let hasPython = FileManager.default.isExecutableFile(atPath: python)

  /// The lines that one process prints for the lines of a file; `%` among the arguments is the path of the file.
  static func lines(of program: String, _ arguments: [String], on input: [String]) throws -> [String] {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("lines-\(UUID().uuidString)")
    try Data((input.joined(separator: "\n") + "\n").utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let run = try ProgramRun(arguments.map { $0 == "%" ? file.path : $0 }, of: program)
    guard run.status == 0 else { throw Failure(text: run.errors) }
    return run.output.split(separator: "\n").map { String($0) }
  }

  struct Failure: Error { let text: String }

  /// The lines of a Python expression of `a` and `b`, the numbers of a line.
  static func python(_ imports: String, _ expression: String, on input: [String]) throws -> [String] {
    let program = """
      import sys
      import \(imports)
      for line in open(sys.argv[1]):
          words = line.split()
          print(\(expression))
      """
    return try lines(of: python, ["-c", program, "%"], on: input)
  }
}
