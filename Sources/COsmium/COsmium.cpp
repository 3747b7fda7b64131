#if !__has_include(<osmium/io/pbf_input.hpp>)
#error "osmium/io/pbf_input.hpp is missing: apt install libosmium2-dev liblz4-dev zlib1g-dev"
#endif

#include "COsmium.h"

#include <osmium/area/assembler.hpp>
#include <osmium/handler.hpp>
#include <osmium/handler/check_order.hpp>
#include <osmium/index/map/sparse_file_array.hpp>
#include <osmium/io/pbf_input.hpp>
#include <osmium/memory/buffer.hpp>
#include <osmium/relations/manager_util.hpp>
#include <osmium/relations/relations_manager.hpp>
#include <osmium/tags/tags_filter.hpp>
#include <osmium/visitor.hpp>

#include <cerrno>
#include <cstring>
#include <malloc.h>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace {

using Locations = osmium::index::map::SparseFileArray<osmium::unsigned_object_id_type, osmium::Location>;

/// A callback asked to stop.
struct Cancelled {};

/// A relation with more members than any real one, whose assembly would take hours.
constexpr std::size_t most_members = 20'000;

osmium::TagsFilter filter(const char *const *keys) {
  osmium::TagsFilter filter{false};
  for (; *keys; ++keys) filter.add_rule(true, osmium::TagMatcher{osmium::StringMatcher::equal{*keys}});
  return filter;
}

/// Hands objects to the caller, in buffers that are reused.
class Sender {
  cosmium_receive m_receive;
  void *m_context;
  std::vector<const char *> m_tags, m_roles;
  std::vector<int32_t> m_coordinates, m_rings;
  std::vector<int64_t> m_ids;
  std::vector<uint8_t> m_kinds;

  cosmium_object start(const osmium::TagList &tags, int64_t id, cosmium_kind kind) {
    m_tags.clear();
    m_coordinates.clear();
    m_rings.clear();
    m_ids.clear();
    for (const auto &tag : tags) {
      m_tags.push_back(tag.key());
      m_tags.push_back(tag.value());
    }
    cosmium_object object{};
    object.id = id;
    object.kind = static_cast<uint8_t>(kind);
    return object;
  }

  void point(const osmium::Location &location) {
    m_coordinates.push_back(location.x());
    m_coordinates.push_back(location.y());
  }

  void finish(cosmium_object &object) {
    object.tags = m_tags.data();
    object.tag_count = static_cast<uint32_t>(m_tags.size() / 2);
    object.coordinates = m_coordinates.data();
    object.point_count = static_cast<uint32_t>(m_coordinates.size() / 2);
    if (m_receive(m_context, &object) != 0) throw Cancelled{};
  }

public:
  Sender(cosmium_receive receive, void *context) : m_receive(receive), m_context(context) {}

  void send(const osmium::Node &node) {
    if (!node.location().valid()) return;
    auto object = start(node.tags(), node.id(), COSMIUM_NODE);
    point(node.location());
    finish(object);
  }

  void send(const osmium::Way &way) {
    auto object = start(way.tags(), way.id(), COSMIUM_WAY);
    for (const auto &node : way.nodes()) {
      if (!node.location().valid()) continue;
      point(node.location());
      m_ids.push_back(node.ref());
    }
    if (m_ids.empty()) return;
    object.nodes = m_ids.data();
    object.is_closed = m_ids.size() == way.nodes().size() && way.nodes().size() > 3 && way.is_closed();
    finish(object);
  }

  void ring(const osmium::NodeRefList &nodes, int sign) {
    int32_t count = 0;
    for (const auto &node : nodes) {
      if (!node.location().valid()) continue;
      point(node.location());
      ++count;
    }
    m_rings.push_back(sign * count);
  }

  void send(const osmium::Area &area) {
    auto object = start(area.tags(), area.orig_id(), COSMIUM_AREA);
    for (const auto &outer : area.outer_rings()) {
      ring(outer, 1);
      for (const auto &inner : area.inner_rings(outer)) ring(inner, -1);
    }
    object.rings = m_rings.data();
    object.ring_count = static_cast<uint32_t>(m_rings.size());
    finish(object);
  }

