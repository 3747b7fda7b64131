import LocationIPC
import LocationPolicy

extension LogWish {
  /// The configuration that a client requested.
  init(_ options: LogOptions) throws(SealTextError) {
    self.init()
    seal = try options.seal.map { text throws(SealTextError) in try SealKey(text) }
    distanceFilter = options.distanceFilter
    interval = options.interval
    desiredRadius68 = options.desiredRadius68
    keepsStandstill = options.keepsStandstill
    keepsSuspects = options.keepsSuspects
    retention = options.keeps.map { amount in
      switch amount {
      case .days(let count): .days(count)
      case .megabytes(let count): .megabytes(count)
      }
    }
  }

  /// The same configuration as it is reported to a client.
  var options: LogOptions {
    var options = LogOptions()
    options.distanceFilter = distanceFilter
    options.interval = interval
    options.desiredRadius68 = desiredRadius68
    options.keepsStandstill = keepsStandstill
    options.keepsSuspects = keepsSuspects
    options.seal = seal?.text
    options.keeps = retention.map { amount in
      switch amount {
      case .days(let count): .days(count)
      case .megabytes(let count): .megabytes(count)
      }
    }
    return options
  }
}
