#include "CPango.h"

#include <COnDemand.h>
#include <stdlib.h>

#ifdef SHIM_OF_SYSTEM_HEADERS
#include <fontconfig/fontconfig.h>
#include <pango/pango.h>
#include <pango/pangofc-font.h>
#include <pango/pangofc-fontmap.h>
#include <pango/pangoft2.h>
/* Newer GLib wraps these in macros, which would stand before the table's. */
#undef g_free
#undef g_strdup
#undef g_object_unref
#else
#include "Declarations.h"
#endif

/* Each function by the name and type that it is declared with. */
#define FUNCTIONS(X)                                                                               \
  X(pango_attr_font_features_new)                                                                  \
  X(pango_attr_insert_hyphens_new)                                                                 \
  X(pango_attr_language_new)                                                                       \
  X(pango_attr_letter_spacing_new)                                                                 \
  X(pango_attr_list_insert)                                                                        \
  X(pango_attr_list_new)                                                                           \
  X(pango_attr_list_unref)                                                                         \
  X(pango_attr_style_new)                                                                          \
  X(pango_context_set_base_dir)                                                                    \
  X(pango_context_set_language)                                                                    \
  X(pango_context_set_round_glyph_positions)                                                       \
  X(pango_fc_font_get_pattern)                                                                     \
  X(pango_fc_font_map_set_default_substitute)                                                      \
  X(pango_font_description_free)                                                                   \
  X(pango_font_description_new)                                                                    \
  X(pango_font_description_set_absolute_size)                                                      \
  X(pango_font_description_set_family)                                                             \
  X(pango_font_description_set_weight)                                                             \
  X(pango_font_map_create_context)                                                                 \
  X(pango_ft2_font_map_new)                                                                        \
  X(pango_language_from_string)                                                                    \
  X(pango_language_includes_script)                                                                \
  X(pango_layout_get_lines_readonly)                                                               \
  X(pango_layout_line_get_extents)                                                                 \
  X(pango_layout_line_get_length)                                                                  \
  X(pango_layout_line_get_resolved_direction)                                                      \
  X(pango_layout_line_get_start_index)                                                             \
  X(pango_layout_new)                                                                              \
  X(pango_layout_set_attributes)                                                                   \
  X(pango_layout_set_font_description)                                                             \
  X(pango_layout_set_text)                                                                         \
  X(pango_layout_set_width)                                                                        \
  X(pango_layout_set_wrap)                                                                         \
  X(g_array_append_vals)                                                                           \
  X(g_array_free)                                                                                  \
  X(g_array_new)                                                                                   \
  X(g_free)                                                                                        \
  X(g_object_unref)                                                                                \
  X(g_ptr_array_add)                                                                               \
  X(g_ptr_array_find)                                                                              \
  X(g_ptr_array_free)                                                                              \
  X(g_ptr_array_new)                                                                               \
  X(g_strdup)                                                                                      \
  X(g_unicode_script_from_iso15924)                                                                \
  X(FcFontList)                                                                                    \
  X(FcFontSetDestroy)                                                                              \
  X(FcObjectSetBuild)                                                                              \
  X(FcObjectSetDestroy)                                                                            \
  X(FcPatternAddBool)                                                                              \
  X(FcPatternAddInteger)                                                                           \
  X(FcPatternAddString)                                                                            \
  X(FcPatternCreate)                                                                               \
  X(FcPatternDel)                                                                                  \
  X(FcPatternDestroy)                                                                              \
  X(FcPatternGetBool)                                                                              \
  X(FcPatternGetInteger)                                                                           \
  X(FcPatternGetString)

CONDEMAND_TABLE(FUNCTIONS, library)

/* It brings the others, Pango, GLib and Fontconfig, so that their functions are found in it. */
#ifdef __APPLE__
static const char *const names[] = {"libpangoft2-1.0.0.dylib", NULL};
#else
static const char *const names[] = {"libpangoft2-1.0.so.0", NULL};
#endif

CONDEMAND_LOAD(cpango_load, library, names)

struct cpango_shaper {
  PangoFontMap *map;
  PangoContext *context;
};

