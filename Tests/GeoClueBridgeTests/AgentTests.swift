import BusMessages
import GeoClueBridge
import Geodesy
import TestSupport
import Testing

@Suite struct AgentTests {
  private func properties(_ most: UInt32) -> [BusValue] {
    [.properties([(name: "MaxAccuracyLevel", value: .uint32(most))])]
  }

  private func changed(_ most: UInt32) -> BusSignal {
    .changed(GeoClue.agentInterface, of: GeoClue.agentPath, [(name: "MaxAccuracyLevel", value: .uint32(most))])
  }

  /// An agent that answered only one call at a time would wait for ever otherwise.
  @Test func itsPropertiesAreReadBeforeItIsAdded() {
    var run = BridgeRun()
    #expect(run.manager("AddAgent", [.string("gnome-shell")], from: ":1.5") == [.readAgent(":1.5")])
    #expect(run.handle(.agentProperties(properties(8), from: ":1.5")) == [.answer(run.number, [])])
  }

  @Test func onlyKnownAgentsAreAdded() {
    var run = BridgeRun()
    #expect(
      run.manager("AddAgent", [.string("evil")]) == [
        .fail(run.number, .accessDenied("ID not allowed to act as agent"))
      ])
  }

  @Test func aSandboxedProgramIsNoAgent() {
    var run = BridgeRun()
    let actions = run.call(
      GeoClue.managerPath, "org.freedesktop.GeoClue2.Manager", "AddAgent", [.string("gnome-shell")], isSandboxed: true)
    #expect(actions == [.fail(run.number, .accessDenied("ID not allowed to act as agent"))])
  }

  @Test func theCallOfAnAgentThatEndsBeforeItIsAddedIsForgotten() {
    var run = BridgeRun()
    _ = run.manager("AddAgent", [.string("gnome-shell")], from: ":1.5")
    #expect(run.handle(.left(":1.5")) == [.fail(run.number, .failed("The agent has ended"))])
    #expect(run.handle(.agentProperties(properties(0), from: ":1.5")) == [])
  }

  @Test func anAgentHoldsTheClientsOfItsUserAndLetsThemGoOn() {
    var run = BridgeRun.active()
    _ = run.manager("AddAgent", [.string("gnome-shell")], from: ":1.5")
    _ = run.handle(.agentProperties(properties(8), from: ":1.5"))
    #expect(
      run.handle(.signal(changed(0), from: ":1.5")) == [
        .close(client: 1), .emit(BridgeRun.changed([("Active", .boolean(false))]), to: ":1.7"), BridgeRun.used(false),
      ])
    #expect(run.client("Start").count == 1)
    #expect(
      run.handle(.signal(changed(8), from: ":1.5")) == [
        .open(client: 1, owner: ":1.7", name: "maps", isReduced: false)
      ])
    #expect(
      run.handle(.authorization(client: 1, .allowed)) == [
        .emit(BridgeRun.changed([("Active", .boolean(true))]), to: ":1.7"), BridgeRun.used(true),
        .update(client: 1, isReduced: false),
      ])
  }

  @Test func anAgentOfAnotherUserChangesNothing() {
    var run = BridgeRun.active()
    _ = run.manager("AddAgent", [.string("gnome-shell")], from: ":1.5", userID: 1001)
    #expect(run.handle(.agentProperties(properties(0), from: ":1.5")) == [.answer(run.number, [])])
    // Neither does a connection that is no agent.
    #expect(run.handle(.signal(changed(0), from: ":1.9")) == [])
  }

  @Test func aLowerLevelOfTheAgentReducesPositions() {
    var run = BridgeRun.active()
    _ = run.manager("AddAgent", [.string("gnome-shell")], from: ":1.5")
    #expect(
      run.handle(.agentProperties(properties(4), from: ":1.5")).suffix(3) == [
        .close(client: 1), .open(client: 1, owner: ":1.7", name: "maps", isReduced: true),
        .update(client: 1, isReduced: true),
      ])
    #expect(
      run.handle(.left(":1.5")).suffix(3) == [
        .close(client: 1), .open(client: 1, owner: ":1.7", name: "maps", isReduced: false),
        .update(client: 1, isReduced: false),
      ])
  }
}
