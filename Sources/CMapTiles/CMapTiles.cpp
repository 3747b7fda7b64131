#if !__has_include(<protozero/pbf_writer.hpp>)
#error "protozero/pbf_writer.hpp is missing: apt install libprotozero-dev zlib1g-dev"
#endif

#include "CMapTiles.h"
#include "Shapes.h"

#include <protozero/pbf_writer.hpp>

#include <cerrno>
#include <cstring>
#include <map>
#include <new>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <sys/stat.h>
#include <system_error>
#include <tuple>
#include <unistd.h>
#include <zlib.h>

using shapes::Box;
using shapes::Line;
using shapes::Point;

namespace {

constexpr int least_zoom = CMAPTILES_LEAST_ZOOM, most_zoom = CMAPTILES_MOST_ZOOM;
/// The units of a tile, 8 of which are a pixel, and those beyond its edge that it contains: 8 pixels.
constexpr int extent_bits = 12, extent = 1 << extent_bits, margin = 64;
/// A polygon with more points times tiles is cut in halves first, so that the work stays proportional to its points.
constexpr uint64_t most_work = 1 << 20;
/// Of a tile before compression, bytes; what is more is left out. No real tile comes near.
constexpr size_t largest_tile = 4 << 20;

/// Appends to a file, in large pieces.
class Output {
  int m_descriptor;
  std::string m_buffer;
  uint64_t m_size = 0;

public:
  explicit Output(int descriptor) : m_descriptor(descriptor) {}
  uint64_t size() const { return m_size; }

  void append(const void *bytes, size_t count) {
    m_buffer.append(static_cast<const char *>(bytes), count);
    m_size += count;
    if (m_buffer.size() >= 1 << 18) flush();
  }

