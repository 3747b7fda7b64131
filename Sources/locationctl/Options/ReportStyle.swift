import ArgumentParser

/// `--json` and `--text`, for commands that print a report or a list; without either, text on a terminal and JSON in a pipe.
struct ReportStyle: ParsableArguments {
  @Flag(name: .shortAndLong, help: "Print JSON, on a terminal too.")
  var json = false
  @Flag(name: .shortAndLong, help: "Print text, in a pipe too.")
  var text = false
  @OptionGroup var color: ColorOption

  func validate() throws {
    if json, text { throw ValidationError("Use either --json or --text.") }
  }

  /// Whether to print JSON.
  var isJSON: Bool { json || (!text && !Results.areForPeople) }
}
