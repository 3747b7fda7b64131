import CoreLocation

/// Two monitors of one name, which is one too many.
@main struct Twice {
  static func main() async {
    let first = await CLMonitor("home")
    let second = await CLMonitor("home")
    print("two", first === second)
  }
}
