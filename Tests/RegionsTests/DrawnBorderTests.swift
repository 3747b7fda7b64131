import Geodesy
import Regions
import Testing

/// Borders in drawings.
@Suite struct DrawnBorderTests {
  @Test(arguments: Drawing.origins) func polygonWithABay(_ name: String, _ origin: Coordinate) throws {
    try check(
      """
        o           o              o
          A-----------B    o
          | i       i |       D---------E
        o |           |      /     i    |
          | i         |     /           |
          |            \\   /     i      |   o
          |   i      i  C        i      |
          |                             |
          | i         i          i      |
          G-----------------------------F
        o              o                    o
      """, at: origin, name)
  }

  @Test(arguments: Drawing.origins) func sidesThatCross(_ name: String, _ origin: Coordinate) throws {
    try check(
      """
          A                     C
          | \\               /  |
          |  i   \\   o   /   i |
        o |         \\  /        |   o
          |  i   /   o   \\   i |
          | /              \\   |
          D                     B
                     o
      """, at: origin, name)
  }

  @Test(arguments: Drawing.origins) func circle(_ name: String, _ origin: Coordinate) throws {
    let drawing = Drawing(
      """
           o     o      o
              .------.
            /     i    \\
      o    |            |   o
           | i    +   i |
           |            |
            \\    i    /
         o    '------'    o
                 o
      """, at: origin)
    let shape = RegionShape.circle(try CircleShape(center: try #require(drawing.center), radius: Meters(34)))
    check(drawing, shape, name)
  }

  private func check(_ text: String, at origin: Coordinate, _ name: String) throws {
    let drawing = Drawing(text, at: origin)
    check(drawing, .polygon(try PolygonShape(corners: drawing.corners)), name)
  }

  private func check(_ drawing: Drawing, _ shape: RegionShape, _ name: String) {
    var index = RegionIndex()
    _ = index.add(shape)
    #expect(!drawing.inside.isEmpty && !drawing.outside.isEmpty)
    for place in drawing.inside {
      #expect(shape.contains(place), "\(name): \(place)")
      #expect(index.slots(containing: place) == [0], "\(name): \(place)")
    }
    for place in drawing.outside {
      #expect(!shape.contains(place), "\(name): \(place)")
      #expect(index.slots(containing: place).isEmpty, "\(name): \(place)")
    }
  }
}
