import ArgumentParser

/// Whether only genuine tags will do.
struct OriginalityOptions: ParsableArguments {
  @Flag(
    help: """
      Check the tag's originality signature, and take only a genuine tag. It takes one exchange \
      more.
      """)
  var checkOriginality = false
}
