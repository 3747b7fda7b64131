import LocationPolicy
import TestSupport
import Testing
import locationctl

@Suite struct NotificationTextTests {
  private func buttons(_ kind: AuthorizationPrompt.Kind, isReduced: Bool = false) -> [String] {
    NotificationText(question(1, kind, isReduced: isReduced)).buttons.map { "\($0.name)=\($0.label)" }
  }

  /// The requested permission and the refusal are the first buttons, because some desktops show only three.
  @Test func theButtons() {
    #expect(
      buttons(.first(requestsAlways: false, offersAlways: true)) == [
        "w=While in use", "n=No", "a=Always", "o=Once", "wr=While in use, approximate",
      ])
    #expect(
      buttons(.first(requestsAlways: true, offersAlways: true), isReduced: true) == [
        "a=Always", "n=No", "w=While in use", "o=Once", "ae=Always, exact",
      ])
    #expect(buttons(.keepAlways) == ["a=Always", "w=Only while in use"])
    #expect(buttons(.fullAccuracy) == ["o=Yes, for now", "n=No"])
  }

  @Test func whatIsPressedIsTheAnswer() {
    let text = NotificationText(question(1))
    #expect(text.answer(Array("w\n".utf8)) == PromptAnswer(.whileInUse))
    #expect(text.answer(Array("wr\n".utf8)) == PromptAnswer(.whileInUse, isReduced: true))
    #expect(text.answer(Array("7\nn\n".utf8)) == PromptAnswer(.no))
    for output in ["", "\n", "x\n", "W\n", "default\n"] {
      #expect(text.answer(Array(output.utf8)) == nil, "\(output)")
    }
  }

  @Test func whatTheClientSaysIsNoMarkupNoOptionAndNoEscape() throws {
    let hostile = question(1, purpose: "--urgency=low <b>x</b> &amp; \\074i\\076 \\n\u{1B}[2J", name: "-x\"</body>")
    let arguments = NotificationText(hostile).arguments
    let marker = try #require(arguments.firstIndex(of: "--"))
    #expect(arguments[marker...].count == 3)
    let body = try #require(arguments.last)
    #expect(!body.contains("<") && !body.contains(">") && !body.contains("\u{1B}"))
    #expect(body.contains("--urgency=low &lt;b&gt;x&lt;/b&gt; &amp;amp; \\\\074i\\\\076 \\\\n"))
    #expect(body.contains("“-x\"&lt;/body&gt;”"))
    // The arguments before the marker contain only our own text.
    #expect(arguments[..<marker].allSatisfy { !$0.contains("x\"") && !$0.contains("low") })
  }

  @Test func longTextsAreTruncated() throws {
    let long = question(1, purpose: String(repeating: "<", count: 5000), name: String(repeating: "é", count: 5000))
    #expect(try #require(NotificationText(long).arguments.last).utf8.count < 2500)
  }
}

/// Random texts made of characters that control markup, options, escapes and terminals.
@Suite struct NotificationHostilityTests {
  private static let pieces = [
    "<", ">", "&", "&lt;", "\\", "\\n", "\\074", "\\x3c", "--", "-", "\"", "'", "\u{1B}[2J", "\n", "\r", "\u{202E}",
    "\u{9B}",
    "a", "é", "😀", "%s", "$(id)", "`", ";", "\u{0}", "</b>", "]]>",
  ]

  /// Expands a body as notify-send does (GLib, g_strcompress).
  private func expanded(_ body: String) -> String {
    var result = ""
    var isEscaped = false
    for scalar in body.unicodeScalars {
      if isEscaped {
        // Our texts contain only these two escapes.
        #expect(scalar == "\\" || scalar == "n")
        result.unicodeScalars.append(scalar == "n" ? "\n" : scalar)
        isEscaped = false
      } else if scalar == "\\" {
        isEscaped = true
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    #expect(!isEscaped)
    return result
  }

  @Test func nothingOfItIsMarkup() throws {
    for seed in 0..<500 {
      var random = SplitMix64(seed: UInt64(seed))
      func text(_ random: inout SplitMix64) -> String {
        (0..<Int(random.next() % 30)).map { _ in Self.pieces[Int(random.next() % UInt64(Self.pieces.count))] }.joined()
      }
      let hostile = question(1, purpose: text(&random), name: text(&random))
      let arguments = NotificationText(hostile).arguments
      #expect(arguments.filter { $0 == "--" }.count == 1 && arguments.allSatisfy { !$0.utf8.contains(0) })
      let body = expanded(try #require(arguments.last))
      #expect(!body.contains("<") && !body.contains(">"))
      // Only our code adds lines: one for what is requested, and one for each text that the client supplied.
      #expect(body.split(separator: "\n", omittingEmptySubsequences: false).count <= 3)
      for part in body.split(separator: "&", omittingEmptySubsequences: false).dropFirst() {
        #expect(["amp;", "lt;", "gt;"].contains { part.hasPrefix($0) }, "\(body)")
      }
    }
  }
}