  void send(const osmium::Relation &relation) {
    auto object = start(relation.tags(), relation.id(), COSMIUM_RELATION);
    m_roles.clear();
    m_kinds.clear();
    for (const auto &member : relation.members()) {
      m_ids.push_back(member.ref());
      m_roles.push_back(member.role());
      m_kinds.push_back(
          member.type() == osmium::item_type::node ? COSMIUM_NODE
          : member.type() == osmium::item_type::way ? COSMIUM_WAY : COSMIUM_RELATION);
    }
    object.members = m_ids.data();
    object.member_kinds = m_kinds.data();
    object.member_roles = m_roles.data();
    object.member_count = static_cast<uint32_t>(m_ids.size());
    finish(object);
  }
};

/// Assembles areas from relations as soon as their last way was read, and releases the ways.
class Areas : public osmium::relations::RelationsManager<Areas, false, true, false> {
  osmium::TagsFilter m_filter;
  Sender &m_sender;

public:
  Areas(osmium::TagsFilter filter, Sender &sender) : m_filter(std::move(filter)), m_sender(sender) {}

  bool new_relation(const osmium::Relation &relation) const {
    const char *type = relation.tags().get_value_by_key("type", "");
    if (relation.members().size() > most_members) return false;
    if (!std::strcmp(type, "associatedStreet") || !std::strcmp(type, "street")) {
      m_sender.send(relation);
      return false;
    }
    if (std::strcmp(type, "multipolygon") != 0 && std::strcmp(type, "boundary") != 0) return false;
    if (!osmium::tags::match_any_of(relation.tags(), m_filter)) return false;
    m_sender.send(relation);
    return std::any_of(relation.members().cbegin(), relation.members().cend(), [](const osmium::RelationMember &member) {
      return member.type() == osmium::item_type::way;
    });
  }

  void complete_relation(const osmium::Relation &relation) {
    std::vector<const osmium::Way *> ways;
    for (const auto &member : relation.members()) {
      if (member.ref() != 0) ways.push_back(this->get_member_way(member.ref()));
    }
    osmium::memory::Buffer buffer{16 * 1024, osmium::memory::Buffer::auto_grow::yes};
    try {
      osmium::area::AssemblerConfig config;
      config.create_empty_areas = false;
      osmium::area::Assembler assembler{config};
      if (!assembler(relation, ways, buffer)) return;
    } catch (const osmium::invalid_location &) {
      // A way at the border of the extract lacks nodes.
      return;
    }
    for (const auto &area : buffer.select<osmium::Area>()) m_sender.send(area);
  }
};

/// The second pass: stores the locations of nodes, sets those of ways, and sends what is wanted.
class Pass : public osmium::handler::Handler {
  Locations &m_locations;
  osmium::TagsFilter m_nodes, m_ways;
  Sender &m_sender;
  cosmium_result &m_result;
  osmium::handler::CheckOrder m_order;

  void date(const osmium::OSMObject &object) {
    const int64_t time = static_cast<int64_t>(object.timestamp().seconds_since_epoch());
    if (!m_has_date && time > m_result.timestamp) m_result.timestamp = time;
  }

public:
  bool m_has_date = false;

  Pass(Locations &locations, const cosmium_keys &keys, Sender &sender, cosmium_result &result)
      : m_locations(locations), m_nodes(filter(keys.nodes)), m_ways(filter(keys.ways)), m_sender(sender), m_result(result) {}

  void node(const osmium::Node &node) {
    m_order.node(node);
    ++m_result.node_count;
    date(node);
    // Nodes that editors have not uploaded yet have negative ids: they would break the order of the array.
    if (node.id() < 0) return;
    if (node.location().valid()) m_locations.set(static_cast<osmium::unsigned_object_id_type>(node.id()), node.location());
    if (!node.tags().empty() && osmium::tags::match_any_of(node.tags(), m_nodes)) m_sender.send(node);
  }

  void way(osmium::Way &way) {
    m_order.way(way);
    ++m_result.way_count;
    date(way);
    for (auto &node : way.nodes()) {
      if (node.ref() >= 0) node.set_location(m_locations.get_noexcept(static_cast<osmium::unsigned_object_id_type>(node.ref())));
    }
    if (osmium::tags::match_any_of(way.tags(), m_ways)) m_sender.send(way);
  }

  void relation(const osmium::Relation &relation) {
    m_order.relation(relation);
    ++m_result.relation_count;
    date(relation);
  }
};

/// Opens the file from its start. libosmium opens a file by its name only, and this process has no access to names outside its folder;
/// if the name is empty, libosmium reads standard input. Its thread closes standard input as soon as it has read everything, while
/// objects still arrive. The destructor fills the gap, so that no other file gets that number; it has to run after the reader's.
struct Input {
  osmium::io::File file;
  int descriptor;

