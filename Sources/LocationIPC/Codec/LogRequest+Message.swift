import Geodesy
import LocationPolicy

/// Field 1 is the case, 2 the name of the log. Starting an encrypted log is a case of its own: a service that does not support
/// encryption must not start an unencrypted one.
extension LogRequest: MessageContent {
  func write(to message: inout MessageWriter) {
    func put(_ code: UInt64, _ name: String? = nil) {
      message.put(1, code)
      message.put(2, name)
    }
    switch self {
    case .start(let name, let options, let publicKey):
      put(publicKey == nil ? 0 : 6, name)
      message.put(3, SealedOptions(options, publicKey))
    case .stop(let name): put(1, name)
    case .remove(let name): put(2, name)
    case .list: put(3)
    case .read(let name, let from, let to):
      put(4, name)
      message.put(4, signed: from?.nanosecondsSince1970)
      message.put(5, signed: to?.nanosecondsSince1970)
    case .readSealed(let name, let from, let to):
      put(7, name)
      message.put(4, signed: from?.nanosecondsSince1970)
      message.put(5, signed: to?.nanosecondsSince1970)
    case .readOn(let bookmark):
      put(5)
      message.put(6, UInt64(bookmark.rawValue))
    case .addImported(let name, let entries):
      put(8, name)
      message.put(7, entries, limit: MessageLimits.importedEntries)
    case .finishImport(let name): put(9, name)
    case .rename(let name, let new):
      put(10, name)
      message.put(8, new)
    case .note(let name, let text):
      put(11, name)
      message.put(8, text)
    case .notes(let name, let index):
      put(12, name)
      message.put(9, UInt64(clamping: index))
    case .follow(let name, let from):
      put(13, name)
      message.put(4, signed: from?.nanosecondsSince1970)
    case .followSealed(let name, let from):
      put(14, name)
      message.put(4, signed: from?.nanosecondsSince1970)
    case .followOn(let bookmark):
      put(15)
      message.put(6, UInt64(bookmark.rawValue))
    }
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    let code = try fields.number(1).required(1)
    let name = try fields.text(2) ?? ""
    switch code {
    case 0, 6:
      let sealed: SealedOptions = try fields.content(3).required(3)
      self = .start(name: name, sealed.options, publicKey: sealed.publicKey)
    case 1: self = .stop(name: name)
    case 2: self = .remove(name: name)
    case 3: self = .list
    case 4, 7:
      let from = try fields.signed(4).map { GNSSTime(nanosecondsSince1970: $0) }
      let to = try fields.signed(5).map { GNSSTime(nanosecondsSince1970: $0) }
      self = code == 4 ? .read(name: name, from: from, to: to) : .readSealed(name: name, from: from, to: to)
    case 5: self = .readOn(Bookmark(try fields.integer(6).required(6)))
    case 8: self = .addImported(name: name, try fields.list(7, limit: MessageLimits.importedEntries) ?? [])
    case 9: self = .finishImport(name: name)
    case 10: self = .rename(name: name, to: try fields.text(8).required(8))
    case 11: self = .note(name: name, text: try fields.text(8).required(8))
    case 12: self = .notes(name: name, from: try fields.integer(9) ?? 0)
    case 13, 14:
      let from = try fields.signed(4).map { GNSSTime(nanosecondsSince1970: $0) }
      self = code == 13 ? .follow(name: name, from: from) : .followSealed(name: name, from: from)
    case 15: self = .followOn(Bookmark(try fields.integer(6).required(6)))
    default: throw .unknownCode(field: 1, found: code)
    }
  }
}

/// The options of a log, with its key as text.
struct SealedOptions: MessageContent {
  let options: LogOptions
  let publicKey: String?

  init(_ options: LogOptions, _ publicKey: String?) { (self.options, self.publicKey) = (options, publicKey) }

  func write(to message: inout MessageWriter) {
    message.put(1, options.distanceFilter?.value)
    message.put(2, options.interval)
    message.put(3, options.desiredRadius68?.value)
    message.put(4, options.keepsStandstill)
    message.put(5, options.keepsSuspects)
    switch options.retention {
    case .days(let count)?: message.put(6, UInt64(clamping: count))
    case .megabytes(let count)?: message.put(7, UInt64(clamping: count))
    case nil: break
    }
    message.put(8, publicKey)
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    var options = LogOptions()
    options.distanceFilter = try Self.positive(fields, 1).map { Meters($0) }
    options.interval = try fields.duration(2)
    options.desiredRadius68 = try Self.positive(fields, 3).map { Meters($0) }
    options.keepsStandstill = try fields.flag(4) ?? false
    options.keepsSuspects = try fields.flag(5) ?? false
    if let days: Int = try fields.integer(6) {
      options.retention = .days(days)
    } else if let megabytes: Int = try fields.integer(7) {
      options.retention = .megabytes(megabytes)
    }
    if let interval = options.interval, interval < .zero {
      throw .outOfRange(field: 2, found: UInt64(bitPattern: interval.wholeNanoseconds))
    }
    if let retention = options.retention, !retention.isAllowed { throw .outOfRange(field: 6, found: 0) }
    self.init(options, try fields.text(8))
  }

  private static func positive(_ fields: borrowing MessageFields, _ field: Int) throws(MessageError) -> Double? {
    guard let value = try fields.double(field) else { return nil }
    guard value >= 0 else { throw .outOfRange(field: field, found: value.bitPattern) }
    return value
  }
}
