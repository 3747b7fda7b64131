import Geodesy
import PlacesCore
import Synchronization
import Testing

/// Imported data is answered first, and completed with the data of the world.
@Suite struct PlaceFinderTests {
  /// An imported file with one address.
  private struct Street: PlaceSource {
    var dataDate = "2026-01-01"
    var number = "49"
    /// That of most places in the file.
    var country: String?

    var provenance: PlaceProvenance {
      PlaceProvenance(
        name: "street", license: "ODbL-1.0", attribution: "© OpenStreetMap contributors", dataDate: dataDate)
    }

    private var address: Place {
      var found = Place(coordinate: Tests.vaduz, kind: .address)
      (found.thoroughfare, found.subThoroughfare, found.isoCountryCode) = ("Städtle", number, country)
      found.name = AddressOrder.line(street: "Städtle", number: number, country: country)
      found.sources = [provenance]
      return found
    }

    func place(at query: ReverseQuery) -> Place? {
      Geodesic.distance(from: query.coordinate, to: Tests.vaduz).value < 100 ? address : nil
    }

    func places(matching query: ForwardQuery) -> [Place] { [address] }
  }

  private enum Tests {
    static let vaduz = Coordinate(latitude: Angle(degrees: 47.1393), longitude: Angle(degrees: 9.5228))
  }

  @Test func worldAloneKnowsTownRegionCountryAndZone() throws {
    let finder = PlaceFinder(imported: [], world: try CutPlaces())
    let found = try #require(try finder.place(at: ReverseQuery(Tests.vaduz)))
    #expect(found.kind == .town)
    #expect((found.name, found.locality) == ("Vaduz", "Vaduz"))
    #expect((found.isoCountryCode, found.timeZone) == ("LI", "Europe/Vaduz"))
    #expect(found.sources.map(\.license) == ["ODbL-1.0", "CC-BY-4.0"])
    #expect((found.distance?.value ?? 0) < 500)
  }

  @Test func importedAddressIsCompleted() throws {
    let finder = PlaceFinder(imported: [Street()], world: try CutPlaces())
    let found = try #require(try finder.place(at: ReverseQuery(Tests.vaduz)))
    #expect((found.kind, found.name) == (.address, "Städtle 49"))
    #expect((found.locality, found.isoCountryCode, found.timeZone) == ("Vaduz", "LI", "Europe/Vaduz"))
    #expect(found.sources.count == 3)
    // Elsewhere the world answers.
    let zurich = try #require(try finder.place(at: ReverseQuery(place(47.3769, 8.5417))))
    #expect((zurich.kind, zurich.locality) == (.quarter, "Zürich"))
    #expect(zurich.subLocality != nil)
  }

  /// An extract has parts of other countries, or several countries.
  @Test func theCountryIsThatOfThePosition() throws {
    let finder = PlaceFinder(imported: [Street(country: "FR")], world: try CutPlaces())
    let alone = PlaceFinder(imported: [Street(country: "FR")], world: nil)
    #expect(try alone.place(at: ReverseQuery(Tests.vaduz))?.name == "49 Städtle")
    let found = try #require(try finder.place(at: ReverseQuery(Tests.vaduz)))
    #expect((found.name, found.isoCountryCode, found.locality) == ("Städtle 49", "LI", "Vaduz"))
    let searched = try #require(try finder.places(matching: ForwardQuery(.text("Städtle 49"))).first)
    #expect((searched.name, searched.isoCountryCode) == ("Städtle 49", "LI"))
  }

  @Test func theNewestDataAnswers() throws {
    let finder = PlaceFinder(
      imported: [Street(dataDate: "2024-03-04", number: "1"), Street(dataDate: "2026-03-04", number: "2")], world: nil)
    #expect(try finder.place(at: ReverseQuery(Tests.vaduz))?.subThoroughfare == "2")
  }

  /// A file that is found to be damaged only while it answers.
  private struct Damaged: PlaceSource {
    let provenance = PlaceProvenance(name: "damaged", license: "ODbL-1.0", attribution: "", dataDate: "2027-01-01")

    func place(at query: ReverseQuery) throws(PlaceError) -> Place? { throw .damaged(path: "damaged", part: "block") }
    func places(matching query: ForwardQuery) throws(PlaceError) -> [Place] {
      throw .damaged(path: "damaged", part: "block")
    }
  }

  private final class Reports: Sendable {
    let errors = Mutex<[PlaceError]>([])
  }

