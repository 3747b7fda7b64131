import CoreLocation

/// Two monitors with one name, although only one is permitted.
@main struct Twice {
  static func main() async {
    let first = await CLMonitor("home")
    let second = await CLMonitor("home")
    print("two", first === second)
  }
}
