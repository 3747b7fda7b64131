import Foundation

/// What a program or a library requires of the loader, as reported by `readelf` and `nm`.
struct LinkedObject {
  /// The names of the libraries that it needs.
  let needed: Set<String>
  /// The folders that the loader searches first.
  let runPath: [String]
  /// The symbols that it exports.
  let exported: [String]

  init(_ file: URL) throws {
    let dynamic = try ToolRun(["LC_ALL=C", "readelf", "--dynamic", "--wide", file.path])
    let symbols = try ToolRun([
      "nm", "--dynamic", "--extern-only", "--defined-only", "--format=just-symbols", file.path,
    ])
    guard dynamic.status == 0, symbols.status == 0 else {
      throw BuiltModule.Failure(output: dynamic.output + symbols.output)
    }
    func values(of tag: String) -> [String] {
      dynamic.output.split(separator: "\n").filter { $0.contains("(\(tag))") }
        .compactMap { $0.firstMatch(of: /\[(.*)\]/).map { String($0.1) } }
    }
    needed = Set(values(of: "NEEDED"))
    runPath = values(of: "RUNPATH").flatMap { $0.split(separator: ":").map(String.init) }
    exported = symbols.output.split(separator: "\n").map(String.init)
  }
}