  @Test func aDamagedFileIsReportedAndTheOthersAnswer() throws {
    let reports = Reports()
    let finder = PlaceFinder(imported: [Damaged(), Street()], world: nil) { error in
      reports.errors.withLock { $0.append(error) }
    }
    #expect(try finder.place(at: ReverseQuery(Tests.vaduz))?.name == "Städtle 49")
    #expect(reports.errors.withLock { $0 } == [.damaged(path: "damaged", part: "block")])
    #expect(try finder.places(matching: ForwardQuery(.text("Städtle 49"))).first?.name == "Städtle 49")
    #expect(reports.errors.withLock { $0.count } == 2)
  }

  @Test func duplicatesAreOnePlace() throws {
    let finder = PlaceFinder(imported: [Street(), Street()], world: nil)
    #expect(try finder.places(matching: ForwardQuery(.text("Städtle 49"))).count == 1)
  }

  /// As on an envelope.
  @Test func aCountryAtTheEndSelects() throws {
    let finder = PlaceFinder(imported: [Street(country: "LI")], world: try CutPlaces())
    for text in ["Städtle 49, Vaduz, Liechtenstein", "Städtle 49, LI"] {
      #expect(try finder.places(matching: ForwardQuery(.text(text))).first?.name == "Städtle 49", "\(text)")
    }
    #expect(
      try finder.places(matching: ForwardQuery(.text("Vaduz, Liechtenstein"))).contains { $0.locality == "Vaduz" })
    var parts = AddressParts()
    (parts.street, parts.isoCountryCode) = ("Städtle 49", "LI")
    #expect(try finder.places(matching: ForwardQuery(.parts(parts))).first?.name == "Städtle 49")
  }

  /// A partial match beside a complete one is no alternative.
  @Test func partialMatchesAreDroppedBesideCompleteOnes() throws {
    struct Half: PlaceSource {
      let provenance = PlaceProvenance(name: "half", license: "", attribution: "", dataDate: "2027-01-01")
      func place(at query: ReverseQuery) -> Place? { nil }
      func places(matching query: ForwardQuery) -> [Place] {
        var place = Place(coordinate: Tests.vaduz, kind: .town)
        (place.name, place.match) = ("Half", .partial)
        return [place]
      }
    }
    let query = ForwardQuery(.text("Städtle 49"))
    let both = PlaceFinder(imported: [Half(), Street()], world: nil)
    #expect(try both.places(matching: query).map(\.match) == [.complete])
    let half = PlaceFinder(imported: [Half()], world: nil)
    #expect(try half.places(matching: query).map(\.match) == [.partial])
  }

  @Test func atSeaThereIsAnOceanAndAZoneButNoCountry() throws {
    let finder = PlaceFinder(imported: [], world: try CutPlaces())
    let found = try #require(try finder.place(at: ReverseQuery(place(42.05, 5.5))))
    #expect((found.kind, found.ocean, found.timeZone) == (.ocean, "Mediterranean Sea", "Etc/GMT"))
    #expect(found.isoCountryCode == nil)
    #expect(found.locality == nil)
  }

  @Test(arguments: [
    (40.0, -40.0, "North Atlantic Ocean"), (-20, -10, "South Atlantic Ocean"), (30, -140, "North Pacific Ocean"),
    (-30, -100, "South Pacific Ocean"), (20, 160, "North Pacific Ocean"), (-20, 80, "Indian Ocean"),
    (80, 0, "Arctic Ocean"),
    (-65, 0, "Southern Ocean"), (43, 34, "Black Sea"), (25, -90, "Gulf of Mexico"), (15, -75, "Caribbean Sea"),
    (44.5, -3, "North Atlantic Ocean"), (64.8, 10.2, "North Atlantic Ocean"), (63.5, 20, "Baltic Sea"),
    (19.3, -82, "Caribbean Sea"), (16.5, -87.5, "Caribbean Sea"), (20, -93, "Gulf of Mexico"),
    (40, 5, "Mediterranean Sea"), (43.5, 14.5, "Mediterranean Sea"), (57, 19, "Baltic Sea"),
    (5, -85, "North Pacific Ocean"), (-40, 155, "South Pacific Ocean"), (-38, 100, "Indian Ocean"),
  ])
  func namesOceans(_ latitude: Double, _ longitude: Double, _ name: String) {
    #expect(Oceans.name(at: place(latitude, longitude)) == name)
  }
}
