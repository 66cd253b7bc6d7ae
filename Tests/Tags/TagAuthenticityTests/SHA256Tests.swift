import TagAuthenticity
import CliptagBasics
import Testing

@Suite("SHA-256")
struct SHA256Tests {
  @Test(
    "the digests are those of FIPS 180-4's examples",
    arguments: [
      ("", "E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855"),
      ("abc", "BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248D6A61D20638B8E5C026930C3E6039A33CE45964FF2167F6ECEDD419DB06C1"
      ),
    ])
  func examples(text: String, digest: String) throws {
    #expect(try SHA256.digest(of: Array(text.utf8)).hexadecimal == digest)
  }
}