  void flush() {
    const char *bytes = m_buffer.data();
    size_t count = m_buffer.size();
    while (count > 0) {
      const ssize_t written = ::write(m_descriptor, bytes, count);
      if (written < 0) {
        if (errno == EINTR) continue;
        throw std::system_error{errno, std::system_category(), "write"};
      }
      bytes += written;
      count -= static_cast<size_t>(written);
    }
    m_buffer.clear();
  }
};

/// A file in memory, whose changes go to the file: its pages are none of this process's own.
class Mapping {
  void *m_address = nullptr;
  size_t m_size;

public:
  Mapping(int descriptor, size_t size) : m_size(size) {
    if (size == 0) return;
    m_address = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (m_address == MAP_FAILED) throw std::system_error{errno, std::system_category(), "mmap"};
  }
  Mapping(const Mapping &) = delete;
  Mapping &operator=(const Mapping &) = delete;
  ~Mapping() {
    if (m_size) ::munmap(m_address, m_size);
  }
  template <typename T> T *at(size_t offset) const { return reinterpret_cast<T *>(static_cast<char *>(m_address) + offset); }
};

/// A feature in its file: followed by the texts, the rings and the points, and filled up to a multiple of 8 bytes.
struct Record {
  uint32_t rank, point_count, ring_count;
  uint16_t kind_size, name_size;
  uint8_t layer, geometry, unused[6];
};
static_assert(sizeof(Record) % 8 == 0);

struct StoredPoint {
  uint32_t x, y;
};

/// What features of a tile have in common that become one.
using GroupKey = std::tuple<uint8_t, std::string_view, std::string_view, uint32_t, uint8_t>;
struct Group {
  std::vector<Line> lines;
  size_t points = 0;
};

uint32_t coordinate(double share) { return static_cast<uint32_t>(std::clamp(share * 4294967296.0, 0.0, 4294967295.0)); }

/// Web Mercator, with y from the north.
Point project(int32_t longitude, int32_t latitude) {
  const double sine = std::sin(std::clamp(latitude * 1e-6, -85.051128, 85.051128) * M_PI / 180);
  return {
      static_cast<int64_t>(coordinate(longitude * 1e-6 / 360 + 0.5)),
      static_cast<int64_t>(coordinate(0.5 - std::atanh(sine) / (2 * M_PI)))};
}

/// Tiles of one zoom, with both ends.
struct Range {
  int64_t x0, y0, x1, y1;
  uint64_t count() const { return static_cast<uint64_t>(x1 - x0 + 1) * static_cast<uint64_t>(y1 - y0 + 1); }
};

int64_t margin_at(int zoom) { return static_cast<int64_t>(margin) << (32 - zoom - extent_bits); }

Range tiles_of(const Box &box, int zoom) {
  const int shift = 32 - zoom;
  const int64_t last = (int64_t{1} << zoom) - 1, more = margin_at(zoom);
  const auto tile = [&](int64_t value) { return std::clamp(value >> shift, int64_t{0}, last); };
  return {tile(box.x0 - more), tile(box.y0 - more), tile(box.x1 + more), tile(box.y1 + more)};
}

Box area_of(const Range &range, int zoom) {
  const int shift = 32 - zoom;
  const int64_t more = margin_at(zoom);
  return {(range.x0 << shift) - more, (range.y0 << shift) - more, ((range.x1 + 1) << shift) + more, ((range.y1 + 1) << shift) + more};
}

/// Sorts by zoom, x and y, and then in the order in which the features came.
uint64_t entry(int zoom, int64_t x, int64_t y, uint64_t feature) {
  return static_cast<uint64_t>(zoom) << 60 | static_cast<uint64_t>(x) << 46 | static_cast<uint64_t>(y) << 32 | feature;
}

void append_command(std::vector<uint32_t> &commands, uint32_t command, size_t count) {
  commands.push_back((command & 7) | static_cast<uint32_t>(count) << 3);
}

/// The specification, section 4.3: moves and lines from one point to the next.
std::vector<uint32_t> geometry(const std::vector<Line> &lines, uint8_t type) {
  std::vector<uint32_t> commands;
  Point at{0, 0};
  const auto move = [&](const Point &to) {
    commands.push_back(protozero::encode_zigzag32(static_cast<int32_t>(to.x - at.x)));
    commands.push_back(protozero::encode_zigzag32(static_cast<int32_t>(to.y - at.y)));
    at = to;
  };
  if (type == CMAPTILES_POINT) {
    append_command(commands, 1, lines.size());
    for (const auto &line : lines) move(line[0]);
    return commands;
  }
  for (const auto &line : lines) {
    append_command(commands, 1, 1);
    move(line[0]);
    append_command(commands, 2, line.size() - 1);
    for (size_t i = 1; i < line.size(); ++i) move(line[i]);
    if (type == CMAPTILES_POLYGON) append_command(commands, 7, 1);
  }
  return commands;
}

std::string compressed(const std::string &bytes) {
  z_stream stream{};
  // 16 more bits of window: a header of gzip, without a time.
  if (deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) throw std::bad_alloc{};
  std::string result(deflateBound(&stream, static_cast<uLong>(bytes.size())), '\0');
  stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef *>(result.data());
  stream.avail_out = static_cast<uInt>(result.size());
  const int status = deflate(&stream, Z_FINISH);
  result.resize(stream.total_out);
  deflateEnd(&stream);
  if (status != Z_STREAM_END) throw std::bad_alloc{};
  return result;
}

/// A layer of one tile: the specification's message Layer.
class Layer {
  std::string m_features;
  std::vector<std::string> m_keys, m_values;
  std::map<std::string, uint32_t> m_indices;

  uint32_t key(const char *name) {
    for (uint32_t i = 0; i < m_keys.size(); ++i) {
      if (m_keys[i] == name) return i;
    }
    m_keys.emplace_back(name);
    return static_cast<uint32_t>(m_keys.size() - 1);
  }

  uint32_t value(const std::string &message) {
    const auto [found, is_new] = m_indices.try_emplace(message, static_cast<uint32_t>(m_values.size()));
    if (is_new) m_values.push_back(message);
    return found->second;
  }

  static std::string text(std::string_view text) {
    std::string message;
    protozero::pbf_writer{message}.add_string(1, text.data(), text.size());
    return message;
  }

public:
  size_t size() const { return m_features.size(); }

