#include "CPango.h"

#include <fontconfig/fontconfig.h>
#include <pango/pango.h>
#include <pango/pangofc-font.h>
#include <pango/pangofc-fontmap.h>
#include <pango/pangoft2.h>

struct cpango_shaper {
  PangoFontMap *map;
  PangoContext *context;
};

/* Glyphs keep their proportions at every size only without hints. */
static void switch_hinting_off(FcPattern *pattern, gpointer data) {
  (void)data;
  FcPatternDel(pattern, FC_HINTING);
  FcPatternAddBool(pattern, FC_HINTING, FcFalse);
  FcPatternDel(pattern, FC_HINT_STYLE);
  FcPatternAddInteger(pattern, FC_HINT_STYLE, FC_HINT_NONE);
}

cpango_shaper *cpango_open(void) {
  cpango_shaper *shaper = g_new0(cpango_shaper, 1);
  shaper->map = pango_ft2_font_map_new();
  pango_fc_font_map_set_default_substitute(PANGO_FC_FONT_MAP(shaper->map), switch_hinting_off,
                                           NULL, NULL);
  shaper->context = pango_font_map_create_context(shaper->map);
  pango_context_set_round_glyph_positions(shaper->context, FALSE);
  pango_context_set_base_dir(shaper->context, PANGO_DIRECTION_WEAK_LTR);
  pango_context_set_language(shaper->context, pango_language_from_string("en"));
  return shaper;
}

void cpango_close(cpango_shaper *shaper) {
  g_object_unref(shaper->context);
  g_object_unref(shaper->map);
  g_free(shaper);
}

int cpango_has_family(const char *family) {
  FcPattern *pattern = FcPatternCreate();
  FcPatternAddString(pattern, FC_FAMILY, (const FcChar8 *)family);
  FcObjectSet *objects = FcObjectSetBuild(FC_FAMILY, NULL);
  FcFontSet *found = FcFontList(NULL, pattern, objects);
  int has = found && found->nfont > 0;
  if (found) FcFontSetDestroy(found);
  FcObjectSetDestroy(objects);
  FcPatternDestroy(pattern);
  return has;
}

int cpango_language_includes_script(const char *language, uint32_t script) {
  return pango_language_includes_script(pango_language_from_string(language),
                                        (PangoScript)g_unicode_script_from_iso15924(script));
}

static char *string_of(FcPattern *pattern, const char *object) {
  FcChar8 *value = NULL;
  if (FcPatternGetString(pattern, object, 0, &value) != FcResultMatch) value = NULL;
  return g_strdup(value ? (const char *)value : "");
}

static cpango_font describe(PangoFont *font) {
  FcPattern *pattern = pango_fc_font_get_pattern(PANGO_FC_FONT(font));
  cpango_font face = {
      .path = string_of(pattern, FC_FILE),
      .family = string_of(pattern, FC_FAMILY),
      .style = string_of(pattern, FC_STYLE),
      .variations = string_of(pattern, FC_FONT_VARIATIONS),
  };
  FcPatternGetInteger(pattern, FC_INDEX, 0, &face.index);
  FcBool outline = FcFalse, color = FcFalse;
  FcPatternGetBool(pattern, FC_OUTLINE, 0, &outline);
  FcPatternGetBool(pattern, FC_COLOR, 0, &color);
  face.is_plain = outline && !color;
  return face;
}

/* What is gathered while lines are walked. */
typedef struct {
  GArray *fonts, *glyphs, *runs, *lines;
  /* The Pango font behind each of `fonts`, alive as long as the layout. */
  GPtrArray *faces;
} gathering;

static guint font_number(gathering *into, PangoFont *font) {
  guint number = 0;
  if (g_ptr_array_find(into->faces, font, &number)) return number;
  cpango_font face = describe(font);
  g_ptr_array_add(into->faces, font);
  g_array_append_val(into->fonts, face);
  return into->fonts->len - 1;
}

static void gather_run(gathering *into, const PangoGlyphItem *item) {
  cpango_run run = {
      .start = (uint32_t)item->item->offset,
      .end = (uint32_t)(item->item->offset + item->item->length),
      .font = font_number(into, item->item->analysis.font),
      .is_right_to_left = item->item->analysis.level % 2,
      .first_glyph = into->glyphs->len,
      .glyph_count = (size_t)item->glyphs->num_glyphs,
  };
  for (int i = 0; i < item->glyphs->num_glyphs; i++) {
    const PangoGlyphInfo *from = &item->glyphs->glyphs[i];
    int missing = from->glyph != PANGO_GLYPH_INVALID_INPUT && (from->glyph & PANGO_GLYPH_UNKNOWN_FLAG);
    cpango_glyph glyph = {
        .number = missing ? from->glyph & ~(PangoGlyph)PANGO_GLYPH_UNKNOWN_FLAG : from->glyph,
        .x_offset = from->geometry.x_offset,
        .y_offset = from->geometry.y_offset,
        .advance = from->geometry.width,
        .cluster = run.start + (uint32_t)item->glyphs->log_clusters[i],
        .is_missing = missing != 0,
        .is_empty = from->glyph == PANGO_GLYPH_EMPTY || from->glyph == PANGO_GLYPH_INVALID_INPUT,
    };
    g_array_append_val(into->glyphs, glyph);
  }
  g_array_append_val(into->runs, run);
}

