/// A row of small bars, one per value, the newest at the right.
package enum Sparkline {
  private static let unicode = Array("▁▂▃▄▅▆▇█")
  private static let ascii = Array("_.-:=+*#")

  /// The last `columns` values as bars between 0 and the largest value, or `least` if that is larger; an unknown value
  /// is a space.
  package static func text(_ values: [Double?], columns: Int, least: Double, usesUnicode: Bool) -> String {
    let shown = values.suffix(max(0, columns))
    let top = max(least, shown.compactMap(\.self).max() ?? 0)
    let bars = usesUnicode ? unicode : ascii
    return String(
      shown.map { value -> Character in
        guard let value, value.isFinite, top.isFinite else { return " " }
        return bars[min(bars.count - 1, Int(max(0, value) / top * Double(bars.count)))]
      })
  }
}