  void add(const GroupKey &group, const std::vector<Line> &lines) {
    const auto &[layer, kind, name, rank, type] = group;
    std::vector<uint32_t> tags{key("class"), value(text(kind))};
    if (!name.empty()) tags.insert(tags.end(), {key("name"), value(text(name))});
    if (rank > 0) {
      std::string message;
      protozero::pbf_writer{message}.add_uint64(5, rank);
      tags.insert(tags.end(), {key("rank"), value(message)});
    }
    const auto commands = geometry(lines, type);
    std::string message;
    protozero::pbf_writer feature{message};
    feature.add_packed_uint32(2, tags.begin(), tags.end());
    feature.add_enum(3, type);
    feature.add_packed_uint32(4, commands.begin(), commands.end());
    protozero::pbf_writer{m_features}.add_message(2, message);
  }

  std::string message(const std::string &name) const {
    std::string message;
    protozero::pbf_writer layer{message};
    layer.add_uint32(15, 2);
    layer.add_string(1, name);
    message += m_features;
    for (const auto &key : m_keys) layer.add_string(3, key);
    for (const auto &value : m_values) layer.add_message(4, value);
    layer.add_uint32(5, extent);
    return message;
  }
};

}  // namespace

struct cmaptiles_builder {
  int m_features, m_entries;
  Output features, entries;
  uint64_t most_entries, entry_count = 0;
  std::vector<std::string> layers;
  Box bounds{INT64_MAX, INT64_MAX, INT64_MIN, INT64_MIN};

  cmaptiles_builder(int features, int entries, uint64_t most, const char *const *names)
      : m_features(features), m_entries(entries), features(features), entries(entries), most_entries(most) {
    for (; *names && layers.size() < 16; ++names) layers.emplace_back(*names);
  }

  // MARK: adding

  void add_entry(int zoom, int64_t x, int64_t y, uint64_t offset) {
    if (entry_count == most_entries || offset / 8 > UINT32_MAX) return;
    ++entry_count;
    const uint64_t value = entry(zoom, x, y, offset / 8);
    entries.append(&value, sizeof value);
  }

  /// Writes the feature with this geometry; the result is its place in the file.
  uint64_t store(const cmaptiles_feature &feature, const std::vector<Line> &lines, const std::vector<int32_t> &rings) {
    const uint64_t offset = features.size();
    Record record{};
    record.rank = feature.rank;
    record.layer = feature.layer, record.geometry = feature.geometry;
    record.kind_size = static_cast<uint16_t>(strnlen(feature.kind, 255));
    record.name_size = static_cast<uint16_t>(strnlen(feature.name, 255));
    record.ring_count = static_cast<uint32_t>(rings.size());
    for (const auto &line : lines) record.point_count += static_cast<uint32_t>(line.size());
    features.append(&record, sizeof record);
    std::vector<StoredPoint> points;
    for (const auto &line : lines) {
      for (const auto &p : line) points.push_back({static_cast<uint32_t>(p.x), static_cast<uint32_t>(p.y)});
    }
    features.append(points.data(), points.size() * sizeof(StoredPoint));
    features.append(rings.data(), rings.size() * sizeof(int32_t));
    features.append(feature.kind, record.kind_size);
    features.append(feature.name, record.name_size);
    static const char zeros[8] = {};
    features.append(zeros, static_cast<size_t>(-features.size() & 7));
    return offset;
  }