static void gather_line(gathering *into, PangoLayoutLine *from) {
  PangoRectangle logical;
  pango_layout_line_get_extents(from, NULL, &logical);
  cpango_line line = {
      .start = (uint32_t)pango_layout_line_get_start_index(from),
      .ascent = -logical.y,
      .descent = logical.y + logical.height,
      .width = logical.width,
      .is_right_to_left = pango_layout_line_get_resolved_direction(from) == PANGO_DIRECTION_RTL,
      .first_run = into->runs->len,
  };
  line.end = line.start + (uint32_t)pango_layout_line_get_length(from);
  for (const GSList *run = from->runs; run; run = run->next) gather_run(into, run->data);
  line.run_count = into->runs->len - line.first_run;
  g_array_append_val(into->lines, line);
}

static PangoAttrList *attributes(const cpango_request *request) {
  PangoAttrList *list = pango_attr_list_new();
  /* Without a range an attribute holds for the whole text. */
  pango_attr_list_insert(list, pango_attr_insert_hyphens_new(FALSE));
  if (request->letter_spacing)
    pango_attr_list_insert(list, pango_attr_letter_spacing_new(request->letter_spacing));
  if (request->features)
    pango_attr_list_insert(list, pango_attr_font_features_new(request->features));
  for (size_t i = 0; i < request->range_count; i++) {
    const cpango_range *range = &request->ranges[i];
    PangoAttribute *made[2] = {
        pango_attr_language_new(pango_language_from_string(range->language)),
        pango_attr_style_new(range->italic ? PANGO_STYLE_ITALIC : PANGO_STYLE_NORMAL),
    };
    for (int j = 0; j < 2; j++) {
      made[j]->start_index = range->start;
      made[j]->end_index = range->end;
      pango_attr_list_insert(list, made[j]);
    }
  }
  return list;
}

static PangoLayout *lay_out(cpango_shaper *shaper, const char *text, int length,
                            const cpango_request *request) {
  PangoLayout *layout = pango_layout_new(shaper->context);
  PangoFontDescription *font = pango_font_description_new();
  pango_font_description_set_family(font, request->families);
  pango_font_description_set_weight(font, (PangoWeight)request->weight);
  pango_font_description_set_absolute_size(font, CPANGO_EM);
  pango_layout_set_font_description(layout, font);
  pango_font_description_free(font);
  PangoAttrList *list = attributes(request);
  pango_layout_set_attributes(layout, list);
  pango_attr_list_unref(list);
  pango_layout_set_width(layout, request->width);
  pango_layout_set_wrap(layout, request->breaks_words ? PANGO_WRAP_WORD_CHAR : PANGO_WRAP_WORD);
  pango_layout_set_text(layout, text, length);
  return layout;
}

cpango_text *cpango_shape(cpango_shaper *shaper, const char *text, int length,
                          const cpango_request *request) {
  PangoLayout *layout = lay_out(shaper, text, length, request);
  gathering into = {
      .fonts = g_array_new(FALSE, FALSE, sizeof(cpango_font)),
      .glyphs = g_array_new(FALSE, FALSE, sizeof(cpango_glyph)),
      .runs = g_array_new(FALSE, FALSE, sizeof(cpango_run)),
      .lines = g_array_new(FALSE, FALSE, sizeof(cpango_line)),
      .faces = g_ptr_array_new(),
  };
  for (const GSList *line = pango_layout_get_lines_readonly(layout); line; line = line->next)
    gather_line(&into, line->data);
  cpango_text *result = g_new0(cpango_text, 1);
  result->font_count = into.fonts->len;
  result->glyph_count = into.glyphs->len;
  result->run_count = into.runs->len;
  result->line_count = into.lines->len;
  result->fonts = (cpango_font *)(void *)g_array_free(into.fonts, FALSE);
  result->glyphs = (cpango_glyph *)(void *)g_array_free(into.glyphs, FALSE);
  result->runs = (cpango_run *)(void *)g_array_free(into.runs, FALSE);
  result->lines = (cpango_line *)(void *)g_array_free(into.lines, FALSE);
  g_ptr_array_free(into.faces, TRUE);
  g_object_unref(layout);
  return result;
}

void cpango_free(cpango_text *text) {
  for (size_t i = 0; i < text->font_count; i++) {
    g_free(text->fonts[i].path);
    g_free(text->fonts[i].family);
    g_free(text->fonts[i].style);
    g_free(text->fonts[i].variations);
  }
  g_free(text->fonts);
  g_free(text->glyphs);
  g_free(text->runs);
  g_free(text->lines);
  g_free(text);
}
