import LocationReplay
import LinuxIO
import LocationdHost
import Positioning
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
      "\(TerminalText.sanitized(path)) is not a GPX track (\(Self.reason(error))): use a GPX file.", .badInput)
  }

  static func reason(_ error: GPXError) -> String {
    switch error {
    case .notXML(let offset): "invalid XML at byte \(offset)"
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
        "\(name) cannot be read (\(ErrorDescription.of(error.errno))): \(remedy).",
        error.isPermission ? .denied : .badInput)
    }
  }
}

extension FailureMessage {
  /// Why a file cannot be written, if its disk is full; otherwise `nil`.
  ///
  /// - Parameter state: a clause with the resulting state of the file.
  init?(fullDiskOf path: String, _ error: SystemError, _ state: String) {
    guard error.isFullDisk else { return nil }
    self.init(
      "The disk of \(TerminalText.sanitized(path)) is full (\(ErrorDescription.of(error.errno))): free space there and try again; "
        + "\(state).", .cannotWrite)
  }
}

extension FailureMessage {
  /// Why a capture cannot be written.
  init(_ error: CaptureFileError) {
    switch error {
    case .exists(let path):
      self.init(
        "\(TerminalText.sanitized(path)) exists: use another file, or replace it with --force.", .cannotWrite)
    case .cannotCreate(let path, let errno):
      self.init(
        "\(TerminalText.sanitized(path)) cannot be written (\(ErrorDescription.of(errno))): check the path, or use another file.",
        .cannotWrite)
    case .cannotWrite(let path, let errno, let kept):
      self.init(
        "\(TerminalText.sanitized(path)) cannot be written any further (\(ErrorDescription.of(errno))): "
          + "it contains the first \(kept) bytes, which 'locationctl replay' can play.", .cannotWrite)
    case .readerGone: self.init("The program that read the output has closed it.", .done)
    }
  }
}

extension FailureMessage {
  /// Why a table of access points could not be read.
  init(_ error: AccessPointTableError, path: String, remedy: String) {
    let reason =
      switch error {
      case .noHeader: "it has no line with column names"
      case .missingColumn(let name): "its header has no column \(name)"
      case .nothingReadable(let line): "no line contains an access point; the first data line is line \(line)"
      }
    self.init("\(TerminalText.sanitized(path)) cannot be read (\(reason)): \(remedy).", .badInput)
  }
}

extension FailureMessage {
  /// Why no regions can be read from a file.
  init(
    _ error: RegionImportError, path: String, consequence: String = "was not imported, and nothing has changed",
    remedy: String
  ) {
    func at(_ place: TextPosition) -> String { "on line \(place.line)" }
    let reason =
      switch error {
      case .unknownFormat: "it is neither JSON nor XML"
      case .packed(.zip): "it is compressed: unpack it first (a KMZ file with unzip)"
      case .packed(.gzip): "it is compressed: unpack it first with gunzip"
      case .notJSON(_, let place): "line \(place.line) is not valid JSON"
      case .tooDeep(let most, let place): "it is nested more than \(most) levels deep \(at(place))"
      case .cutOff(let place): "it is incomplete and ends \(at(place))"
      case .notGeoJSON(let type, let place):
        "it is not GeoJSON" + (type.map { ", but a \(TerminalText.sanitized($0))" } ?? "") + ": see line \(place.line)"
      case .otherCoordinateSystem(let name, let place):
        "its coordinates are in \(TerminalText.sanitized(name)), and must be in WGS 84: see line \(place.line)"
      case .notXML(let place): "line \(place.line) is not valid XML"
      case .documentType(let place): "it has a document type declaration \(at(place)), which is not supported"
      case .otherEncoding(let name, let place):
        "its encoding is \(TerminalText.sanitized(name)), and must be UTF-8: see line \(place.line)"
      case .notKML(let root, let place):
        "it is not KML, but \(TerminalText.sanitized(root)): see line \(place.line)"
      case .tooMany(let most, let line): "it has more than \(most) regions, and reaches this limit on line \(line)"
      }
    self.init(
      "\(TerminalText.sanitized(path)) \(consequence) (\(reason)): \(remedy).", .badInput)
  }
}

extension FailureMessage {
  /// Why a file is not imported into a log.
  init(_ error: TrackImportError, path: String, remedy: String) {
    func at(_ place: TextPosition) -> String { "on line \(place.line)" }
    let reason =
      switch error {
      case .unknownFormat: "its format is not known"
      case .packed(.zip): "it is compressed: unpack it first with unzip (a KMZ file, too)"
      case .packed(.gzip): "it is compressed: unpack it first with gunzip"
      case .notJSON(let place): "line \(place.line) is not valid JSON"
      case .otherJSON: "it is JSON, but neither GeoJSON nor a Google Timeline"
      case .notXML(let place): "line \(place.line) is not valid XML"
      case .documentType(let place): "it has a document type declaration \(at(place)), which is not supported"
      case .otherEncoding(let name): "its encoding is \(TerminalText.sanitized(name)), and must be UTF-8"
      case .otherRoot(let name): "it is XML, but its root element is \(TerminalText.sanitized(name))"
      case .tooDeep(let most, let place): "it is nested more than \(most) levels deep \(at(place))"
      case .cutOff(let place): "it is incomplete and ends \(at(place))"
      case .missingColumn(let name): "its header has no column for the \(name)"
      case .tooMany(let most): "a track in it has more than \(most) positions"
      case .noTimes: "its points have no times, which is normal for a drawn line or a planned route"
      }
    self.init(
      "\(TerminalText.sanitized(path)) cannot be imported, and nothing has changed (\(reason)): \(remedy).", .badInput)
  }
}
