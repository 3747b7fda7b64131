import Geodesy
import LocationIPC
import Positioning
import WireFormats

extension MessageGenerator {
  mutating func wifiRequest() -> WiFiRequest {
    switch int(0...5) {
    case 0: .scan
    case 4: .locate
    case 1: .account
    case 2: .read(one(of: AccessPointOrigin.allCases), after: maybe { $0.bssid() })
    case 3: .add(list(upTo: 240) { $0.accessPointPlace() })
    case 5: .leaveOut(list(upTo: 240) { $0.bssid() })
    default: .forget(one(of: AccessPointOrigin.allCases))
    }
  }

  mutating func wifiAnswer() -> WiFiAnswer {
    switch int(0...2) {
    case 0: .received(located())
    case 1: .account(account())
    default:
      .places(
        list(upTo: 40) {
          let first = $0.int(0...30_000)
          let days = first...(first + $0.int(0...3000))
          return KnownAccessPoint(
            place: $0.accessPointPlace(), observations: $0.maybe { $0.int(1...65_535) }, days: $0.maybe { _ in days })
        }, next: maybe { $0.bssid() })
    }
  }

  mutating func wifiReport() -> WiFiReport {
    switch int(0...3) {
    case 0: .off
    case 1: .resting
    case 2: .listening(received: int(0...1000), known: int(0...1000), problem: maybe { $0.radioProblem() })
    default: .deaf(radioProblem())
    }
  }

  private mutating func account() -> WiFiAccount {
    var account = WiFiAccount(
      learned: int(0...1_000_000), imported: int(0...10_000_000), fetched: int(0...1_000_000), tiles: int(0...1000))
    account.provider = maybe { $0.standing() }
    account.tileSource = maybe { $0.standing() }
    return account
  }

  private mutating func standing() -> NetworkSourceStatus {
    NetworkSourceStatus(
      name: text(),
      problem: maybe {
        let code = UInt8($0.int(1...15))
        let hasNumber = [11, 12, 15].contains(code)
        return FetchProblem(code: code, number: Int32(hasNumber ? $0.int(1...599) : 0)) ?? .nonsense
      }, badTiles: int(0...100))
  }

  private mutating func located() -> WiFiObservation {
    var located = WiFiObservation()
    located.accessPoints = list(upTo: 40) {
      VisibleAccessPoint(
        bssid: $0.bssid(), signalDecibelMilliwatts: $0.maybe { Double(-$0.int(1...110)) },
        frequencyMegahertz: $0.maybe { $0.int(2400...7200) }, age: .milliseconds($0.int(0...30_000)),
        isKnown: $0.flag())
    }
    if flag() {
      located.coordinate = accessPointPlace().coordinate
      located.horizontalRadius68 = Meters(positive())
    }
    located.problem = maybe { $0.radioProblem() }
    return located
  }

  mutating func radioProblem() -> RadioProblem {
    switch int(0...7) {
    case 0: .noKernelSupport
    case 1: .noRadio
    case 2: .noAnswer
    case 3: .noSocket(errno: Int32(int(1...133)))
    case 4: .noPrivilege
    case 5: .interfaceDown(name: text())
    case 6: .servesOthers(name: text())
    default: .refused(name: text(), errno: Int32(int(1...133)))
    }
  }

  private mutating func bssid() -> BSSID {
    guard let bssid = BSSID(rawValue: UInt64(int(0...(1 << 48) - 1))) else { preconditionFailure("48 bits") }
    return bssid
  }

  /// An access point with the precision of a stored row.
  private mutating func accessPointPlace() -> AccessPointPosition {
    let (latitude, longitude) = (int(-900_000_000...900_000_000), int(-1_800_000_000...1_800_000_000))
    return AccessPointPosition(
      bssid: bssid(),
      coordinate: Coordinate(
        latitude: Angle(degrees: Double(latitude) / 1e7), longitude: Angle(degrees: Double(longitude) / 1e7)),
      radius68: Meters(Double(int(1...65_535)) / 10))
  }
}
