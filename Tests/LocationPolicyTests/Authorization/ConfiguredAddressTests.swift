import Geodesy
import LocationPolicy
import Testing

/// Addresses in networks that the settings give positions to.
@Suite struct ConfiguredAddressTests {
  private let boat = ClientIdentity(networkAddress: "192.168.1.20")
  private let tablet = ClientIdentity(networkAddress: "192.168.1.21")

  private func arrival(_ identity: ClientIdentity) -> AuthorizationStateMachine.Input {
    .arrived(.target(1), AuthorizationClient(identity, presence: .background, canReturn: false, name: "target"))
  }

  @Test func theSettingsGrantAndTakeBack() {
    var script = DeskScript()
    _ = script.give(.configured([boat]))
    _ = script.give(arrival(boat))
    #expect(script.level(.target(1)) == .always && script.record(boat)?.level == .always)
    _ = script.give(.configured([tablet]))
    #expect(script.level(.target(1)) == .notDetermined && script.record(boat) == nil)
    #expect(script.record(tablet)?.level == .always)
    // After a restart, too.
    var later = DeskScript()
    _ = later.give(.loaded(script.desk.grants, isOn: true))
    _ = later.give(.configured([]))
    #expect(later.desk.grants.isEmpty)
  }

  /// What an administrator has decided lasts as long as the setting.
  @Test func aRevocationLasts() {
    var script = DeskScript()
    _ = script.give(.configured([boat]))
    _ = script.give(.decided(boat, .denied, by: .alice))
    _ = script.give(.configured([boat, tablet]))
    #expect(script.record(boat)?.level == .denied)
    _ = script.give(.configured([tablet]))
    _ = script.give(.configured([boat, tablet]))
    #expect(script.record(boat)?.level == .always)
  }

  /// A decision about the same address that was made for another reason, and a program that states the purpose of a setting, stay.
  @Test func otherDecisionsStay() {
    var script = DeskScript()
    _ = script.give(.decided(boat, .always(isReduced: true), by: .alice))
    var forged = GrantRecord(.always)
    forged.purpose = GrantRecord.configuredPurpose
    _ = script.give(.loaded([Grant(.maps, forged)], isOn: true))
    for identities in [[boat], []] { _ = script.give(.configured(identities)) }
    #expect(script.record(boat)?.isReduced == true && script.record(.maps) != nil)
  }

  /// Nobody but an administrator decides about an address, and no user ID of this machine is that of one.
  @Test func onlyAdministratorsDecide() {
    let user = PromptResponder(ClientIdentity(userID: .max), privilege: .asks)
    #expect(!user.hasAuthority(over: boat) && boat.realm.isConfined)
    #expect(!PromptResponder(boat, privilege: .administrator).isAdministrator)
  }
}