/* Glyphs keep their proportions at every size only without hints. */
static void switch_hinting_off(FcPattern *pattern, gpointer data) {
  (void)data;
  library.FcPatternDel(pattern, FC_HINTING);
  library.FcPatternAddBool(pattern, FC_HINTING, FcFalse);
  library.FcPatternDel(pattern, FC_HINT_STYLE);
  library.FcPatternAddInteger(pattern, FC_HINT_STYLE, FC_HINT_NONE);
}

cpango_shaper *cpango_open(void) {
  cpango_shaper *shaper = calloc(1, sizeof *shaper);
  shaper->map = library.pango_ft2_font_map_new();
  library.pango_fc_font_map_set_default_substitute((PangoFcFontMap *)shaper->map, switch_hinting_off,
                                           NULL, NULL);
  shaper->context = library.pango_font_map_create_context(shaper->map);
  library.pango_context_set_round_glyph_positions(shaper->context, FALSE);
  library.pango_context_set_base_dir(shaper->context, PANGO_DIRECTION_WEAK_LTR);
  library.pango_context_set_language(shaper->context, library.pango_language_from_string("en"));
  return shaper;
}

void cpango_close(cpango_shaper *shaper) {
  library.g_object_unref(shaper->context);
  library.g_object_unref(shaper->map);
  free(shaper);
}

int cpango_has_family(const char *family) {
  FcPattern *pattern = library.FcPatternCreate();
  library.FcPatternAddString(pattern, FC_FAMILY, (const FcChar8 *)family);
  FcObjectSet *objects = library.FcObjectSetBuild(FC_FAMILY, NULL);
  FcFontSet *found = library.FcFontList(NULL, pattern, objects);
  int has = found && found->nfont > 0;
  if (found) library.FcFontSetDestroy(found);
  library.FcObjectSetDestroy(objects);
  library.FcPatternDestroy(pattern);
  return has;
}

int cpango_language_includes_script(const char *language, uint32_t script) {
  return library.pango_language_includes_script(library.pango_language_from_string(language),
                                        (PangoScript)library.g_unicode_script_from_iso15924(script));
}

static char *string_of(FcPattern *pattern, const char *object) {
  FcChar8 *value = NULL;
  if (library.FcPatternGetString(pattern, object, 0, &value) != FcResultMatch) value = NULL;
  return library.g_strdup(value ? (const char *)value : "");
}

static cpango_font describe(PangoFont *font) {
  FcPattern *pattern = library.pango_fc_font_get_pattern((PangoFcFont *)font);
  cpango_font face = {
      .path = string_of(pattern, FC_FILE),
      .family = string_of(pattern, FC_FAMILY),
      .style = string_of(pattern, FC_STYLE),
      .variations = string_of(pattern, FC_FONT_VARIATIONS),
  };
  library.FcPatternGetInteger(pattern, FC_INDEX, 0, &face.index);
  FcBool outline = FcFalse, color = FcFalse;
  library.FcPatternGetBool(pattern, FC_OUTLINE, 0, &outline);
  library.FcPatternGetBool(pattern, FC_COLOR, 0, &color);
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
  if (library.g_ptr_array_find(into->faces, font, &number)) return number;
  cpango_font face = describe(font);
  library.g_ptr_array_add(into->faces, font);
  library.g_array_append_vals(into->fonts, &face, 1);
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
    library.g_array_append_vals(into->glyphs, &glyph, 1);
  }
  library.g_array_append_vals(into->runs, &run, 1);
}

static void gather_line(gathering *into, PangoLayoutLine *from) {
  PangoRectangle logical;
  library.pango_layout_line_get_extents(from, NULL, &logical);
  cpango_line line = {
      .start = (uint32_t)library.pango_layout_line_get_start_index(from),
      .ascent = -logical.y,
      .descent = logical.y + logical.height,
      .width = logical.width,
      .is_right_to_left = library.pango_layout_line_get_resolved_direction(from) == PANGO_DIRECTION_RTL,
      .first_run = into->runs->len,
  };
  line.end = line.start + (uint32_t)library.pango_layout_line_get_length(from);
  for (const GSList *run = from->runs; run; run = run->next) gather_run(into, run->data);
  line.run_count = into->runs->len - line.first_run;
  library.g_array_append_vals(into->lines, &line, 1);
}