  explicit Input(int descriptor) : file("", "pbf"), descriptor(descriptor) {
    if (::dup2(descriptor, 0) < 0) throw std::system_error{errno, std::system_category(), "dup2"};
    if (::lseek(descriptor, 0, SEEK_SET) < 0) throw std::system_error{errno, std::system_category(), "lseek"};
  }
  Input(const Input &) = delete;
  Input &operator=(const Input &) = delete;
  ~Input() { ::dup2(descriptor, 0); }
};

uint64_t size_of(int descriptor) {
  const auto size = ::lseek(descriptor, 0, SEEK_END);
  if (size < 0) throw std::system_error{errno, std::system_category(), "lseek"};
  return static_cast<uint64_t>(size);
}

void read(int file, int locations, const cosmium_keys &keys, Sender &sender, cosmium_progress progress, void *context,
          cosmium_result &result) {
  const uint64_t size = size_of(file);
#ifdef __GLIBC__
  // The buffers that the threads pass on go back to the system as soon as they are freed, instead of to a heap of each thread.
  (void)mallopt(M_MMAP_THRESHOLD, 256 * 1024);
  (void)mallopt(M_ARENA_MAX, 2);
#endif
  // Bounded queues: at most this many blobs are decoded ahead. A blob of relations takes more than ten megabytes.
  ::setenv("OSMIUM_MAX_INPUT_QUEUE_SIZE", "2", 1);
  ::setenv("OSMIUM_MAX_OSMDATA_QUEUE_SIZE", "2", 1);
  osmium::thread::Pool pool{2, 2};
  const auto step = [&](uint64_t done) {
    if (progress(context, done, 2 * size) != 0) throw Cancelled{};
  };

  Areas areas{filter(keys.areas), sender};
  {
    Input input{file};
    osmium::io::Reader reader{input.file, osmium::osm_entity_bits::relation, pool};
    while (osmium::memory::Buffer buffer = reader.read()) {
      osmium::apply(buffer, areas);
      step(std::min<uint64_t>(reader.offset(), size));
    }
    reader.close();
  }
  areas.prepare_for_lookup();

  Locations index{locations};
  Pass pass{index, keys, sender, result};
  {
    Input input{file};
    osmium::io::Reader reader{input.file, osmium::osm_entity_bits::nwr, pool};
    const std::string date = reader.header().get("osmosis_replication_timestamp");
    if (!date.empty()) {
      try {
        result.timestamp = static_cast<int64_t>(osmium::Timestamp{date}.seconds_since_epoch());
        pass.m_has_date = true;
      } catch (const std::invalid_argument &) {
        // The newest object's time is used instead.
      }
    }
    auto &handler = areas.handler();
    while (osmium::memory::Buffer buffer = reader.read()) {
      osmium::apply(buffer, pass, handler);
      step(size + std::min<uint64_t>(reader.offset(), size));
    }
    reader.close();
  }
  areas.for_each_incomplete_relation([&](const osmium::relations::RelationHandle &) { ++result.incomplete_count; });
  if (result.node_count + result.way_count + result.relation_count == 0) throw osmium::pbf_error{"it contains no objects"};
}

cosmium_result failure(cosmium_result result, cosmium_outcome outcome, const char *message) noexcept {
  result.outcome = static_cast<uint8_t>(outcome);
  std::strncpy(result.message, message, sizeof result.message - 1);
  return result;
}

}  // namespace

extern "C" cosmium_result cosmium_read(
    int file, int locations, const cosmium_keys *keys, cosmium_receive receive, cosmium_progress progress, void *context) noexcept {
  cosmium_result result{};
  try {
    Sender sender{receive, context};
    read(file, locations, *keys, sender, progress, context, result);
  } catch (const Cancelled &) {
    return failure(result, COSMIUM_CANCELLED, "");
  } catch (const osmium::out_of_order_error &error) {
    return failure(result, COSMIUM_UNSORTED, error.what());
  } catch (const std::bad_alloc &) {
    return failure(result, COSMIUM_NO_MEMORY, "");
  } catch (const std::system_error &error) {
    return failure(result, COSMIUM_SYSTEM, error.what());
  } catch (const std::exception &error) {
    return failure(result, std::strstr(error.what(), "zstd") ? COSMIUM_ZSTD : COSMIUM_MALFORMED, error.what());
  } catch (...) {
    return failure(result, COSMIUM_MALFORMED, "unknown error");
  }
  return result;
}
