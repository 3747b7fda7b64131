/// What is gained by each of some, the most first; of equals the lower index.
struct GainHeap {
  typealias Element = (gain: Double, index: Int)
  private var elements: [Element] = []

  init(_ elements: [Element]) {
    self.elements = elements.sorted { Self.isBefore($0, $1) }
  }

  var first: Element? { elements.first }

  private static func isBefore(_ a: Element, _ b: Element) -> Bool {
    a.gain != b.gain ? a.gain > b.gain : a.index < b.index
  }

  mutating func push(_ element: Element) {
    elements.append(element)
    var child = elements.count - 1
    while child > 0, Self.isBefore(elements[child], elements[(child - 1) / 2]) {
      elements.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  mutating func pop() -> Element? {
    guard let last = elements.popLast() else { return nil }
    guard let best = elements.first else { return last }
    elements[0] = last
    var parent = 0
    while true {
      let children = (2 * parent + 1)...(2 * parent + 2)
      guard let child = children.filter({ $0 < elements.count }).min(by: { Self.isBefore(elements[$0], elements[$1]) }),
        Self.isBefore(elements[child], elements[parent])
      else { return best }
      elements.swapAt(child, parent)
      parent = child
    }
  }
}
