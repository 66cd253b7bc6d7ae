import Registry

/// The man page cliptag-registry(5): the format of registry files and key files.
enum KeysPage {
  static let name = "cliptag-registry"

  /// The page without its head.
  static var text: String {
    var page = Mdoc()
    page.macro("Sh NAME")
    page.macro("Nm cliptag\\-registry")
    page.macro("Nd format of registry files and key files of cliptag")
    page.macro("Sh DESCRIPTION")
    page.prose(KeysArticle.introduction)
    page.macro("Pp")
    page.prose("The command cliptag registry keys lists the same, and prints a JSON Schema.")
    for shape in DocumentShape.ofRegistryFile { append(shape, to: &page) }
    page.macro("Sh KEY FILES")
    page.prose(KeysArticle.keyFiles)
    for shape in DocumentShape.ofKeyFile { append(shape, to: &page) }
    page.macro("Sh SEE ALSO")
    page.macro("Xr cliptag-registry 1 ,")
    page.macro("Xr cliptag-registry-keys 1")
    return page.text
  }

  private static func append(_ shape: DocumentShape, to page: inout Mdoc) {
    page.macro("Ss \(Mdoc.words(shape.heading))")
    page.prose(shape.meaning)
    page.list(
      shape.keys.map { key in
        ("Cm \(Mdoc.argument(key.name))", "\(key.form.capitalised). \(key.meaning)")
      })
  }
}

/// The DocC article with the keys of registry files and key files.
enum KeysArticle {
  static let introduction = """
    A registry file has the clips, experiences and places that codes are checked against, in YAML 1.2 \
    or JSON, in UTF-8. Names of keys are case-sensitive, and an unknown key is an error. A file may have \
    a part of a registry; what it omits stays as it is.
    """
  static let keyFiles = """
    A key file has the keys of tags that make Secure Unique NFC messages, for the options --keys. It \
    is accessible to its owner only.
    """

  /// The article, exactly as in the sources.
  static var text: String {
    """
    # The keys of a registry file

    Every key of registry files and key files, with its value and meaning.

    ## Overview

    Made from the sources by `make codes`; do not edit it. `cliptag registry keys` lists the same, and the
    man page `cliptag-registry(5)` has it. `cliptag registry init --example registry.yaml` begins a
    file with comments; see <doc:KeepTheRegistry>.

    \(introduction)

    `cliptag registry keys --schema > registry.schema.json` writes a JSON Schema, with which editors
    complete and check the file: begin it with `# yaml-language-server: $schema=registry.schema.json`.

    \(DocumentShape.ofRegistryFile.map(section).joined(separator: "\n"))
    ## Key files

    \(keyFiles)

    \(DocumentShape.ofKeyFile.map(section).joined(separator: "\n"))
    """
  }

  private static func section(_ shape: DocumentShape) -> String {
    """
    ### \(shape.heading)

    \(shape.meaning)

    | key | value | meaning |
    | --- | --- | --- |
    \(Markdown.table(shape.keys.map { ["`\($0.name)`", $0.form, $0.meaning] }))

    """
  }
}

extension DocumentShape {
  fileprivate var heading: String { name.capitalised }
}

extension DocumentKey {
  /// The value in words, and whether it is required.
  fileprivate var form: String { value.words + (isRequired ? ", required" : "") }
}

extension String {
  fileprivate var capitalised: String { prefix(1).uppercased() + dropFirst() }
}
