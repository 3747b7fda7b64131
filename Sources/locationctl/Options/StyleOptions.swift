import ArgumentParser

/// `--format`, `--json`, `--text` and `--template`; without any, text on a terminal and JSON in a pipe.
struct StyleOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The output format. The default is text on a terminal, else json.", valueName: "format"))
  var format: OutputFormat?
  @Flag(name: .shortAndLong, help: "The same as --format json.")
  var json = false
  @Flag(name: .shortAndLong, help: "The same as --format text.")
  var text = false

  @Option(
    help: ArgumentHelp(
      "Print a line in this format: %{latitude} or any other JSON key, \\n, \\t, %%.", valueName: "template"),
    transform: { text in
      do throws(TemplateError) {
        return try OutputTemplate(parsing: text)
      } catch {
        throw ValidationError(error.description)
      }
    })
  var template: OutputTemplate?
  @OptionGroup var color: ColorOption
  @OptionGroup var notations: CoordinatesOption

  func validate() throws {
    if notations.coordinates != nil, template != nil || (format != nil && format != .json && format != .text) {
      throw ValidationError(
        "--coordinates is for text and JSON: leave it out; a template has %{mgrs} and the other notations.")
    }
    if [format != nil, json, text, template != nil].count(where: \.self) > 1 {
      throw ValidationError("Use only one of --format, --json, --text and --template.")
    }
  }

  var isChosen: Bool { format != nil || json || text || template != nil }

  /// The output style. It depends on whether standard output is a terminal only if no style was given.
  func style(forPeople: Bool) -> OutputStyle {
    if let template { return .template(template) }
    return .format(format ?? (json ? .json : text || forPeople ? .text : .json))
  }
}

extension OutputFormat: ExpressibleByArgument {}
