import LocationPolicy
import Testing

@Suite struct SipHashTests {
  /// The hashes of the bytes 0, 1, 2, … by their count, with the key 00 01 … 0f, as printed byte by byte in the authors'
  /// reference implementation (vectors.h); the one of 15 bytes is worked through in the paper's appendix A: a129ca6149be45e5.
  static let vectors: [(Int, UInt64)] = [
    (0, 0x310e_0edd_47db_6f72), (1, 0xfd67_dc93_c539_f874), (2, 0x5a4f_a9d9_0980_6c0d), (3, 0x2d7e_fbd7_9666_6785),
    (4, 0xb787_7127_e094_27cf), (5, 0x8da6_99cd_6455_7618), (6, 0xcee3_fe58_6e46_c9cb), (7, 0x37d1_018b_f500_02ab),
    (8, 0x6224_939a_79f5_f593), (9, 0xb0e4_a90b_df82_009e), (10, 0xf3b9_dd94_c5bb_5d7a), (11, 0xa7ad_6b22_462f_b3f4),
    (12, 0xfbe5_0e86_bc8f_1e75), (13, 0x903d_84c0_2756_ea14), (14, 0xeef2_7a8e_90ca_23f7), (15, 0xe545_be49_61ca_29a1),
    (16, 0xdb9b_c257_7fcc_2a3f), (17, 0x9447_be2c_f5e9_9a69), (62, 0x575f_f28e_6038_1be5), (63, 0x7245_06eb_4c32_8a95),
  ]

  @Test func vectors() {
    let hash = SipHash(key: (low: 0x0706_0504_0302_0100, high: 0x0f0e_0d0c_0b0a_0908))
    for (count, printed) in Self.vectors {
      #expect(hash.hash((0..<UInt8(count)).map { $0 }) == printed.byteSwapped, "\(count) bytes")
    }
  }
}
