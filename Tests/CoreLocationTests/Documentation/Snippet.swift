import Foundation
import Testing

/// A snippet of Swift in the documentation.
struct Snippet: Sendable, CustomTestStringConvertible {
  /// The file of the article.
  let article: String
  /// The line on which it begins.
  let line: Int
  let code: String

  var testDescription: String { "\(article):\(line)" }

  /// Whether it is the manifest of a package.
  var isManifest: Bool { code.hasPrefix("// swift-tools-version:") }

  /// The documentation catalog.
  static let catalog = ToolRun.package.appendingPathComponent("Sources/CoreLocation/CoreLocation.docc")

  /// All snippets, by article and line.
  static let all: [Snippet] = {
    let files = (try? FileManager.default.contentsOfDirectory(at: catalog, includingPropertiesForKeys: nil)) ?? []
    return files.filter { $0.pathExtension == "md" }.sorted { $0.path < $1.path }.flatMap { file in
      snippets(of: (try? String(contentsOf: file, encoding: .utf8)) ?? "", article: file.lastPathComponent)
    }
  }()

  /// The text between fences that are marked as Swift.
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

  /// Compiles the snippet as a separate file in Swift 6 mode; returns the compiler's messages, without an exit status if there is
  /// no error.
  func check() throws -> ToolRun {
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent(isManifest ? "Package.swift" : "main.swift")
    try Data(code.utf8).write(to: file)
    if isManifest { return try ToolRun(["swift", "package", "--package-path", folder.url.path, "dump-package"]) }
    // Compiled down to an object file, because the compiler checks only then what may be sent between actors.
    let object = folder.url.appendingPathComponent("main.o").path
    return try ToolRun(
      ["swiftc", "-c", "-swift-version", "6", "-warnings-as-errors", file.path, "-o", object] + ToolRun.searchPaths)
  }

  /// Resolves the dependencies of a manifest, with this package in its current folder; no other package can be fetched.
  func resolve() throws -> ToolRun {
    let folder = try TemporaryFolder()
    let sources = folder.url.appendingPathComponent("Sources/tracker")
    try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
    try Data("print(0)\n".utf8).write(to: sources.appendingPathComponent("main.swift"))
    let code = code.replacing("../swift-corelocation", with: ToolRun.package.path)
    try Data(code.utf8).write(to: folder.url.appendingPathComponent("Package.swift"))
    return try ToolRun(
      DependentProgram.elsewhere + ["swift", "package", "--package-path", folder.url.path, "show-dependencies"])
  }

  /// The traits of this package that a manifest names.
  var namedTraits: Set<String> {
    Set(code.firstMatch(of: /traits: \[(.*?)\]/)?.1.matches(of: /"(\w+)"/).map { String($0.1) } ?? [])
  }

  /// The traits that this package has.
  static let declaredTraits: Set<String> = {
    let manifest = ToolRun.package.appendingPathComponent("Package.swift")
    let text = (try? String(contentsOf: manifest, encoding: .utf8)) ?? ""
    return Set(text.matches(of: /\.trait\(\s*name: "(\w+)"/).map { String($0.1) })
  }()
}
