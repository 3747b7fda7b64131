import Testing

import PlacesCore

/// Names that people write in different ways have one folded form.
@Suite struct TextFoldingTests {
  @Test(arguments: [
    ("Straße", "strasse"), ("STRASSE", "strasse"), ("Zürich", "zurich"), ("Zu\u{308}rich", "zurich"), ("Łódź", "lodz"),
    ("Saint-Louis", "saint louis"), ("  St.  Gallen ", "st gallen"), ("Ærøskøbing", "aeroskobing"), ("İzmir", "izmir"),
    ("Đà Nẵng", "da nang"), ("Αθήνα", "αθηνα"), ("Йошкар-Ола", "иошкар ола"), ("東京", "東京"), ("１２", "12"),
    ("203-06 109th Avenue", "203 06 109th avenue"), ("", ""), ("—", ""), ("O’Brien", "o brien"),
  ])
  func folds(_ text: String, _ folded: String) {
    #expect(TextFolding.fold(text) == folded)
    #expect(TextFolding.fold(folded) == folded)
  }

  @Test func givesWords() {
    #expect(TextFolding.words("Rue de l'Église, 12 bis") == ["rue", "de", "l", "eglise", "12", "bis"])
  }
}
