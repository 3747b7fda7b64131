#ifndef CMAPTILES_SHAPES_H
#define CMAPTILES_SHAPES_H

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <unordered_map>
#include <utility>
#include <vector>

// Lines and rings in whole numbers: cutting, simplification, joining.

namespace shapes {

/// Units of the world, of which it has 2^32 in each direction, or of a tile.
struct Point {
  int64_t x, y;
  bool operator==(const Point &other) const { return x == other.x && y == other.y; }
  bool operator!=(const Point &other) const { return !(*this == other); }
};
using Line = std::vector<Point>;

struct Box {
  int64_t x0, y0, x1, y1;
  bool contains(const Point &p) const { return p.x >= x0 && p.x <= x1 && p.y >= y0 && p.y <= y1; }
  /// Grows so that it contains another one.
  void add(const Box &other) {
    x0 = std::min(x0, other.x0), y0 = std::min(y0, other.y0);
    x1 = std::max(x1, other.x1), y1 = std::max(y1, other.y1);
  }
};

inline Box box_of(const Line &line) {
  Box box{INT64_MAX, INT64_MAX, INT64_MIN, INT64_MIN};
  for (const auto &p : line) box.add({p.x, p.y, p.x, p.y});
  return box;
}

/// Where the line through `a` and `b` meets a border at `value` of one axis.
inline Point meet(const Point &a, const Point &b, int64_t value, bool is_x) {
  if (is_x) {
    const double share = static_cast<double>(value - a.x) / static_cast<double>(b.x - a.x);
    return {value, a.y + std::llround(share * static_cast<double>(b.y - a.y))};
  }
  const double share = static_cast<double>(value - a.y) / static_cast<double>(b.y - a.y);
  return {a.x + std::llround(share * static_cast<double>(b.x - a.x)), value};
}

/// Keeps the part of a ring on one side of a border (Sutherland and Hodgman, 1974). The ring does not repeat its first point.
inline void cut_side(const Line &ring, Line &result, int64_t value, bool is_x, bool keeps_greater) {
  result.clear();
  const auto inside = [&](const Point &p) {
    const int64_t own = is_x ? p.x : p.y;
    return keeps_greater ? own >= value : own <= value;
  };
  for (size_t i = 0; i < ring.size(); ++i) {
    const Point &a = ring[i], &b = ring[i + 1 == ring.size() ? 0 : i + 1];
    const bool has_a = inside(a), has_b = inside(b);
    if (has_a) result.push_back(a);
    if (has_a != has_b) result.push_back(meet(a, b, value, is_x));
  }
}

inline void cut_ring(Line &ring, const Box &box) {
  const Box own = box_of(ring);
  if (own.x0 >= box.x0 && own.x1 <= box.x1 && own.y0 >= box.y0 && own.y1 <= box.y1) return;
  if (ring.empty() || own.x0 > box.x1 || own.x1 < box.x0 || own.y0 > box.y1 || own.y1 < box.y0) return ring.clear();
  Line other;
  cut_side(ring, other, box.x0, true, true);
  cut_side(other, ring, box.x1, true, false);
  cut_side(ring, other, box.y0, false, true);
  cut_side(other, ring, box.y1, false, false);
}

/// The parts of a line in a box (Liang and Barsky, 1984).
inline void cut_line(const Line &line, const Box &box, std::vector<Line> &parts) {
  Line part;
  const auto end = [&] {
    if (part.size() > 1) parts.push_back(part);
    part.clear();
  };
  for (size_t i = 0; i + 1 < line.size(); ++i) {
    const Point a = line[i], b = line[i + 1];
    double first = 0, last = 1;
    const double dx = static_cast<double>(b.x - a.x), dy = static_cast<double>(b.y - a.y);
    const double sides[4][2] = {
        {-dx, static_cast<double>(a.x - box.x0)}, {dx, static_cast<double>(box.x1 - a.x)},
        {-dy, static_cast<double>(a.y - box.y0)}, {dy, static_cast<double>(box.y1 - a.y)}};
    bool is_in = true;
    for (const auto &[slope, distance] : sides) {
      if (slope == 0) {
        is_in = is_in && distance >= 0;
      } else if (slope < 0) {
        first = std::max(first, distance / slope);
      } else {
        last = std::min(last, distance / slope);
      }
    }
    if (!is_in || first > last) {
      end();
      continue;
    }
    const auto at = [&](double share) { return Point{a.x + std::llround(share * dx), a.y + std::llround(share * dy)}; };
    if (first > 0) end();
    if (part.empty()) part.push_back(first > 0 ? at(first) : a);
    part.push_back(last < 1 ? at(last) : b);
    if (last < 1) end();
  }
  end();
}

inline double distance_squared(const Point &p, const Point &a, const Point &b) {
  double x = static_cast<double>(a.x), y = static_cast<double>(a.y);
  const double dx = static_cast<double>(b.x) - x, dy = static_cast<double>(b.y) - y;
  if (dx != 0 || dy != 0) {
    const double share = std::clamp(
        ((static_cast<double>(p.x) - x) * dx + (static_cast<double>(p.y) - y) * dy) / (dx * dx + dy * dy), 0.0, 1.0);
    x += share * dx, y += share * dy;
  }
  x -= static_cast<double>(p.x), y -= static_cast<double>(p.y);
  return x * x + y * y;
}

/// Leaves out points that are nearer to the line than the tolerance (Ramer, 1972; Douglas and Peucker, 1973), without recursion.
inline void simplify(Line &line, double tolerance) {
  if (line.size() < 3) return;
  std::vector<bool> keeps(line.size());
  std::vector<std::pair<size_t, size_t>> todo{{0, line.size() - 1}};
  keeps.front() = keeps.back() = true;
  while (!todo.empty()) {
    const auto [from, to] = todo.back();
    todo.pop_back();
    double most = tolerance * tolerance;
    size_t at = 0;
    for (size_t i = from + 1; i < to; ++i) {
      const double found = distance_squared(line[i], line[from], line[to]);
      if (found > most) most = found, at = i;
    }
    if (at == 0) continue;
    keeps[at] = true;
    // The longer side last, so that the list stays short.
    todo.emplace_back(from, at);
    todo.emplace_back(at, to);
  }
  size_t count = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    if (keeps[i]) line[count++] = line[i];
  }
  line.resize(count);
}

