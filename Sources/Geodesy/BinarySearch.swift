extension RandomAccessCollection where Index == Int {
  /// The index of the first element that fulfills the condition, as all after it do; `endIndex`: there is none. By binary search.
  @inlinable package func partitioningIndex(where isBeyond: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if isBeyond(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
