#include "CJPEG.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jerror.h>
#include <jpeglib.h>

typedef struct {
  struct jpeg_error_mgr manager; /* First, so that a pointer to it is a pointer to this. */
  jmp_buf leave;
  int unsupported;
  char *message;
} failure;

static void leave(j_common_ptr info) {
  failure *why = (failure *)info->err;
  char text[JMSG_LENGTH_MAX];
  info->err->format_message(info, text);
  snprintf(why->message, CJPEG_MESSAGE_SIZE, "%s", text);
  int code = info->err->msg_code;
  why->unsupported = code == JERR_BAD_PRECISION || code == JERR_SOF_UNSUPPORTED ||
                     code == JERR_CONVERSION_NOTIMPL || code == JERR_ARITH_NOTIMPL;
  longjmp(why->leave, 1);
}

static void count_message(j_common_ptr info, int level) {
  if (level >= 0) return;
  failure *why = (failure *)info->err;
  if (info->err->num_warnings++ == 0) {
    char text[JMSG_LENGTH_MAX];
    info->err->format_message(info, text);
    snprintf(why->message, CJPEG_MESSAGE_SIZE, "%s", text);
  }
}

static void print_nothing(j_common_ptr info) { (void)info; }

static void direct(failure *why, struct jpeg_error_mgr **errors) {
  *errors = jpeg_std_error(&why->manager);
  why->manager.error_exit = leave;
  why->manager.emit_message = count_message;
  why->manager.output_message = print_nothing;
}

static void report_to(failure *why, struct jpeg_decompress_struct *info) {
  memset(info, 0, sizeof *info);
  direct(why, &info->err);
}

static cjpeg_status status_of(const failure *why) {
  return why->unsupported ? CJPEG_UNSUPPORTED : CJPEG_DAMAGED;
}

/* A progressive file may hold thousands of tiny scans, each of which costs a walk over the whole
 * picture. Real encoders write about ten. So there is a limit on scans, and one on the pixels that all
 * of them walk over: twenty times the largest picture that is read. */
enum { most_scans = 200 };
static const uint64_t most_walked = UINT64_C(2000000000);

static void watch_scans(j_common_ptr info) {
  if (!info->is_decompressor) return;
  const struct jpeg_decompress_struct *reading = (j_decompress_ptr)info;
  uint64_t scans = reading->input_scan_number > 0 ? (uint64_t)reading->input_scan_number : 0;
  uint64_t pixels = (uint64_t)reading->image_width * reading->image_height;
  if (scans <= most_scans && (scans < 2 || scans * pixels <= most_walked)) return;
  failure *why = (failure *)info->err;
  snprintf(why->message, CJPEG_MESSAGE_SIZE, "it has more than %d scans", (int)scans - 1);
  longjmp(why->leave, 1);
}

static void begin(struct jpeg_decompress_struct *info, const uint8_t *bytes, size_t count,
                  int reduction, int planes) {
  jpeg_create_decompress(info);
  jpeg_mem_src(info, bytes, count);
  jpeg_read_header(info, TRUE);
  info->scale_num = 1;
  info->scale_denom = (unsigned)reduction;
  int inks = info->jpeg_color_space == JCS_CMYK || info->jpeg_color_space == JCS_YCCK;
  info->out_color_space = inks ? JCS_CMYK : planes == 3 ? JCS_RGB : JCS_GRAYSCALE;
  info->dct_method = JDCT_ISLOW;
  jpeg_calc_output_dimensions(info);
}

cjpeg_status cjpeg_read_size(const uint8_t *bytes, size_t count, int reduction, cjpeg_size *size,
                             char message[CJPEG_MESSAGE_SIZE]) {
  struct jpeg_decompress_struct info;
  failure why = {.message = message};
  report_to(&why, &info);
  if (setjmp(why.leave)) {
    jpeg_destroy_decompress(&info);
    return status_of(&why);
  }
  begin(&info, bytes, count, reduction, 1);
  size->width = info.output_width;
  size->height = info.output_height;
  size->inks = info.out_color_space != JCS_CMYK ? CJPEG_NO_INKS
               : info.saw_Adobe_marker          ? CJPEG_INVERTED_INKS
                                                : CJPEG_INKS;
  jpeg_destroy_decompress(&info);
  return CJPEG_DONE;
}

/* Adobe's encoders store inks inverted (255 is no ink); others store them as they are. */
static void inks_to_light(const uint8_t *inks, uint8_t *light, size_t columns, int inverted) {
  for (size_t x = 0; x < columns; x++, inks += 4, light += 3) {
    unsigned k = inverted ? inks[3] : 255u - inks[3];
    for (int i = 0; i < 3; i++) {
      unsigned ink = inverted ? inks[i] : 255u - inks[i];
      light[i] = (uint8_t)((ink * k + 127) / 255);
    }
  }
}

/* Takes a row of red, green and blue apart, or makes it grey: ITU-R BT.601 luma. */
static void place_row(const uint8_t *light, uint8_t *to, size_t columns, int planes,
                      size_t plane) {
  for (size_t x = 0; x < columns; x++, light += 3) {
    if (planes == 3) {
      for (int i = 0; i < 3; i++) to[x + (size_t)i * plane] = light[i];
    } else {
      to[x] = (uint8_t)((19595u * light[0] + 38470u * light[1] + 7471u * light[2] + 32768u) >> 16);
    }
  }
}

