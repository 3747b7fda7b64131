extension RandomAccessCollection where Index == Int {
  /// The index of the first element that fulfills the condition, found by binary search; `endIndex` if no element does.
  /// All elements after the first one that fulfills the condition must fulfill it, too.
  @inlinable package func partitioningIndex(where isBeyond: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if isBeyond(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
