import ArgumentParser

/// `--plain`, for the commands that redraw.
struct PlainOption: ParsableArguments {
  @Flag(help: "Print whole lines only, without color, picture or progress line. For screen readers.")
  var plain = false

  func validate() { if plain { Redrawing.forbid() } }
}