cjpeg_status cjpeg_read(const uint8_t *bytes, size_t count, int reduction, int planes,
                        uint8_t *pixels, size_t plane, char message[CJPEG_MESSAGE_SIZE]) {
  struct jpeg_decompress_struct info;
  struct jpeg_progress_mgr progress = {.progress_monitor = watch_scans};
  failure why = {.message = message};
  /* Volatile: set after setjmp and read after the jump. */
  uint8_t *volatile row = NULL;
  report_to(&why, &info);
  if (setjmp(why.leave)) {
    free(row);
    jpeg_destroy_decompress(&info);
    return status_of(&why);
  }
  begin(&info, bytes, count, reduction, planes);
  info.progress = &progress;
  size_t width = info.output_width;
  if (width * info.output_height > plane) {
    snprintf(message, CJPEG_MESSAGE_SIZE, "the size changed while reading");
    jpeg_destroy_decompress(&info);
    return CJPEG_DAMAGED;
  }
  jpeg_start_decompress(&info);
  int inks = info.out_color_space == JCS_CMYK;
  if (info.out_color_space != JCS_GRAYSCALE) {
    /* Four inks, and beside them what they make of light. */
    row = malloc(width * 7);
    if (!row) {
      snprintf(message, CJPEG_MESSAGE_SIZE, "no memory");
      jpeg_destroy_decompress(&info);
      return CJPEG_DAMAGED;
    }
  }
  while (info.output_scanline < info.output_height) {
    uint8_t *to = pixels + (size_t)info.output_scanline * width;
    JSAMPROW read = row ? row : to;
    jpeg_read_scanlines(&info, &read, 1);
    if (inks) inks_to_light(row, row + width * 4, width, info.saw_Adobe_marker);
    if (row) place_row(inks ? row + width * 4 : row, to, width, planes, plane);
  }
  jpeg_finish_decompress(&info);
  long warnings = info.err->num_warnings;
  free(row);
  jpeg_destroy_decompress(&info);
  return warnings > 0 ? CJPEG_PATCHED : CJPEG_DONE;
}

/* libjpeg's own destination in memory loses its buffer when it jumps out. */
typedef struct {
  struct jpeg_destination_mgr manager; /* First, as in failure. */
  cjpeg_buffer *buffer;
} destination;

static void offer_rest(j_compress_ptr info) {
  cjpeg_buffer *buffer = ((destination *)info->dest)->buffer;
  info->dest->next_output_byte = buffer->bytes + buffer->count;
  info->dest->free_in_buffer = buffer->capacity - buffer->count;
}

static void begin_output(j_compress_ptr info) {
  cjpeg_buffer *buffer = ((destination *)info->dest)->buffer;
  buffer->count = 0;
  buffer->capacity = 1 << 16;
  buffer->bytes = malloc(buffer->capacity);
  if (!buffer->bytes) ERREXIT1(info, JERR_OUT_OF_MEMORY, 10);
  offer_rest(info);
}

static boolean grow_output(j_compress_ptr info) {
  cjpeg_buffer *buffer = ((destination *)info->dest)->buffer;
  uint8_t *more = realloc(buffer->bytes, buffer->capacity * 2);
  if (!more) ERREXIT1(info, JERR_OUT_OF_MEMORY, 10);
  buffer->count = buffer->capacity;
  buffer->capacity *= 2;
  buffer->bytes = more;
  offer_rest(info);
  return TRUE;
}

static void end_output(j_compress_ptr info) {
  cjpeg_buffer *buffer = ((destination *)info->dest)->buffer;
  buffer->count = buffer->capacity - info->dest->free_in_buffer;
}

static void prepare(struct jpeg_compress_struct *info, destination *to, uint32_t width,
                    uint32_t height, int quality) {
  jpeg_create_compress(info);
  info->dest = &to->manager;
  info->image_width = width;
  info->image_height = height;
  info->input_components = 3;
  info->in_color_space = JCS_RGB;
  /* Sets 4:2:0, too. */
  jpeg_set_defaults(info);
  jpeg_set_quality(info, quality, TRUE);
  info->dct_method = JDCT_ISLOW;
  info->optimize_coding = TRUE;
}

cjpeg_status cjpeg_write(uint32_t width, uint32_t height, const uint8_t *red, const uint8_t *green,
                         const uint8_t *blue, int quality, cjpeg_buffer *buffer,
                         char message[CJPEG_MESSAGE_SIZE]) {
  struct jpeg_compress_struct info;
  failure why = {.message = message};
  destination to = {.manager = {.init_destination = begin_output,
                                .empty_output_buffer = grow_output,
                                .term_destination = end_output},
                    .buffer = buffer};
  /* Volatile: set after setjmp and read after the jump. */
  uint8_t *volatile row = NULL;
  memset(&info, 0, sizeof info);
  memset(buffer, 0, sizeof *buffer);
  direct(&why, &info.err);
  if (setjmp(why.leave)) {
    free(row);
    jpeg_destroy_compress(&info);
    return CJPEG_DAMAGED;
  }
  prepare(&info, &to, width, height, quality);
  /* Refuses impossible sizes, before there is a row. */
  jpeg_start_compress(&info, TRUE);
  row = malloc((size_t)width * 3);
  if (!row) ERREXIT1(&info, JERR_OUT_OF_MEMORY, 11);
  for (size_t y = 0; y < height; y++) {
    for (size_t x = 0, from = y * width; x < width; x++, from++) {
      row[3 * x] = red[from];
      row[3 * x + 1] = green[from];
      row[3 * x + 2] = blue[from];
    }
    JSAMPROW line = row;
    jpeg_write_scanlines(&info, &line, 1);
  }
  jpeg_finish_compress(&info);
  free(row);
  jpeg_destroy_compress(&info);
  return CJPEG_DONE;
}

void cjpeg_free(cjpeg_buffer *buffer) {
  free(buffer->bytes);
  memset(buffer, 0, sizeof *buffer);
}
