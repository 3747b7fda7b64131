import Foundation

/// The output of `swift symbolgraph-extract` for a module.
struct SymbolGraph: Decodable {
  struct Symbol: Decodable {
    struct Identifier: Decodable { var precise: String }
    struct Fragment: Decodable {
      var kind: String
      var spelling: String
    }
    struct Availability: Decodable {
      struct Version: Decodable { var major: Int }
      var deprecated: Version?
    }
    var identifier: Identifier
    var pathComponents: [String]
    var accessLevel: String
    var declarationFragments: [Fragment]
    var availability: [Availability]?
    var docComment: DocComment?
  }
  struct DocComment: Decodable {}
  struct Relationship: Decodable {
    var kind: String
    var source: String
    var target: String
    var targetFallback: String?
  }
  var symbols: [Symbol]
  var relationships: [Relationship]

  /// The graph of the module as built for these tests, with the C declarations that it re-exports.
  static func ofBuiltModule() throws -> SymbolGraph {
    let folder = try TemporaryFolder()
    try extract(to: folder.url)
    let data = try Data(contentsOf: folder.url.appendingPathComponent("CoreLocation.symbols.json"))
    return try JSONDecoder().decode(SymbolGraph.self, from: data)
  }

  /// Writes the tool's own file into a folder.
  static func extract(to folder: URL) throws {
    #if arch(arm64)
      let target = "aarch64-unknown-linux-gnu"
    #else
      let target = "x86_64-unknown-linux-gnu"
    #endif
    let run = try ToolRun(
      [
        "swift", "symbolgraph-extract", "-module-name", "CoreLocation", "-target", target, "-output-dir",
        folder.path, "-minimum-access-level", "public", "-skip-synthesized-members",
        "-experimental-allowed-reexported-modules=CCoreLocation",
      ] + ToolRun.searchPaths)
    guard run.status == 0 else { throw Failure(output: run.output) }
  }

  /// The tool failed.
  struct Failure: Error { var output: String }
}
