import TagAuthenticity
import Testing

@Suite("What the articles of TagAuthenticity show is true") struct TagAuthenticityArticleTests {
  @Test("a message of AN12196 verifies and tells its tag and count")
  func landingPage() throws {
    let lineOfTags = try SecureUniqueMessageConfiguration(
      identification: .encrypted(parameter: "e", metaReadKey: .factory), macParameter: "c",
      fileReadKey: .factory)
    let read = try SecureUniqueMessage(
      url: "https://ntag.nxp.com/424?e=EF963FF7828658A599F3041510671E88&c=94EED9EE65337086",
      configuration: lineOfTags)
    print(read.uid ?? [], read.counter ?? 0)  // [4, 222, 95, 30, 172, 192, 64] 61
    #expect(read.uid == [0x04, 0xDE, 0x5F, 0x1E, 0xAC, 0xC0, 0x40] && read.counter == 61)
  }

  @Test("NXP's signature of an NTAG215 is genuine, and the message of a line of tags verifies")
  func telling() throws {
    // Published with Proxmark3's tools/recover_pk.py.
    let answer: [UInt8] = [
      0x8B, 0x76, 0x05, 0x2E, 0xE4, 0x2F, 0x55, 0x67, 0xBE, 0xB5, 0x32, 0x38, 0xB3, 0xE3, 0xF9,
      0x95, 0x07, 0x07, 0xC0, 0xDC, 0xC9, 0x56, 0xB5, 0xC5, 0xEF, 0xCF, 0xDB, 0x70, 0x9B, 0x2D,
      0x82, 0xB3,
    ]
    let verdict = OriginalitySignature.verdict(
      uid: [0x04, 0xE1, 0x0C, 0xDA, 0x99, 0x3C, 0x80], signature: answer, product: "NTAG215")
    #expect(verdict == .genuine)

    let (metaReadKey, fileReadKey) = (SecretKey.factory, SecretKey.factory)
    let url = "https://ntag.nxp.com/424?e=EF963FF7828658A599F3041510671E88&c=94EED9EE65337086"
    let configuration = try SecureUniqueMessageConfiguration(
      identification: .encrypted(parameter: "e", metaReadKey: metaReadKey), macParameter: "c",
      fileReadKey: fileReadKey)
    let message = try SecureUniqueMessage(url: url, configuration: configuration)
    #expect(message.counter == 61)
  }
}