  void add_line(const cmaptiles_feature &feature, const Line &line) {
    const uint64_t offset = store(feature, {line}, {});
    std::vector<std::pair<int64_t, int64_t>> tiles;
    for (int zoom = feature.least_zoom; zoom <= feature.most_zoom; ++zoom) {
      tiles.clear();
      const double size = std::ldexp(1, 32 - zoom);
      for (size_t i = 0; i + 1 < line.size(); ++i) {
        const Point &a = line[i], &b = line[i + 1];
        const double dx = static_cast<double>(b.x - a.x), dy = static_cast<double>(b.y - a.y);
        // Pieces of at most the width of a tile, so that few tiles beside the line are tried.
        const int count = static_cast<int>(std::max(std::fabs(dx), std::fabs(dy)) / size) + 1;
        for (int step = 0; step < count; ++step) {
          const auto at = [&](int index) {
            const double share = static_cast<double>(index) / count;
            return Point{a.x + std::llround(share * dx), a.y + std::llround(share * dy)};
          };
          const Range range = tiles_of(shapes::box_of({at(step), at(step + 1)}), zoom);
          for (int64_t x = range.x0; x <= range.x1; ++x) {
            for (int64_t y = range.y0; y <= range.y1; ++y) {
              if (tiles.empty() || tiles.back() != std::pair{x, y}) tiles.emplace_back(x, y);
            }
          }
        }
      }
      std::sort(tiles.begin(), tiles.end());
      tiles.erase(std::unique(tiles.begin(), tiles.end()), tiles.end());
      for (const auto &[x, y] : tiles) add_entry(zoom, x, y, offset);
    }
  }

  /// Adds a polygon to the tiles of a range at `zoom`, and to all below them.
  void add_polygon(const cmaptiles_feature &feature, std::vector<Line> rings, std::vector<int32_t> signs, int zoom, Range range) {
    // Rings outside are left out with the inner rings of an outer one.
    const Box area = area_of(range, zoom);
    size_t count = 0;
    bool has_outer = false;
    uint64_t points = 0;
    for (size_t i = 0; i < rings.size(); ++i) {
      if (signs[i] > 0) has_outer = true;
      if (!has_outer) continue;
      shapes::cut_ring(rings[i], area);
      if (rings[i].size() < 3) {
        if (signs[i] > 0) has_outer = false;
        continue;
      }
      points += rings[i].size();
      if (count != i) rings[count] = std::move(rings[i]);
      signs[count] = signs[i] > 0 ? static_cast<int32_t>(rings[count].size()) : -static_cast<int32_t>(rings[count].size());
      ++count;
    }
    rings.resize(count);
    signs.resize(count);
    if (count == 0) return;
    Box own = shapes::box_of(rings[0]);
    for (const auto &ring : rings) own.add(shapes::box_of(ring));
    uint64_t offset = UINT64_MAX;
    for (; zoom <= feature.most_zoom; ++zoom) {
      const Range all = tiles_of(own, zoom);
      const Range mine{std::max(range.x0, all.x0), std::max(range.y0, all.y0), std::min(range.x1, all.x1), std::min(range.y1, all.y1)};
      if (mine.x0 > mine.x1 || mine.y0 > mine.y1) return;
      if (mine.count() > 1 && points * mine.count() > most_work) {
        if (entry_count == most_entries) return;
        Range first = mine, second = mine;
        if (mine.x1 - mine.x0 > mine.y1 - mine.y0) {
          first.x1 = (mine.x0 + mine.x1) / 2, second.x0 = first.x1 + 1;
        } else {
          first.y1 = (mine.y0 + mine.y1) / 2, second.y0 = first.y1 + 1;
        }
        add_polygon(feature, rings, signs, zoom, first);
        return add_polygon(feature, std::move(rings), std::move(signs), zoom, second);
      }
      if (offset == UINT64_MAX) offset = store(feature, rings, signs);
      for (int64_t x = mine.x0; x <= mine.x1; ++x) {
        for (int64_t y = mine.y0; y <= mine.y1; ++y) add_entry(zoom, x, y, offset);
      }
      range = {mine.x0 * 2, mine.y0 * 2, mine.x1 * 2 + 1, mine.y1 * 2 + 1};
    }
  }

