#ifndef CCHAFA_H
#define CCHAFA_H

// libchafa, which shows an image on a terminal. The library is loaded at its first use: only one option of one command needs it.

#include <stddef.h>
#include <stdint.h>

/// How a terminal shows images, with libchafa's own numbers (chafa-canvas-config.h).
enum { CCHAFA_SYMBOLS = 0, CCHAFA_SIXELS = 1, CCHAFA_KITTY = 2 };
/// The colors of a terminal, likewise.
enum { CCHAFA_TRUE_COLOR = 0, CCHAFA_256_COLORS = 1, CCHAFA_16_COLORS = 3 };

int cchafa_is_there(void);

/// The output for a terminal that shows the image in `columns` by `rows` characters of `cell_width` by `cell_height` pixels; the caller frees
/// it. NULL if there is no memory, or no libchafa. A pixel is blue, green, red and alpha, multiplied by alpha.
char *cchafa_output(const uint8_t *pixels, int width, int height, int columns, int rows, int cell_width, int cell_height, int mode, int colors,
                    size_t *size);

/// The size of a character of a terminal in pixels: the width, and the height in the upper 16 bits; 0 if the terminal does not report it.
uint32_t cchafa_cell_size(int descriptor);

#endif