static PangoAttrList *attributes(const cpango_request *request) {
  PangoAttrList *list = library.pango_attr_list_new();
  /* Without a range an attribute holds for the whole text. */
  library.pango_attr_list_insert(list, library.pango_attr_insert_hyphens_new(request->shows_hyphens));
  if (request->letter_spacing)
    library.pango_attr_list_insert(list, library.pango_attr_letter_spacing_new(request->letter_spacing));
  if (request->features)
    library.pango_attr_list_insert(list, library.pango_attr_font_features_new(request->features));
  for (size_t i = 0; i < request->range_count; i++) {
    const cpango_range *range = &request->ranges[i];
    PangoAttribute *made[2] = {
        library.pango_attr_language_new(library.pango_language_from_string(range->language)),
        library.pango_attr_style_new(range->italic ? PANGO_STYLE_ITALIC : PANGO_STYLE_NORMAL),
    };
    for (int j = 0; j < 2; j++) {
      made[j]->start_index = range->start;
      made[j]->end_index = range->end;
      library.pango_attr_list_insert(list, made[j]);
    }
  }
  return list;
}

static PangoLayout *lay_out(cpango_shaper *shaper, const char *text, int length,
                            const cpango_request *request) {
  PangoLayout *layout = library.pango_layout_new(shaper->context);
  PangoFontDescription *font = library.pango_font_description_new();
  library.pango_font_description_set_family(font, request->families);
  library.pango_font_description_set_weight(font, (PangoWeight)request->weight);
  library.pango_font_description_set_absolute_size(font, CPANGO_EM);
  library.pango_layout_set_font_description(layout, font);
  library.pango_font_description_free(font);
  PangoAttrList *list = attributes(request);
  library.pango_layout_set_attributes(layout, list);
  library.pango_attr_list_unref(list);
  library.pango_layout_set_width(layout, request->width);
  library.pango_layout_set_wrap(layout, request->breaks_words ? PANGO_WRAP_WORD_CHAR : PANGO_WRAP_WORD);
  library.pango_layout_set_text(layout, text, length);
  return layout;
}

cpango_text *cpango_shape(cpango_shaper *shaper, const char *text, int length,
                          const cpango_request *request) {
  PangoLayout *layout = lay_out(shaper, text, length, request);
  gathering into = {
      .fonts = library.g_array_new(FALSE, FALSE, sizeof(cpango_font)),
      .glyphs = library.g_array_new(FALSE, FALSE, sizeof(cpango_glyph)),
      .runs = library.g_array_new(FALSE, FALSE, sizeof(cpango_run)),
      .lines = library.g_array_new(FALSE, FALSE, sizeof(cpango_line)),
      .faces = library.g_ptr_array_new(),
  };
  for (const GSList *line = library.pango_layout_get_lines_readonly(layout); line; line = line->next)
    gather_line(&into, line->data);
  cpango_text *result = calloc(1, sizeof *result);
  result->font_count = into.fonts->len;
  result->glyph_count = into.glyphs->len;
  result->run_count = into.runs->len;
  result->line_count = into.lines->len;
  result->fonts = (cpango_font *)(void *)library.g_array_free(into.fonts, FALSE);
  result->glyphs = (cpango_glyph *)(void *)library.g_array_free(into.glyphs, FALSE);
  result->runs = (cpango_run *)(void *)library.g_array_free(into.runs, FALSE);
  result->lines = (cpango_line *)(void *)library.g_array_free(into.lines, FALSE);
  library.g_ptr_array_free(into.faces, TRUE);
  library.g_object_unref(layout);
  return result;
}

void cpango_free(cpango_text *text) {
  for (size_t i = 0; i < text->font_count; i++) {
    library.g_free(text->fonts[i].path);
    library.g_free(text->fonts[i].family);
    library.g_free(text->fonts[i].style);
    library.g_free(text->fonts[i].variations);
  }
  library.g_free(text->fonts);
  library.g_free(text->glyphs);
  library.g_free(text->runs);
  library.g_free(text->lines);
  free(text);
}
