import Invocation

/// The shapes of key files: files with the keys of tags that make Secure Unique NFC messages.
extension DocumentShape {
  /// The kinds of mappings of a key file: the whole file first, then each after the one that contains
  /// it.
  public static let ofKeyFile = [keyFile, keyEntry, formerKeys]

  static let keyFile = DocumentShape(
    "key file", subject: "The key file",
    "The whole file. It is accessible to its owner only.",
    [.optional("messages", .list(.mapping(keyEntry)), "The entries, one for each URL prefix.")])

  private static let secret = DocumentKey.Value.text(pattern: "^[0-9A-Fa-f]{32}$")
  private static let fileReadKey = DocumentKey.required(
    "fileReadKey", secret,
    "The key of the file, which makes the MAC: 32 hexadecimal digits in double quotes.")
  private static let diversify = DocumentKey.optional(
    "diversify", .either([.text(pattern: "^([0-9A-Fa-f]{2})*$"), .flag]),
    "Whether each tag has a file read key of its own, made of fileReadKey and its UID (NXP AN10922): "
      + "the bytes that follow the UID, as hexadecimal digits, or true for none.")
  private static let keyVersion = DocumentKey.optional(
    "keyVersion", .number(from: 1, to: 255), "The version of the keys. Without it: 1.")

  static let keyEntry = DocumentShape(
    "entry", "The keys for the URLs under one prefix, and the query items that carry a message.",
    [
      .required("prefix", .url, "The URL prefix: scheme, host and path."),
      .optional(
        "piccData", .text(),
        "The query item with the encrypted UID and counter; needs “metaReadKey”."),
      .optional("uid", .text(), "Instead of “piccData”: the query item with the plain UID."),
      .optional(
        "counter", .text(), "With “uid”: the query item with the plain count of taps."),
      .optional("fileData", .text(), "The query item with encrypted file data."),
      .required("mac", .text(), "The query item with the truncated CMAC."),
      .optional(
        "macFrom",
        .either([.text(), .number(from: 0, to: Double(InvocationURL.maximumLength))]),
        "The beginning of the text that the MAC covers: the value of a query item (its name), or a "
          + "count of the URL's characters. Without it: the value of “fileData”, or an empty text."),
      .optional(
        "metaReadKey", secret, "The key that encrypts UID and counter: 32 hexadecimal digits."),
      fileReadKey, diversify,
      .optional(
        "masterKey", secret,
        "For tags that are given their keys: the key from which key 0 of each tag is made."),
      keyVersion,
      .optional(
        "former", .list(.mapping(formerKeys), count: 0...KeyDocumentReader.formerLimit),
        "Sets of earlier keys, with which tags are brought to the current ones."),
    ], alternatives: [["piccData", "metaReadKey"], ["uid", "counter"]])

  static let formerKeys = DocumentShape(
    "set of former keys", "Keys that tags had before.",
    [
      .required("masterKey", secret, "The former master key."), fileReadKey,
      .optional("metaReadKey", secret, "The former key of UID and counter."), diversify, keyVersion,
    ])
}
