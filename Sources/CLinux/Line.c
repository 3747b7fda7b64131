// In a file of its own: <asm/termbits.h> and <termios.h> define the same names differently.
#include <asm/ioctls.h>
#include <asm/termbits.h>
#include <linux/serial.h>
#include <string.h>
#include <sys/ioctl.h>

#include "CLinux.h"

int clinux_line_get(int descriptor, struct clinux_line *line) {
  struct termios2 settings;
  if (ioctl(descriptor, TCGETS2, &settings) < 0) return -1;
  line->input = settings.c_iflag;
  line->output = settings.c_oflag;
  line->control = settings.c_cflag;
  line->local = settings.c_lflag;
  line->discipline = settings.c_line;
  _Static_assert(sizeof line->characters >= sizeof settings.c_cc, "control characters");
  memset(line->characters, 0, sizeof line->characters);
  memcpy(line->characters, settings.c_cc, sizeof settings.c_cc);
  line->input_speed = settings.c_ispeed;
  line->output_speed = settings.c_ospeed;
  return 0;
}

int clinux_line_set(int descriptor, const struct clinux_line *line) {
  struct termios2 settings;
  memset(&settings, 0, sizeof settings);
  settings.c_iflag = line->input;
  settings.c_oflag = line->output;
  settings.c_cflag = line->control;
  settings.c_lflag = line->local;
  settings.c_line = line->discipline;
  memcpy(settings.c_cc, line->characters, sizeof settings.c_cc);
  settings.c_ispeed = line->input_speed;
  settings.c_ospeed = line->output_speed;
  return ioctl(descriptor, TCSETS2, &settings);
}

void clinux_line_make_raw(struct clinux_line *line) {
  line->input = IGNBRK;
  line->output = 0;
  line->local = 0;
  line->control &= ~(tcflag_t)(CSIZE | PARENB | PARODD | CMSPAR | CSTOPB | CRTSCTS | HUPCL);
  line->control |= CS8 | CLOCAL | CREAD;
  // With VMIN 0 a read without data would return 0, which is also what an unplugged device returns.
  line->characters[VMIN] = 1;
  line->characters[VTIME] = 0;
}

void clinux_line_set_speed(struct clinux_line *line, uint32_t speed) {
  line->control &= ~(tcflag_t)(CBAUD | (CBAUD << IBSHIFT));
  // An input speed of B0 means that the input speed equals the output speed.
  line->control |= BOTHER;
  line->input_speed = speed;
  line->output_speed = speed;
}

int clinux_line_errors_get(int descriptor, struct clinux_line_errors *errors) {
  struct serial_icounter_struct counts;
  if (ioctl(descriptor, TIOCGICOUNT, &counts) < 0) return -1;
  errors->framing = counts.frame;
  errors->breaks = counts.brk;
  errors->overruns = counts.overrun + counts.buf_overrun;
  return 0;
}
