import Evaluation
import LinuxIO
import LocationdHost
import TrackFormats

extension FailureMessage {
  /// Why a table could not be read.
  init(_ error: TableError, path: String, remedy: String) {
    self.init("\(TerminalText.sanitized(path)) cannot be read (\(Self.reason(error))): \(remedy).", .badInput)
  }

  private static func reason(_ error: TableError) -> String {
    let line = "line \(error.line)"
    switch error.problem {
    case .empty: return "the header is missing"
    case .missingColumn(let column): return "\(line): the header has no column \(column.rawValue)"
    case .repeatedColumn(let column): return "\(line): the header has the column \(column.rawValue) twice"
    case .lineTooLong(let limit): return "\(line) is longer than \(limit) bytes"
    case .tooManyColumns(let limit): return "\(line) has more than \(limit) columns"
    case .tooManyRows(let limit): return "\(line): more than \(limit) rows"
    case .fieldCount(let count, let expected):
      return "\(line) has \(count) \(count == 1 ? "field" : "fields") instead of the \(expected) of the header"
    case .openQuote: return "\(line) has an opening quotation mark without a closing one"
    case .notANumber(let column): return "\(line): \(column.rawValue) is not a number"
    case .outOfRange(let column): return "\(line): \(column.rawValue) is out of range"
    }
  }
}

extension FailureMessage {
  /// Why a file is not a track.
  init(_ error: GPXError, path: String) {
    self.init(
      "\(TerminalText.sanitized(path)) is not a GPX track (\(Self.reason(error))): name a GPX file.", .badInput)
  }

  private static func reason(_ error: GPXError) -> String {
    switch error {
    case .notXML(let offset): "not XML at byte \(offset)"
    case .notGPX: "its root element is not gpx"
    case .documentType: "it has a document type declaration"
    case .badPoint(let offset): "a point without a position before byte \(offset)"
    case .badTime(let offset): "an invalid time before byte \(offset)"
    }
  }

  /// Why a file could not be read.
  init(_ error: InputFileError, path: String, remedy: String) {
    let name = TerminalText.sanitized(path)
    switch error {
    case .doesNotExist: self.init("There is no file \(name): \(remedy).", .badInput)
    case .isNotARegularFile: self.init("\(name) is not a regular file: \(remedy).", .badInput)
    case .system(let error):
      self.init(
        "\(name) cannot be read (\(ErrorWords.of(error.errno))): \(remedy).",
        error.isPermission ? .denied : .badInput)
    }
  }
}

extension FailureMessage {
  /// Why a capture cannot be written.
  init(_ error: CaptureFileError) {
    switch error {
    case .exists(let path):
      self.init(
        "\(TerminalText.sanitized(path)) exists: name another file, or replace it with --force.", .cannotWrite)
    case .cannotCreate(let path, let errno):
      self.init(
        "\(TerminalText.sanitized(path)) cannot be written (\(ErrorWords.of(errno))): check the path, or name another file.",
        .cannotWrite)
    case .cannotWrite(let path, let errno, let kept):
      self.init(
        "\(TerminalText.sanitized(path)) cannot be written any further (\(ErrorWords.of(errno))): "
          + "the first \(kept) bytes are in it, and 'locationctl replay' can play them.", .cannotWrite)
    case .readerGone: self.init("The reader of the output has closed it.", .done)
    }
  }
}
