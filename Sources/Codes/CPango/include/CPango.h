#ifndef CPANGO_H
#define CPANGO_H

#include <stddef.h>
#include <stdint.h>

/* Pango's headers need GLib's, whose folders only pkg-config knows and whose types, lists and
 * reference counts Swift does not see through. So a text is set in lines by one C function here,
 * and what comes back are plain arrays.
 *
 * Pango is opened when it is first needed and not linked: the twenty libraries that it brings would
 * cost every start of a program, and few commands set text. */

/* Opens Pango, once. Returns null, or why it cannot be used, valid for ever. Until it has returned
 * null, no other function here may be called. May be called from any thread. */
const char *cpango_load(void);

/* How many units an em has in everything below. */
#define CPANGO_EM 32768

/* Font map and context; not to be used by two threads at once. */
typedef struct cpango_shaper cpango_shaper;

cpango_shaper *cpango_open(void);
void cpango_close(cpango_shaper *shaper);

/* Whether a font family of that name is installed. */
int cpango_has_family(const char *family);

/* Whether text of a language (BCP 47) is written in a script (ISO 15924, as HarfBuzz packs it). */
int cpango_language_includes_script(const char *language, uint32_t script);

/* UTF-8 offsets. */
typedef struct {
  uint32_t start;
  uint32_t end;
  const char *language;
  int italic;
} cpango_range;

typedef struct {
  /* In order of preference, with commas. */
  const char *families;
  /* 100 to 900 or so, as in CSS. */
  int weight;
  int letter_spacing;
  /* As in CSS, or NULL. */
  const char *features;
  /* The room for a line, or -1 for none. */
  int width;
  /* Whether a word that is wider than the room is broken. */
  int breaks_words;
  /* Whether a line that is broken at a soft hyphen ends with a hyphen. */
  int shows_hyphens;
  const cpango_range *ranges;
  size_t range_count;
} cpango_request;

typedef struct {
  char *path;
  char *family;
  char *style;
  char *variations;
  int index;
  /* Whether it has outlines and no colours. */
  int is_plain;
} cpango_font;

typedef struct {
  uint32_t number;
  int32_t x_offset;
  /* Downwards. */
  int32_t y_offset;
  int32_t advance;
  /* UTF-8 offset in the text. */
  uint32_t cluster;
  /* The number is a character that no font has. */
  int8_t is_missing;
  /* Nothing is to be drawn. */
  int8_t is_empty;
} cpango_glyph;

typedef struct {
  uint32_t start;
  uint32_t end;
  uint32_t font;
  int is_right_to_left;
  size_t first_glyph;
  size_t glyph_count;
} cpango_run;

typedef struct {
  uint32_t start;
  uint32_t end;
  int32_t ascent;
  int32_t descent;
  int32_t width;
  int is_right_to_left;
  size_t first_run;
  size_t run_count;
} cpango_line;

typedef struct {
  cpango_font *fonts;
  size_t font_count;
  cpango_glyph *glyphs;
  size_t glyph_count;
  cpango_run *runs;
  size_t run_count;
  cpango_line *lines;
  size_t line_count;
} cpango_text;

/* Sets UTF-8 text in lines. The result is the caller's to give to cpango_free. */
cpango_text *cpango_shape(cpango_shaper *shaper, const char *text, int length,
                          const cpango_request *request);
void cpango_free(cpango_text *text);

#endif
