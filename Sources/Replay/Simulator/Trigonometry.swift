/// Sine and cosine without C: the simulator's few calls an epoch need no more than 1e-12 and no speed.
enum Trigonometry {
  /// Sine and cosine of an angle of at most some million turns.
  static func sineAndCosine(radians: Double) -> (sine: Double, cosine: Double) {
    let quarterTurns = (radians / (.pi / 2)).rounded()
    let x = radians - quarterTurns * (.pi / 2)
    let (sine, cosine) = (sineSeries(x), cosineSeries(x))
    switch Int(exactly: quarterTurns.truncatingRemainder(dividingBy: 4)).map({ ($0 + 4) % 4 }) {
    case 0: return (sine, cosine)
    case 1: return (cosine, -sine)
    case 2: return (-sine, -cosine)
    case 3: return (-cosine, sine)
    case .some, .none: return (.nan, .nan)
    }
  }

  // Taylor series for |x| ≤ π/4, where the first term left out is below 1e-16.
  private static func sineSeries(_ x: Double) -> Double {
    var term = x
    var sum = x
    for n in stride(from: 2.0, through: 16, by: 2) {
      term *= -x * x / (n * (n + 1))
      sum += term
    }
    return sum
  }

  private static func cosineSeries(_ x: Double) -> Double {
    var term = 1.0
    var sum = 1.0
    for n in stride(from: 1.0, through: 17, by: 2) {
      term *= -x * x / (n * (n + 1))
      sum += term
    }
    return sum
  }
}