/// A ring that does not repeat its first point: from its first point to the most distant one and back.
inline void simplify_ring(Line &ring, double tolerance) {
  if (ring.size() < 5) return;
  size_t far = 0;
  double most = 0;
  for (size_t i = 1; i < ring.size(); ++i) {
    const double found = distance_squared(ring[i], ring[0], ring[0]);
    if (found > most) most = found, far = i;
  }
  if (far == 0) return ring.clear();
  Line first(ring.begin(), ring.begin() + static_cast<long>(far) + 1), second(ring.begin() + static_cast<long>(far), ring.end());
  second.push_back(ring[0]);
  simplify(first, tolerance);
  simplify(second, tolerance);
  ring.assign(first.begin(), first.end() - 1);
  ring.insert(ring.end(), second.begin(), second.end() - 1);
}

/// Leaves out repeated points.
inline void deduplicate(Line &line) { line.erase(std::unique(line.begin(), line.end()), line.end()); }

/// Twice the area by the surveyor's formula; above zero for the outer rings of tiles, whose y axis points down.
inline int64_t doubled_area(const Line &ring) {
  int64_t sum = 0;
  for (size_t i = 0; i < ring.size(); ++i) {
    const Point &a = ring[i], &b = ring[i + 1 == ring.size() ? 0 : i + 1];
    sum += a.x * b.y - b.x * a.y;
  }
  return sum;
}

/// Joins lines where exactly two of them end, so that a street has one line, which a name fits on.
inline std::vector<Line> joined(std::vector<Line> lines) {
  if (lines.size() < 2) return lines;
  const auto key = [](const Point &p) { return static_cast<uint64_t>(p.x + 8192) << 32 | static_cast<uint32_t>(p.y + 8192); };
  std::unordered_map<uint64_t, std::vector<size_t>> ends;
  for (size_t i = 0; i < lines.size(); ++i) {
    ends[key(lines[i].front())].push_back(i);
    ends[key(lines[i].back())].push_back(i);
  }
  std::vector<bool> is_used(lines.size());
  std::vector<Line> result;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (is_used[i]) continue;
    is_used[i] = true;
    Line line = std::move(lines[i]);
    for (int side = 0; side < 2; ++side) {
      for (;;) {
        const auto &others = ends[key(line.back())];
        if (others.size() != 2) break;
        const size_t next = is_used[others[0]] ? others[1] : others[0];
        if (is_used[next]) break;
        is_used[next] = true;
        Line &other = lines[next];
        if (other.front() != line.back()) std::reverse(other.begin(), other.end());
        line.insert(line.end(), other.begin() + 1, other.end());
      }
      std::reverse(line.begin(), line.end());
    }
    result.push_back(std::move(line));
  }
  return result;
}

}  // namespace shapes

#endif
