#ifndef CPANGO_DECLARATIONS_H
#define CPANGO_DECLARATIONS_H

/* What is called of Pango, GLib and Fontconfig, with the names, types and numbers of their headers, so
 * that the headers need not be found when this is compiled: only pkg-config knows their folders, and its
 * flags would link what is opened on demand. `make lint` compares with the headers where they are. */

#include <stddef.h>
#include <stdint.h>

typedef int gboolean;
typedef unsigned int guint;
typedef void *gpointer;

enum { FALSE, TRUE };

typedef struct _GSList {
  gpointer data;
  struct _GSList *next;
} GSList;

typedef struct {
  char *data;
  guint len;
} GArray;

typedef struct _GPtrArray GPtrArray;

GArray *g_array_new(gboolean zero_terminated, gboolean clear, guint element_size);
GArray *g_array_append_vals(GArray *array, const void *data, guint count);
char *g_array_free(GArray *array, gboolean free_segment);
GPtrArray *g_ptr_array_new(void);
void g_ptr_array_add(GPtrArray *array, gpointer data);
gboolean g_ptr_array_find(GPtrArray *array, const void *needle, guint *index);
gpointer *g_ptr_array_free(GPtrArray *array, gboolean free_segment);
void g_free(gpointer memory);
char *g_strdup(const char *text);
void g_object_unref(gpointer object);
int g_unicode_script_from_iso15924(uint32_t script);

typedef int FcBool;
typedef unsigned char FcChar8;
typedef struct _FcPattern FcPattern;
typedef struct _FcObjectSet FcObjectSet;
typedef struct _FcConfig FcConfig;

typedef struct {
  int nfont;
  int sfont;
  FcPattern **fonts;
} FcFontSet;

typedef enum { FcResultMatch } FcResult;

#define FcFalse 0
#define FC_FAMILY "family"
#define FC_STYLE "style"
#define FC_HINTING "hinting"
#define FC_HINT_STYLE "hintstyle"
#define FC_HINT_NONE 0
#define FC_FILE "file"
#define FC_INDEX "index"
#define FC_OUTLINE "outline"
#define FC_COLOR "color"
#define FC_FONT_VARIATIONS "fontvariations"

FcPattern *FcPatternCreate(void);
void FcPatternDestroy(FcPattern *pattern);
FcBool FcPatternAddBool(FcPattern *pattern, const char *object, FcBool value);
FcBool FcPatternAddInteger(FcPattern *pattern, const char *object, int value);
FcBool FcPatternAddString(FcPattern *pattern, const char *object, const FcChar8 *value);
FcBool FcPatternDel(FcPattern *pattern, const char *object);
FcResult FcPatternGetBool(const FcPattern *pattern, const char *object, int number, FcBool *value);
FcResult FcPatternGetInteger(const FcPattern *pattern, const char *object, int number, int *value);
FcResult FcPatternGetString(
    const FcPattern *pattern, const char *object, int number, FcChar8 **value);
FcObjectSet *FcObjectSetBuild(const char *first, ...);
void FcObjectSetDestroy(FcObjectSet *objects);
FcFontSet *FcFontList(FcConfig *configuration, FcPattern *pattern, FcObjectSet *objects);
void FcFontSetDestroy(FcFontSet *fonts);

typedef struct _PangoAttrList PangoAttrList;
typedef struct _PangoContext PangoContext;
typedef struct _PangoFcFont PangoFcFont;
typedef struct _PangoFcFontMap PangoFcFontMap;
typedef struct _PangoFont PangoFont;
typedef struct _PangoFontDescription PangoFontDescription;
typedef struct _PangoFontMap PangoFontMap;
typedef struct _PangoLanguage PangoLanguage;
typedef struct _PangoLayout PangoLayout;

typedef enum { PANGO_DIRECTION_RTL = 1, PANGO_DIRECTION_WEAK_LTR = 4 } PangoDirection;
typedef enum { PANGO_STYLE_NORMAL = 0, PANGO_STYLE_ITALIC = 2 } PangoStyle;
typedef enum { PANGO_WRAP_WORD = 0, PANGO_WRAP_WORD_CHAR = 2 } PangoWrapMode;
typedef unsigned int PangoWeight;
typedef int PangoScript;

