import Foundation
import Testing

/// A piece of Swift in the documentation.
struct Snippet: Sendable, CustomTestStringConvertible {
  /// The article's file.
  let article: String
  /// The line on which it begins.
  let line: Int
  let code: String

  var testDescription: String { "\(article):\(line)" }

  /// Whether it is the manifest of a package.
  var isManifest: Bool { code.hasPrefix("// swift-tools-version:") }

  /// The catalog.
  static let catalog = ToolRun.package.appendingPathComponent("Sources/CoreLocation/CoreLocation.docc")

  /// All of them, by article and line.
  static let all: [Snippet] = {
    let files = (try? FileManager.default.contentsOfDirectory(at: catalog, includingPropertiesForKeys: nil)) ?? []
    return files.filter { $0.pathExtension == "md" }.sorted { $0.path < $1.path }.flatMap { file in
      snippets(of: (try? String(contentsOf: file, encoding: .utf8)) ?? "", article: file.lastPathComponent)
    }
  }()

  /// What stands between fences that say that it is Swift.
  static func snippets(of text: String, article: String) -> [Snippet] {
    var found: [Snippet] = []
    var open: (line: Int, code: [Substring])?
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      switch (open, line) {
      case (nil, "```swift"): open = (index + 1, [])
      case (nil, _): break
      case (let snippet?, "```"):
        let code = snippet.code.map { $0 + "\n" }.joined()
        found.append(Snippet(article: article, line: snippet.line, code: code))
        open = nil
      case (let snippet?, _): open = (snippet.line, snippet.code + [line])
      }
    }
    return found
  }

  /// Has the compiler look at it, as a file of its own, in Swift 6 mode; what it says, without a status where all is well.
  func check() throws -> ToolRun {
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent(isManifest ? "Package.swift" : "main.swift")
    try Data(code.utf8).write(to: file)
    if isManifest { return try ToolRun(["swift", "package", "--package-path", folder.url.path, "dump-package"]) }
    return try ToolRun(
      ["swiftc", "-typecheck", "-swift-version", "6", "-warnings-as-errors", file.path] + ToolRun.searchPaths)
  }
}
