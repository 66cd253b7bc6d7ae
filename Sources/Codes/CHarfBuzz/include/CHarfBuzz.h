#ifndef CHARFBUZZ_H
#define CHARFBUZZ_H

#include <harfbuzz/hb.h>
#include <harfbuzz/hb-ot.h>
#include <harfbuzz/hb-subset.h>

/* HarfBuzz is opened when it is first needed and not linked: with GLib and FreeType, which it
 * brings, it would cost every start of a program. The types and constants are those of its
 * headers; every function Swift calls is a trampoline below, named after the one it calls. */

/* Opens HarfBuzz, once. Returns null, or why it cannot be used, valid for ever. Until it has
 * returned null, no other function here may be called. May be called from any thread. */
const char *charfbuzz_load(void);

/* Draws a glyph; HarfBuzz 7 renamed the function that does it. */
void charfbuzz_draw_glyph(
    hb_font_t *font, hb_codepoint_t glyph, hb_draw_funcs_t *functions, void *data);

hb_blob_t *charfbuzz_blob_create_from_file_or_fail(const char *file_name);
void charfbuzz_blob_destroy(hb_blob_t *blob);
const char *charfbuzz_blob_get_data(hb_blob_t *blob, unsigned int *length);
hb_face_t *charfbuzz_face_create(hb_blob_t *blob, unsigned int index);
void charfbuzz_face_destroy(hb_face_t *face);
unsigned int charfbuzz_face_get_upem(const hb_face_t *face);
unsigned int charfbuzz_face_get_glyph_count(const hb_face_t *face);
unsigned int charfbuzz_face_get_table_tags(
    const hb_face_t *face, unsigned int start_offset, unsigned int *table_count, hb_tag_t
    *table_tags);
hb_blob_t *charfbuzz_face_reference_blob(hb_face_t *face);
hb_blob_t *charfbuzz_face_reference_table(const hb_face_t *face, hb_tag_t tag);
hb_font_t *charfbuzz_font_create(hb_face_t *face);
void charfbuzz_font_destroy(hb_font_t *font);
void charfbuzz_font_set_variations(
    hb_font_t *font, const hb_variation_t *variations, unsigned int variations_length);
void charfbuzz_font_set_var_named_instance(hb_font_t *font, unsigned instance_index);
const float *charfbuzz_font_get_var_coords_design(hb_font_t *font, unsigned int *length);
hb_bool_t charfbuzz_font_get_nominal_glyph(
    hb_font_t *font, hb_codepoint_t unicode, hb_codepoint_t *glyph);
hb_position_t charfbuzz_font_get_glyph_h_advance(hb_font_t *font, hb_codepoint_t glyph);
unsigned int charfbuzz_ot_name_get_utf8(
    hb_face_t *face, hb_ot_name_id_t name_id, hb_language_t language, unsigned int *text_size, char
    *text);
hb_bool_t charfbuzz_ot_var_has_data(hb_face_t *face);
unsigned int charfbuzz_ot_var_get_axis_count(hb_face_t *face);
unsigned int charfbuzz_ot_var_get_axis_infos(
    hb_face_t *face, unsigned int start_offset, unsigned int *axes_count, hb_ot_var_axis_info_t
    *axes_array);
hb_bool_t charfbuzz_variation_from_string(const char *str, int len, hb_variation_t *variation);
hb_draw_funcs_t *charfbuzz_draw_funcs_create(void);
void charfbuzz_draw_funcs_make_immutable(hb_draw_funcs_t *dfuncs);
void charfbuzz_draw_funcs_set_move_to_func(
    hb_draw_funcs_t *dfuncs, hb_draw_move_to_func_t func, void *user_data, hb_destroy_func_t
    destroy);
void charfbuzz_draw_funcs_set_line_to_func(
    hb_draw_funcs_t *dfuncs, hb_draw_line_to_func_t func, void *user_data, hb_destroy_func_t
    destroy);
void charfbuzz_draw_funcs_set_quadratic_to_func(
    hb_draw_funcs_t *dfuncs, hb_draw_quadratic_to_func_t func, void *user_data, hb_destroy_func_t
    destroy);
void charfbuzz_draw_funcs_set_cubic_to_func(
    hb_draw_funcs_t *dfuncs, hb_draw_cubic_to_func_t func, void *user_data, hb_destroy_func_t
    destroy);
void charfbuzz_draw_funcs_set_close_path_func(
    hb_draw_funcs_t *dfuncs, hb_draw_close_path_func_t func, void *user_data, hb_destroy_func_t
    destroy);
hb_unicode_funcs_t *charfbuzz_unicode_funcs_get_default(void);
hb_script_t charfbuzz_unicode_script(hb_unicode_funcs_t *ufuncs, hb_codepoint_t unicode);
void charfbuzz_set_add(hb_set_t *set, hb_codepoint_t codepoint);
hb_subset_input_t *charfbuzz_subset_input_create_or_fail(void);
void charfbuzz_subset_input_destroy(hb_subset_input_t *input);
hb_set_t *charfbuzz_subset_input_glyph_set(hb_subset_input_t *input);
hb_set_t *charfbuzz_subset_input_set(hb_subset_input_t *input, hb_subset_sets_t set_type);
void charfbuzz_subset_input_set_flags(hb_subset_input_t *input, unsigned value);
hb_bool_t charfbuzz_subset_input_pin_axis_location(
    hb_subset_input_t *input, hb_face_t *face, hb_tag_t axis_tag, float axis_value);
hb_bool_t charfbuzz_subset_input_pin_axis_to_default(
    hb_subset_input_t *input, hb_face_t *face, hb_tag_t axis_tag);
hb_face_t *charfbuzz_subset_or_fail(hb_face_t *source, const hb_subset_input_t *input);

#endif