  void add(const cmaptiles_feature &feature) {
    if (feature.layer >= layers.size() || feature.point_count == 0 || entry_count == most_entries) return;
    if (feature.least_zoom < least_zoom || feature.most_zoom > most_zoom || feature.least_zoom > feature.most_zoom) return;
    Line points;
    points.reserve(feature.point_count);
    for (uint32_t i = 0; i < feature.point_count; ++i) points.push_back(project(feature.coordinates[2 * i], feature.coordinates[2 * i + 1]));
    const Box box = shapes::box_of(points);
    bounds.add(box);
    switch (feature.geometry) {
      case CMAPTILES_POINT: {
        const uint64_t offset = store(feature, {{points[0]}}, {});
        for (int zoom = feature.least_zoom; zoom <= feature.most_zoom; ++zoom) {
          add_entry(zoom, points[0].x >> (32 - zoom), points[0].y >> (32 - zoom), offset);
        }
        break;
      }
      case CMAPTILES_LINE:
        shapes::deduplicate(points);
        if (points.size() > 1) add_line(feature, points);
        break;
      case CMAPTILES_POLYGON: {
        std::vector<Line> rings;
        std::vector<int32_t> signs;
        size_t from = 0;
        for (uint32_t i = 0; i < feature.ring_count; ++i) {
          const size_t count = static_cast<size_t>(std::abs(static_cast<int64_t>(feature.rings[i])));
          if (count > points.size() - from) break;
          Line ring(points.begin() + static_cast<long>(from), points.begin() + static_cast<long>(from + count));
          from += count;
          shapes::deduplicate(ring);
          if (ring.size() > 1 && ring.front() == ring.back()) ring.pop_back();
          rings.push_back(std::move(ring));
          signs.push_back(feature.rings[i]);
        }
        add_polygon(feature, std::move(rings), std::move(signs), feature.least_zoom, tiles_of(box, feature.least_zoom));
        break;
      }
      default: break;
    }
  }

  // MARK: tiles

  /// Adds a feature to the groups of a tile.
  static void place(const Mapping &file, uint64_t offset, int zoom, int64_t x, int64_t y, std::map<GroupKey, Group> &groups) {
    const Record &record = *file.at<Record>(offset);
    const auto *points = file.at<StoredPoint>(offset + sizeof record);
    const auto *rings = reinterpret_cast<const int32_t *>(points + record.point_count);
    const char *kind = reinterpret_cast<const char *>(rings + record.ring_count);
    const GroupKey key{
        record.layer, {kind, record.kind_size}, {kind + record.kind_size, record.name_size}, record.rank, record.geometry};
    const int shift = 32 - zoom, unit = shift - extent_bits;
    const Box box = area_of({x, y, x, y}, zoom);
    const auto line = [&](size_t from, size_t count) {
      Line line;
      line.reserve(count);
      for (size_t i = from; i < from + count; ++i) line.push_back({points[i].x, points[i].y});
      return line;
    };
    // To units of the tile, rounded.
    const auto scale = [&](Line &line) {
      const int64_t half = int64_t{1} << (unit - 1);
      for (auto &p : line) p = {(p.x - (x << shift) + half) >> unit, (p.y - (y << shift) + half) >> unit};
      shapes::deduplicate(line);
    };
    const bool is_last = zoom == most_zoom;
    const double tolerance = is_last ? 1 : 4;
    std::vector<Line> found;
    if (record.geometry == CMAPTILES_POINT) {
      found.push_back(line(0, 1));
      scale(found[0]);
    } else if (record.geometry == CMAPTILES_LINE) {
      std::vector<Line> parts;
      shapes::cut_line(line(0, record.point_count), box, parts);
      for (auto &part : parts) {
        scale(part);
        shapes::simplify(part, tolerance);
        if (part.size() > 1) found.push_back(std::move(part));
      }
    } else {
      // Four pixels, so that nothing is a speck.
      const int64_t least = is_last ? 2 : 2 * 4 * 64;
      size_t from = 0;
      bool has_outer = false;
      for (uint32_t i = 0; i < record.ring_count; ++i) {
        const bool is_outer = rings[i] > 0;
        const auto count = static_cast<size_t>(std::abs(rings[i]));
        if (is_outer || has_outer) {
          Line ring = line(from, count);
          shapes::cut_ring(ring, box);
          scale(ring);
          if (ring.size() > 1 && ring.front() == ring.back()) ring.pop_back();
          shapes::simplify_ring(ring, tolerance);
          const int64_t area = ring.size() > 2 ? shapes::doubled_area(ring) : 0;
          const bool is_kept = std::abs(area) >= least;
          if (is_outer) has_outer = is_kept;
          if (is_kept) {
            if ((area > 0) != is_outer) std::reverse(ring.begin(), ring.end());
            found.push_back(std::move(ring));
          }
        }
        from += count;
      }
    }
    if (found.empty()) return;
    Group &group = groups[key];
    for (auto &one : found) {
      group.points += one.size();
      group.lines.push_back(std::move(one));
    }
  }

