import Foundation
import Testing

/// The articles are right about the code: each snippet compiles, each link has a target, each declaration has a comment.
@Suite struct DocumentationTests {
  @Test(arguments: Snippet.all) func snippetCompiles(_ snippet: Snippet) throws {
    let run = try snippet.check()
    #expect(run.status == 0, "\(run.output)")
  }

  @Test func everyArticleHasCode() {
    let articles = Set(Snippet.all.map(\.article))
    #expect(articles.count == 7, "\(articles)")
    #expect(Snippet.all.filter(\.isManifest).count == 2)
  }

  @Test(arguments: [
    ("import CoreLocation\nCLLocationManager().startUpdating()\n", "has no member 'startUpdating'"),
    ("import CoreLocation\nlet unknown: CLPlace? = nil\n", "cannot find type 'CLPlace'"),
  ]) func aWrongSnippetIsFound(code: String, complaint: String) throws {
    let text = "Words.\n\n```swift\n\(code)```\n"
    let snippet = try #require(Snippet.snippets(of: text, article: "wrong.md").first)
    let run = try snippet.check()
    #expect(run.status != 0)
    #expect(run.output.contains(complaint), "\(run.output)")
  }

  /// The dependency applies only on Linux.
  @Test(arguments: Snippet.all.filter(\.isManifest)) func aManifestDependsOnLinuxAlone(_ snippet: Snippet) throws {
    let run = try snippet.check()
    #expect(run.output.contains(/"platformNames"\s*:\s*\[\s*"linux"\s*\]/), "\(run.output)")
  }

  /// This package and its traits have the names that the manifests use.
  @Test(
    arguments: Snippet.all.filter { $0.isManifest && Snippet.declaredTraits.isSuperset(of: $0.namedTraits) }
  ) func aManifestFindsThisPackage(_ snippet: Snippet) throws {
    let run = try snippet.resolve()
    #expect(run.status == 0, "\(run.output)")
    #expect(run.output.contains("traits: \(snippet.namedTraits.isEmpty ? "" : snippet.namedTraits.joined())"))
  }

  @Test func aManifestWithAnotherTraitIsFound() throws {
    let manifest = try #require(Snippet.all.first { $0.isManifest && !$0.namedTraits.isEmpty })
    let code = manifest.code.replacing(/traits: \[.*?\]/, with: "traits: [\"Teleport\"]")
    let run = try Snippet(article: manifest.article, line: manifest.line, code: code).resolve()
    #expect(run.status != 0 && run.output.contains("Teleport"), "\(run.output)")
  }

  @Test func theTenLinesAreTenAndRun() async throws {
    let program = try #require(Snippet.all.first { $0.article == "FromAnAppToAPi.md" })
    #expect(program.code.split(separator: "\n").count == 10)
    let folder = try TemporaryFolder()
    let source = folder.url.appendingPathComponent("main.swift")
    let tool = folder.url.appendingPathComponent("tracker").path
    try Data(program.code.utf8).write(to: source)
    let products = ToolRun.products.path
    let build = try ToolRun(
      ["swiftc", "-swift-version", "6", source.path, "-o", tool] + ToolRun.searchPaths
        + ["-L", products, "-lCoreLocation", "-Xlinker", "-rpath", "-Xlinker", products])
    try #require(build.status == 0, "\(build.output)")
    // The program runs forever; its second line breaks the pipe, which ends it like any program.
    let run = try await ToolRun.alone([
      "--default-signal=PIPE", "LOCATIOND_SOURCE=simulator", "LOCATIOND_GPSD=off", "timeout", "-k", "1", "60", "sh",
      "-c",
      "stdbuf -oL \(tool) | head -n 1",
    ])
    #expect(run.status == 0)
    let numbers = run.output.split(separator: " ").compactMap { Double($0.trimmingCharacters(in: .newlines)) }
    try #require(numbers.count == 3, "\(run.output)")
    #expect(abs(numbers[0] - 47.285) < 0.001 && abs(numbers[1] - 8.565) < 0.001)
    #expect(numbers[2] > 0 && numbers[2] < 50)
  }

  @Test func linksLeadSomewhere() throws {
    let folder = try TemporaryFolder()
    try SymbolGraph.extract(to: folder.url)
    let run = try convert(Snippet.catalog, folder)
    #expect(run.status == 0, "\(run.output)")
  }

  @Test func aLinkToNowhereIsFound() throws {
    let folder = try TemporaryFolder()
    try SymbolGraph.extract(to: folder.url)
    let catalog = folder.url.appendingPathComponent("Wrong.docc")
    try FileManager.default.createDirectory(at: catalog, withIntermediateDirectories: false)
    let text = "# ``CoreLocation``\n\nLocations.\n\n## Overview\n\n``CLLocationManager/whereAmI()``\n"
    try Data(text.utf8).write(to: catalog.appendingPathComponent("CoreLocation.md"))
    let run = try convert(catalog, folder)
    #expect(run.status != 0 && run.output.contains("whereAmI"), "\(run.output)")
  }

  /// Except for members of Foundation and C, whose comments the compiler does not pass on.
  @Test func everyDeclarationSaysWhatItIs() throws {
    let graph = try SymbolGraph.ofBuiltModule()
    let own = graph.symbols.filter { $0.identifier.precise.hasPrefix("s:12CoreLocation") }
    #expect(own.count > 350)
    #expect(own.filter { $0.docComment == nil }.map { $0.pathComponents.joined(separator: ".") } == [])
  }

  private func convert(_ catalog: URL, _ folder: TemporaryFolder) throws -> ToolRun {
    try ToolRun([
      "docc", "convert", catalog.path, "--additional-symbol-graph-dir", folder.url.path, "--output-dir",
      folder.url.appendingPathComponent("out").path, "--fallback-display-name", "CoreLocation",
      "--fallback-bundle-identifier", "swift-corelocation.CoreLocation", "--warnings-as-errors",
    ])
  }
}
