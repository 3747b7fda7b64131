#include "CChafa.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

// The same declarations as in chafa.h and glib.h, so that neither header is needed to build. The interface has been compatible since 1.6,
// and the name of the library changes if it is not.
typedef void Config;
typedef void Canvas;
typedef void SymbolMap;
typedef void TerminalInfo;
typedef void TerminalDatabase;
struct text {
  char *bytes;
  size_t size, capacity;
};

// chafa-common.h and chafa-symbol-map.h.
enum { PIXEL_BGRA8_PREMULTIPLIED = 1 };
enum { SYMBOLS_SPACE = 1 << 0, SYMBOLS_SOLID = 1 << 1, SYMBOLS_QUAD = 1 << 7, SYMBOLS_HALF = 3 << 8 };

static struct {
  Config *(*canvas_config_new)(void);
  void (*canvas_config_unref)(Config *);
  void (*canvas_config_set_geometry)(Config *, int, int);
  void (*canvas_config_set_cell_geometry)(Config *, int, int);
  void (*canvas_config_set_canvas_mode)(Config *, int);
  void (*canvas_config_set_pixel_mode)(Config *, int);
  void (*canvas_config_set_symbol_map)(Config *, const SymbolMap *);
  SymbolMap *(*symbol_map_new)(void);
  void (*symbol_map_add_by_tags)(SymbolMap *, unsigned);
  void (*symbol_map_unref)(SymbolMap *);
  Canvas *(*canvas_new)(const Config *);
  void (*canvas_draw_all_pixels)(Canvas *, int, const uint8_t *, int, int, int);
  struct text *(*canvas_print)(Canvas *, TerminalInfo *);
  void (*canvas_unref)(Canvas *);
  TerminalDatabase *(*term_db_get_default)(void);
  TerminalInfo *(*term_db_get_fallback_info)(TerminalDatabase *);
  char *(*string_free)(struct text *, int);
  int is_there;
} chafa;

static void load(void) {
  void *library = dlopen("libchafa.so.0", RTLD_LAZY | RTLD_LOCAL);
  if (!library) return;
  int is_whole = 1;
#define LOAD(name) is_whole &= (chafa.name = (__typeof__(chafa.name))dlsym(library, "chafa_" #name)) != NULL
  LOAD(canvas_config_new);
  LOAD(canvas_config_unref);
  LOAD(canvas_config_set_geometry);
  LOAD(canvas_config_set_cell_geometry);
  LOAD(canvas_config_set_canvas_mode);
  LOAD(canvas_config_set_pixel_mode);
  LOAD(canvas_config_set_symbol_map);
  LOAD(symbol_map_new);
  LOAD(symbol_map_add_by_tags);
  LOAD(symbol_map_unref);
  LOAD(canvas_new);
  LOAD(canvas_draw_all_pixels);
  LOAD(canvas_print);
  LOAD(canvas_unref);
  LOAD(term_db_get_default);
  LOAD(term_db_get_fallback_info);
  // GLib is one of the libraries that libchafa loads.
  chafa.string_free = (__typeof__(chafa.string_free))dlsym(library, "g_string_free");
  chafa.is_there = is_whole && chafa.string_free;
}

int cchafa_is_there(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return chafa.is_there;
}

char *cchafa_output(const uint8_t *pixels, int width, int height, int columns, int rows, int cell_width, int cell_height, int mode, int colors,
                    size_t *size) {
  if (!cchafa_is_there()) return NULL;
  Config *config = chafa.canvas_config_new();
  chafa.canvas_config_set_geometry(config, columns, rows);
  chafa.canvas_config_set_cell_geometry(config, cell_width, cell_height);
  chafa.canvas_config_set_canvas_mode(config, colors);
  chafa.canvas_config_set_pixel_mode(config, mode);
  SymbolMap *symbols = chafa.symbol_map_new();
  chafa.symbol_map_add_by_tags(symbols, SYMBOLS_SPACE | SYMBOLS_SOLID | SYMBOLS_HALF | SYMBOLS_QUAD);
  chafa.canvas_config_set_symbol_map(config, symbols);
  Canvas *canvas = chafa.canvas_new(config);
  chafa.canvas_draw_all_pixels(canvas, PIXEL_BGRA8_PREMULTIPLIED, pixels, width, height, 4 * width);
  // The sequences of every kind of terminal: the caller knows which kind this one is.
  struct text *text = chafa.canvas_print(canvas, chafa.term_db_get_fallback_info(chafa.term_db_get_default()));
  char *output = malloc(text->size ? text->size : 1);
  if (output) memcpy(output, text->bytes, *size = text->size);
  chafa.string_free(text, 1);
  chafa.canvas_unref(canvas);
  chafa.symbol_map_unref(symbols);
  chafa.canvas_config_unref(config);
  return output;
}

uint32_t cchafa_cell_size(int descriptor) {
  struct winsize size = {0};
  if (ioctl(descriptor, TIOCGWINSZ, &size) || !size.ws_col || !size.ws_row) return 0;
  return (uint32_t)(size.ws_xpixel / size.ws_col) | (uint32_t)(size.ws_ypixel / size.ws_row) << 16;
}