  std::string tile(std::map<GroupKey, Group> &groups) const {
    std::vector<Layer> contents(layers.size());
    for (auto &[key, group] : groups) {
      auto &layer = contents[std::get<0>(key)];
      if (layer.size() > largest_tile) continue;
      layer.add(key, std::get<4>(key) == CMAPTILES_LINE ? shapes::joined(std::move(group.lines)) : group.lines);
    }
    std::string message;
    protozero::pbf_writer writer{message};
    for (size_t i = 0; i < contents.size(); ++i) {
      if (contents[i].size() > 0) writer.add_message(3, contents[i].message(layers[i]));
    }
    return message;
  }

  int finish(cmaptiles_receive receive, cmaptiles_progress progress, void *context) {
    features.flush();
    entries.flush();
    const Mapping file{m_features, features.size()}, list{m_entries, entries.size()};
    auto *first = list.at<uint64_t>(0), *last = first + entry_count;
    std::sort(first, last);
    std::map<GroupKey, Group> groups;
    for (auto *at = first; at < last;) {
      const uint64_t tile_key = *at >> 32;
      const int zoom = static_cast<int>(tile_key >> 28);
      const auto x = static_cast<int64_t>(tile_key >> 14 & 0x3FFF), y = static_cast<int64_t>(tile_key & 0x3FFF);
      groups.clear();
      size_t points = 0;
      for (; at < last && *at >> 32 == tile_key; ++at) {
        // More than any real tile has; what is more is left out.
        if (points++ < 1 << 18) place(file, (*at & 0xFFFFFFFF) * 8, zoom, x, y, groups);
      }
      if (groups.empty()) continue;
      const std::string bytes = compressed(tile(groups));
      if (receive(context, static_cast<unsigned>(zoom), static_cast<unsigned>(x), static_cast<unsigned>(y),
                  reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()) != 0 ||
          progress(context, static_cast<uint64_t>(at - first), entry_count) != 0) {
        return ECANCELED;
      }
    }
    return 0;
  }
};

namespace {

template <typename Body> int status(Body body) noexcept {
  try {
    return body();
  } catch (const std::system_error &error) {
    return error.code().value() ? error.code().value() : EIO;
  } catch (...) {
    return ENOMEM;
  }
}

}  // namespace

extern "C" struct cmaptiles_builder *cmaptiles_create(
    int features, int entries, uint64_t most_entries, const char *const *layers) noexcept {
  try {
    return new cmaptiles_builder{features, entries, most_entries, layers};
  } catch (...) {
    return nullptr;
  }
}

extern "C" int cmaptiles_add(struct cmaptiles_builder *builder, const struct cmaptiles_feature *feature) noexcept {
  return status([&] {
    builder->add(*feature);
    return 0;
  });
}

extern "C" int cmaptiles_finish(
    struct cmaptiles_builder *builder, cmaptiles_receive receive, cmaptiles_progress progress, void *context) noexcept {
  return status([&] { return builder->finish(receive, progress, context); });
}

extern "C" int cmaptiles_bounds(const struct cmaptiles_builder *builder, double bounds[4]) noexcept {
  const Box &box = builder->bounds;
  if (box.x0 > box.x1) return 0;
  const auto latitude = [](int64_t y) { return std::atan(std::sinh(M_PI * (1 - 2 * static_cast<double>(y) / 4294967296.0))) * 180 / M_PI; };
  bounds[0] = static_cast<double>(box.x0) / 4294967296.0 * 360 - 180;
  bounds[1] = latitude(box.y1);
  bounds[2] = static_cast<double>(box.x1) / 4294967296.0 * 360 - 180;
  bounds[3] = latitude(box.y0);
  return 1;
}

extern "C" void cmaptiles_free(struct cmaptiles_builder *builder) noexcept { delete builder; }