typedef struct {
  const void *klass;
  guint start_index;
  guint end_index;
} PangoAttribute;

typedef struct {
  int x;
  int y;
  int width;
  int height;
} PangoRectangle;

typedef uint32_t PangoGlyph;

#define PANGO_GLYPH_EMPTY ((PangoGlyph)0x0FFFFFFF)
#define PANGO_GLYPH_INVALID_INPUT ((PangoGlyph)0xFFFFFFFF)
#define PANGO_GLYPH_UNKNOWN_FLAG ((PangoGlyph)0x10000000)

typedef struct {
  int width;
  int x_offset;
  int y_offset;
} PangoGlyphGeometry;

typedef struct {
  PangoGlyph glyph;
  PangoGlyphGeometry geometry;
  guint attributes;
} PangoGlyphInfo;

typedef struct {
  int num_glyphs;
  PangoGlyphInfo *glyphs;
  int *log_clusters;
} PangoGlyphString;

typedef struct {
  void *shape_engine;
  void *lang_engine;
  PangoFont *font;
  uint8_t level;
} PangoAnalysis;

typedef struct {
  int offset;
  int length;
  int num_chars;
  PangoAnalysis analysis;
} PangoItem;

typedef struct {
  PangoItem *item;
  PangoGlyphString *glyphs;
} PangoGlyphItem;

typedef struct {
  PangoLayout *layout;
  int start_index;
  int length;
  GSList *runs;
} PangoLayoutLine;

typedef void (*PangoFcSubstituteFunc)(FcPattern *pattern, gpointer data);
typedef void (*GDestroyNotify)(gpointer data);

PangoAttrList *pango_attr_list_new(void);
void pango_attr_list_insert(PangoAttrList *list, PangoAttribute *attribute);
void pango_attr_list_unref(PangoAttrList *list);
PangoAttribute *pango_attr_font_features_new(const char *features);
PangoAttribute *pango_attr_insert_hyphens_new(gboolean inserts);
PangoAttribute *pango_attr_language_new(PangoLanguage *language);
PangoAttribute *pango_attr_letter_spacing_new(int spacing);
PangoAttribute *pango_attr_style_new(PangoStyle style);
void pango_context_set_base_dir(PangoContext *context, PangoDirection direction);
void pango_context_set_language(PangoContext *context, PangoLanguage *language);
void pango_context_set_round_glyph_positions(PangoContext *context, gboolean rounds);
FcPattern *pango_fc_font_get_pattern(PangoFcFont *font);
void pango_fc_font_map_set_default_substitute(
    PangoFcFontMap *map, PangoFcSubstituteFunc function, gpointer data, GDestroyNotify notify);
PangoFontDescription *pango_font_description_new(void);
void pango_font_description_free(PangoFontDescription *description);
void pango_font_description_set_absolute_size(PangoFontDescription *description, double size);
void pango_font_description_set_family(PangoFontDescription *description, const char *family);
void pango_font_description_set_weight(PangoFontDescription *description, PangoWeight weight);
PangoContext *pango_font_map_create_context(PangoFontMap *map);
PangoFontMap *pango_ft2_font_map_new(void);
PangoLanguage *pango_language_from_string(const char *language);
gboolean pango_language_includes_script(PangoLanguage *language, PangoScript script);
PangoLayout *pango_layout_new(PangoContext *context);
GSList *pango_layout_get_lines_readonly(PangoLayout *layout);
void pango_layout_set_attributes(PangoLayout *layout, PangoAttrList *list);
void pango_layout_set_font_description(
    PangoLayout *layout, const PangoFontDescription *description);
void pango_layout_set_text(PangoLayout *layout, const char *text, int length);
void pango_layout_set_width(PangoLayout *layout, int width);
void pango_layout_set_wrap(PangoLayout *layout, PangoWrapMode mode);
void pango_layout_line_get_extents(
    PangoLayoutLine *line, PangoRectangle *ink, PangoRectangle *logical);
int pango_layout_line_get_length(PangoLayoutLine *line);
PangoDirection pango_layout_line_get_resolved_direction(PangoLayoutLine *line);
int pango_layout_line_get_start_index(PangoLayoutLine *line);

#endif
