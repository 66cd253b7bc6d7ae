import CliptagBasics
internal import CHarfBuzz

/// Makes the subset of a font that a PDF embeds from the glyphs that it uses.
enum FontSubset {
  /// The tables of a TrueType font that a PDF reader needs; layout tables and hints are dropped.
  private static let trueTypeTables: Set<String> = ["glyf", "head", "hhea", "hmtx", "loca", "maxp"]
  /// The further tables of a variable font that are needed to set it to one instance.
  private static let variationTables: Set<String> = ["avar", "fvar", "gvar", "HVAR", "MVAR"]
  private static let compactTables: Set<String> = ["CFF ", "head", "hhea", "hmtx", "maxp"]

  /// The subset of a font with some of its glyphs, under the same numbers.
  ///
  /// - Returns: A font file of TrueType, or a bare table in Compact Font Format.
  /// - Throws: ``TextError`` with ``TextError/Code/fontUnreadable``.
  static func bytes(of font: OpenFont, glyphs: [UInt32]) throws(TextError) -> [UInt8] {
    let isCompact = font.format != .trueType
    let bytes = font.withUnsafeFont { face, instance -> [UInt8]? in
      guard let input = charfbuzz_subset_input_create_or_fail() else { return nil }
      defer { charfbuzz_subset_input_destroy(input) }
      for glyph in glyphs { charfbuzz_set_add(charfbuzz_subset_input_glyph_set(input), glyph) }
      // The CIDs of a CID-keyed font do not depend on the numbers of its glyphs.
      let keepsNumbers = font.format != .compactByCharacter
      charfbuzz_subset_input_set_flags(
        input,
        HB_SUBSET_FLAGS_NO_HINTING.rawValue
          | (keepsNumbers ? HB_SUBSET_FLAGS_RETAIN_GIDS.rawValue : 0))
      let kept = isCompact ? compactTables : trueTypeTables.union(variationTables)
      let dropped = charfbuzz_subset_input_set(input, HB_SUBSET_SETS_DROP_TABLE_TAG)
      for tag in font.tableTags where !kept.contains(tag) { charfbuzz_set_add(dropped, hbTag(tag)) }
      pinAxes(of: face, as: instance, in: input)
      guard let subset = charfbuzz_subset_or_fail(face, input) else { return nil }
      defer { charfbuzz_face_destroy(subset) }
      return isCompact ? OpenFont.table("CFF ", of: subset) : OpenFont.file(of: subset)
    }
    guard let bytes, !bytes.isEmpty else { throw TextError.unreadable(font.face) }
    return bytes
  }

  /// Sets a variable font to one instance.
  private static func pinAxes(
    of face: OpaquePointer, as instance: OpaquePointer, in input: OpaquePointer
  ) {
    guard charfbuzz_ot_var_has_data(face) != 0 else { return }
    var count: UInt32 = 0
    let settings = charfbuzz_font_get_var_coords_design(instance, &count)
    var axes = Array(
      repeating: hb_ot_var_axis_info_t(), count: Int(charfbuzz_ot_var_get_axis_count(face)))
    var axisCount = UInt32(axes.count)
    charfbuzz_ot_var_get_axis_infos(face, 0, &axisCount, &axes)
    for (number, axis) in axes.enumerated() {
      if let settings, number < Int(count) {
        charfbuzz_subset_input_pin_axis_location(input, face, axis.tag, settings[number])
      } else {
        charfbuzz_subset_input_pin_axis_to_default(input, face, axis.tag)
      }
    }
  }
}

/// A table's tag in HarfBuzz's encoding.
func hbTag(_ tag: String) -> hb_tag_t { tag.utf8.reduce(0) { $0 << 8 | hb_tag_t($1) } }
