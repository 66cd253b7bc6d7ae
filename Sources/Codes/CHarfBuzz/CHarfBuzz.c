#include "CHarfBuzz.h"

#include <COnDemand.h>
#include <stdbool.h>

#if HB_VERSION_ATLEAST(7, 0, 0)
#define DRAW_GLYPH hb_font_draw_glyph
#else
#define DRAW_GLYPH hb_font_get_glyph_shape
#endif

/* Each function by the name and type that the headers give it. */
#define FUNCTIONS(X)                                                                               \
  X(DRAW_GLYPH)                                                                                    \
  X(hb_blob_create_from_file_or_fail)                                                              \
  X(hb_blob_destroy)                                                                               \
  X(hb_blob_get_data)                                                                              \
  X(hb_face_create)                                                                                \
  X(hb_face_destroy)                                                                               \
  X(hb_face_get_upem)                                                                              \
  X(hb_face_get_glyph_count)                                                                       \
  X(hb_face_get_table_tags)                                                                        \
  X(hb_face_reference_blob)                                                                        \
  X(hb_face_reference_table)                                                                       \
  X(hb_font_create)                                                                                \
  X(hb_font_destroy)                                                                               \
  X(hb_font_set_variations)                                                                        \
  X(hb_font_set_var_named_instance)                                                                \
  X(hb_font_get_var_coords_design)                                                                 \
  X(hb_font_get_nominal_glyph)                                                                     \
  X(hb_font_get_glyph_h_advance)                                                                   \
  X(hb_ot_name_get_utf8)                                                                           \
  X(hb_ot_var_has_data)                                                                            \
  X(hb_ot_var_get_axis_count)                                                                      \
  X(hb_ot_var_get_axis_infos)                                                                      \
  X(hb_variation_from_string)                                                                      \
  X(hb_draw_funcs_create)                                                                          \
  X(hb_draw_funcs_make_immutable)                                                                  \
  X(hb_draw_funcs_set_move_to_func)                                                                \
  X(hb_draw_funcs_set_line_to_func)                                                                \
  X(hb_draw_funcs_set_quadratic_to_func)                                                           \
  X(hb_draw_funcs_set_cubic_to_func)                                                               \
  X(hb_draw_funcs_set_close_path_func)                                                             \
  X(hb_unicode_funcs_get_default)                                                                  \
  X(hb_unicode_script)                                                                             \
  X(hb_set_add)                                                                                    \
  X(hb_subset_input_create_or_fail)                                                                \
  X(hb_subset_input_destroy)                                                                       \
  X(hb_subset_input_glyph_set)                                                                     \
  X(hb_subset_input_set)                                                                           \
  X(hb_subset_input_set_flags)                                                                     \
  X(hb_subset_input_pin_axis_location)                                                             \
  X(hb_subset_input_pin_axis_to_default)                                                           \
  X(hb_subset_or_fail)

CONDEMAND_TABLE(FUNCTIONS, library)

/* It brings the one without `subset`, so that the functions of both are found in it. */
#ifdef __APPLE__
static const char *const names[] = {"libharfbuzz-subset.0.dylib", NULL};
#else
static const char *const names[] = {"libharfbuzz-subset.so.0", NULL};
#endif

CONDEMAND_LOAD(charfbuzz_load, library, names)

void charfbuzz_draw_glyph(
    hb_font_t *font, hb_codepoint_t glyph, hb_draw_funcs_t *functions, void *data) {
  library.DRAW_GLYPH(font, glyph, functions, data);
}

