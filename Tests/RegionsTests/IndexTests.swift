import Geodesy
import Regions
import TestSupport
import Testing

/// The index, compared with a test of every shape by geodesics.
@Suite struct IndexTests {
  @Test(arguments: RandomShapes.Extent.allCases) func findsWhatASlowSearchFinds(_ extent: RandomShapes.Extent) throws {
    var random = RandomShapes(random: SplitMix64(seed: 11))
    var index = RegionIndex()
    var model: [UInt32: RegionShape] = [:]
    for round in 0..<1500 {
      // The index grows, and then shrinks.
      let removes = Int.random(in: 0..<(round < 1000 ? 4 : 2), using: &random.random) == 0
      if removes, let slot = model.keys.sorted().randomElement(using: &random.random) {
        index.remove(slot)
        model[slot] = nil
      } else if round < 1000 {
        let shape = try random.shape(extent)
        let slot = index.add(shape)
        #expect(model[slot] == nil)
        #expect(index.shape(of: slot) == shape)
        model[slot] = shape
      }
      guard round.isMultiple(of: 10) else { continue }
      #expect(index.count == model.count)
      let near = model.sorted { $0.key < $1.key }.randomElement(using: &random.random)
      let place = round.isMultiple(of: 20) ? near.map { random.place(nearBorderOf: $0.value) } : nil
      let point = place ?? random.place(extent)
      let expected = model.filter { $0.value.contains(point) }.keys.sorted()
      #expect(index.slots(containing: point).sorted() == expected, "\(point)")
    }
  }

  @Test(arguments: RandomShapes.Extent.allCases) func anyOrderGivesTheSame(_ extent: RandomShapes.Extent) throws {
    var random = RandomShapes(random: SplitMix64(seed: 12))
    let shapes = try (0..<600).map { _ in try random.shape(extent) }
    var together = RegionIndex()
    together.add(shapes)
    var backwards = RegionIndex()
    for shape in shapes.reversed() { _ = backwards.add(shape) }
    var churned = RegionIndex()
    for shape in shapes { _ = churned.add(shape) }
    for slot in 0..<UInt32(600) { churned.remove(slot) }
    #expect(churned.count == 0)
    #expect(churned.nearestBorder(from: random.place(extent)) == nil)
    for shape in shapes { _ = churned.add(shape) }
    for _ in 0..<200 {
      let place = random.place(extent)
      func found(_ index: RegionIndex) -> Set<RegionShape> {
        Set(index.slots(containing: place).compactMap { index.shape(of: $0) })
      }
      #expect(found(together) == found(backwards))
      #expect(found(together) == found(churned))
      #expect(together.nearestBorder(from: place) == backwards.nearestBorder(from: place))
    }
  }

  /// The distance to the border of a circle follows from the geodesic to its center.
  @Test(arguments: RandomShapes.Extent.allCases) func nearestBorderIsNoNearerThanSaid(_ extent: RandomShapes.Extent)
    throws
  {
    var random = RandomShapes(random: SplitMix64(seed: 13))
    var circles: [CircleShape] = []
    var index = RegionIndex()
    for _ in 0..<400 {
      let shape = try random.circle(extent)
      if case .circle(let circle) = shape { circles.append(circle) }
      _ = index.add(shape)
    }
    for _ in 0..<100 {
      let place = random.place(extent)
      let truth = circles.map { abs(Geodesic.inverse(from: place, to: $0.center).distance.value - $0.radius.value) }
        .min()
      let reported = try #require(index.nearestBorder(from: place)).value
      let exact = try #require(truth)
      #expect(reported <= exact + 1e-6)
      #expect(reported >= exact - 0.02 - exact * 1e-3, "told \(reported), is \(exact)")
    }
  }

  /// At any position nearer than the reported nearest border, the containing regions are the same.
  @Test(arguments: RandomShapes.Extent.allCases) func nothingChangesBeforeTheNearestBorder(
    _ extent: RandomShapes.Extent
  ) throws {
    var random = RandomShapes(random: SplitMix64(seed: 14))
    var index = RegionIndex()
    for _ in 0..<100 { _ = index.add(try random.star(extent)) }
    for _ in 0..<60 {
      let place = random.place(extent)
      let free = try #require(index.nearestBorder(from: place))
      let there = index.slots(containing: place).sorted()
      for _ in 0..<8 {
        let course = Angle(degrees: random.number(0...360))
        let near = Geodesic.direct(from: place, course: course, distance: free * 0.999).coordinate
        #expect(index.slots(containing: near).sorted() == there)
      }
    }
  }

  /// A thousand circles around one position, which no subdivision would separate.
  @Test func circlesOfOnePlace() throws {
    let place = Coordinate(latitude: Angle(degrees: 1), longitude: Angle(degrees: 2))
    var index = RegionIndex()
    for number in 1...1000 { _ = index.add(.circle(try CircleShape(center: place, radius: Meters(Double(number))))) }
    #expect(index.slots(containing: place).count == 1000)
    let away = Geodesic.direct(from: place, course: Angle(degrees: 33), distance: Meters(400.5)).coordinate
    #expect(index.slots(containing: away).count == 600)
    let border = try #require(index.nearestBorder(from: away)).value
    #expect(abs(border - 0.5) < 0.02)
  }
}
