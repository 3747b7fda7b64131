import Foundation

/// All logs of one protocol together.
struct Totals {
  private let kind: ReceiverLog.Kind
  private let logs: Int
  private(set) var epochs = 0
  private var agree = 0
  private var withheld = 0
  private var unknown = 0
  private var lists = 0

  init(_ results: [LogResult], of kind: ReceiverLog.Kind) {
    self.kind = kind
    let results = results.filter { $0.log.kind == kind }
    logs = results.count
    for result in results {
      epochs += result.epochs
      agree += result.agree
      withheld += result.withheld
      unknown += result.unknownEpochs
      lists += result.lists
    }
  }

  /// The share of the epochs that agree in every field, of those in which the receiver does not itself report "no fix".
  var share: Double { Self.share(agree, of: epochs - withheld) }

  private static func share(_ part: Int, of all: Int) -> Double { all > 0 ? Double(part) / Double(all) : 0 }

  private static func percent(_ share: Double) -> String { String(format: "%.1f %%", share * 100) }

  var line: String {
    let rest = epochs - agree - withheld - unknown
    return
      "\(kind.rawValue): \(logs) receivers, \(epochs) epochs with \(lists) lists of satellites: \(agree) agree outright "
      + "(\(Self.percent(Self.share(agree, of: epochs))), and \(Self.percent(share)) where the receiver does not itself say "
      + "\"no fix\", as it does in \(withheld)), \(rest) differ as their classes say, \(unknown) otherwise"
  }
}