hb_blob_t *charfbuzz_blob_create_from_file_or_fail(const char *file_name) {
  return library.hb_blob_create_from_file_or_fail(file_name);
}
void charfbuzz_blob_destroy(hb_blob_t *blob) { library.hb_blob_destroy(blob); }
const char *charfbuzz_blob_get_data(hb_blob_t *blob, unsigned int *length) {
  return library.hb_blob_get_data(blob, length);
}
hb_face_t *charfbuzz_face_create(hb_blob_t *blob, unsigned int index) {
  return library.hb_face_create(blob, index);
}
void charfbuzz_face_destroy(hb_face_t *face) { library.hb_face_destroy(face); }
unsigned int charfbuzz_face_get_upem(const hb_face_t *face) {
  return library.hb_face_get_upem(face);
}
unsigned int charfbuzz_face_get_glyph_count(const hb_face_t *face) {
  return library.hb_face_get_glyph_count(face);
}
unsigned int charfbuzz_face_get_table_tags(
    const hb_face_t *face, unsigned int start_offset, unsigned int *table_count, hb_tag_t
    *table_tags) {
  return library.hb_face_get_table_tags(face, start_offset, table_count, table_tags);
}
hb_blob_t *charfbuzz_face_reference_blob(hb_face_t *face) {
  return library.hb_face_reference_blob(face);
}
hb_blob_t *charfbuzz_face_reference_table(const hb_face_t *face, hb_tag_t tag) {
  return library.hb_face_reference_table(face, tag);
}
hb_font_t *charfbuzz_font_create(hb_face_t *face) { return library.hb_font_create(face); }
void charfbuzz_font_destroy(hb_font_t *font) { library.hb_font_destroy(font); }
void charfbuzz_font_set_variations(
    hb_font_t *font, const hb_variation_t *variations, unsigned int variations_length) {
  library.hb_font_set_variations(font, variations, variations_length);
}
void charfbuzz_font_set_var_named_instance(hb_font_t *font, unsigned instance_index) {
  library.hb_font_set_var_named_instance(font, instance_index);
}
const float *charfbuzz_font_get_var_coords_design(hb_font_t *font, unsigned int *length) {
  return library.hb_font_get_var_coords_design(font, length);
}
hb_bool_t charfbuzz_font_get_nominal_glyph(
    hb_font_t *font, hb_codepoint_t unicode, hb_codepoint_t *glyph) {
  return library.hb_font_get_nominal_glyph(font, unicode, glyph);
}
hb_position_t charfbuzz_font_get_glyph_h_advance(hb_font_t *font, hb_codepoint_t glyph) {
  return library.hb_font_get_glyph_h_advance(font, glyph);
}
unsigned int charfbuzz_ot_name_get_utf8(
    hb_face_t *face, hb_ot_name_id_t name_id, hb_language_t language, unsigned int *text_size, char
    *text) {
  return library.hb_ot_name_get_utf8(face, name_id, language, text_size, text);
}
hb_bool_t charfbuzz_ot_var_has_data(hb_face_t *face) { return library.hb_ot_var_has_data(face); }
unsigned int charfbuzz_ot_var_get_axis_count(hb_face_t *face) {
  return library.hb_ot_var_get_axis_count(face);
}
unsigned int charfbuzz_ot_var_get_axis_infos(
    hb_face_t *face, unsigned int start_offset, unsigned int *axes_count, hb_ot_var_axis_info_t
    *axes_array) {
  return library.hb_ot_var_get_axis_infos(face, start_offset, axes_count, axes_array);
}
hb_bool_t charfbuzz_variation_from_string(const char *str, int len, hb_variation_t *variation) {
  return library.hb_variation_from_string(str, len, variation);
}
hb_draw_funcs_t *charfbuzz_draw_funcs_create(void) { return library.hb_draw_funcs_create(); }
void charfbuzz_draw_funcs_make_immutable(hb_draw_funcs_t *dfuncs) {
  library.hb_draw_funcs_make_immutable(dfuncs);
}
void charfbuzz_draw_funcs_set_move_to_func(
    hb_draw_funcs_t *dfuncs, hb_draw_move_to_func_t func, void *user_data, hb_destroy_func_t
    destroy) {
  library.hb_draw_funcs_set_move_to_func(dfuncs, func, user_data, destroy);
}
void charfbuzz_draw_funcs_set_line_to_func(
    hb_draw_funcs_t *dfuncs, hb_draw_line_to_func_t func, void *user_data, hb_destroy_func_t
    destroy) {
  library.hb_draw_funcs_set_line_to_func(dfuncs, func, user_data, destroy);
}
void charfbuzz_draw_funcs_set_quadratic_to_func(
    hb_draw_funcs_t *dfuncs, hb_draw_quadratic_to_func_t func, void *user_data, hb_destroy_func_t
    destroy) {
  library.hb_draw_funcs_set_quadratic_to_func(dfuncs, func, user_data, destroy);
}
void charfbuzz_draw_funcs_set_cubic_to_func(
    hb_draw_funcs_t *dfuncs, hb_draw_cubic_to_func_t func, void *user_data, hb_destroy_func_t
    destroy) {
  library.hb_draw_funcs_set_cubic_to_func(dfuncs, func, user_data, destroy);
}
void charfbuzz_draw_funcs_set_close_path_func(
    hb_draw_funcs_t *dfuncs, hb_draw_close_path_func_t func, void *user_data, hb_destroy_func_t
    destroy) {
  library.hb_draw_funcs_set_close_path_func(dfuncs, func, user_data, destroy);
}
hb_unicode_funcs_t *charfbuzz_unicode_funcs_get_default(void) {
  return library.hb_unicode_funcs_get_default();
}
hb_script_t charfbuzz_unicode_script(hb_unicode_funcs_t *ufuncs, hb_codepoint_t unicode) {
  return library.hb_unicode_script(ufuncs, unicode);
}
void charfbuzz_set_add(hb_set_t *set, hb_codepoint_t codepoint) {
  library.hb_set_add(set, codepoint);
}
hb_subset_input_t *charfbuzz_subset_input_create_or_fail(void) {
  return library.hb_subset_input_create_or_fail();
}
void charfbuzz_subset_input_destroy(hb_subset_input_t *input) {
  library.hb_subset_input_destroy(input);
}
hb_set_t *charfbuzz_subset_input_glyph_set(hb_subset_input_t *input) {
  return library.hb_subset_input_glyph_set(input);
}
hb_set_t *charfbuzz_subset_input_set(hb_subset_input_t *input, hb_subset_sets_t set_type) {
  return library.hb_subset_input_set(input, set_type);
}
void charfbuzz_subset_input_set_flags(hb_subset_input_t *input, unsigned value) {
  library.hb_subset_input_set_flags(input, value);
}
hb_bool_t charfbuzz_subset_input_pin_axis_location(
    hb_subset_input_t *input, hb_face_t *face, hb_tag_t axis_tag, float axis_value) {
  return library.hb_subset_input_pin_axis_location(input, face, axis_tag, axis_value);
}
hb_bool_t charfbuzz_subset_input_pin_axis_to_default(
    hb_subset_input_t *input, hb_face_t *face, hb_tag_t axis_tag) {
  return library.hb_subset_input_pin_axis_to_default(input, face, axis_tag);
}
hb_face_t *charfbuzz_subset_or_fail(hb_face_t *source, const hb_subset_input_t *input) {
  return library.hb_subset_or_fail(source, input);
}
