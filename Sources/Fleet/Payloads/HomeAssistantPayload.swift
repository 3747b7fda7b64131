package import FleetDestinations
package import Geodesy
import TrackFormats

/// Home Assistant's MQTT discovery (https://www.home-assistant.io/integrations/mqtt/): one device with a tracker and sensors.
package enum HomeAssistantPayload {
  /// What describes the device.
  package struct Device: Hashable, Sendable {
    package var version: String
    /// As in /proc/device-tree/model.
    package var model: String?

    package init(version: String, model: String?) { (self.version, self.model) = (version, model) }
  }

  /// The topic of the device's description; empty and retained, it removes the device.
  package static func configTopic(_ settings: FleetSettings) -> String? {
    settings.homeAssistant.map { "\($0)/device/locationd_\(settings.user)_\(settings.device)/config" }
  }

  /// The topic of the newest position and of the sensors' values.
  package static func stateTopic(_ settings: FleetSettings) -> String {
    "fleet/\(settings.user)-\(settings.device)/position"
  }

  /// The topic of whether the device is connected. Its messages are retained, so that it is known after a restart of Home Assistant as well.
  package static func availabilityTopic(_ settings: FleetSettings) -> String {
    "fleet/\(settings.user)-\(settings.device)/available"
  }

  /// Home Assistant's usual words.
  package static func availability(_ isConnected: Bool) -> [UInt8] { Array((isConnected ? "online" : "offline").utf8) }

  package static func config(_ settings: FleetSettings, _ about: Device) -> [UInt8] {
    let box = "locationd_\(settings.user)_\(settings.device)"
    let state = stateTopic(settings)
    var device = JSONObject()
    device.add("ids", .list([box]))
    device.add("name", .text(settings.device))
    device.add("mf", .text("swift-corelocation"))
    device.add("mdl", .text(about.model))
    device.add("sw", .text(about.version))
    var origin = JSONObject()
    origin.add("name", .text("locationd"))
    origin.add("sw", .text(about.version))
    var components = JSONObject()
    var tracker = JSONObject()
    tracker.add("p", .text("device_tracker"))
    tracker.add("unique_id", .text(box))
    tracker.add("name", rawValue: Array("null".utf8))
    tracker.add("source_type", .text("gps"))
    tracker.add("json_attributes_topic", .text(state))
    components.add("position", rawValue: tracker.closed)
    for (key, name, template, type, unit) in [
      ("outbox", "Outbox", "{{ value_json.outbox }}", nil, "messages"),
      ("last_fix", "Last fix", "{{ value_json.timestamp }}", "timestamp", nil),
      ("battery", "Battery", "{{ value_json.battery }}", "battery", "%"),
    ] as [(String, String, String, String?, String?)] {
      var sensor = JSONObject()
      sensor.add("p", .text("sensor"))
      sensor.add("unique_id", .text("\(box)_\(key)"))
      sensor.add("name", .text(name))
      sensor.add("state_topic", .text(state))
      sensor.add("value_template", .text(template))
      sensor.add("device_class", .text(type))
      sensor.add("unit_of_measurement", .text(unit))
      components.add(key, rawValue: sensor.closed)
    }
    if settings.sendsEvents {
      var event = JSONObject()
      event.add("p", .text("event"))
      event.add("unique_id", .text("\(box)_region"))
      event.add("name", .text("Region"))
      event.add("state_topic", .text("\(settings.baseTopic)/event"))
      event.add("event_types", .list(["enter", "leave"]))
      event.add(
        "value_template", .text("{{ {'event_type': value_json.event, 'region': value_json.desc} | tojson }}"))
      components.add("region", rawValue: event.closed)
    }
    var object = JSONObject()
    object.add("dev", rawValue: device.closed)
    object.add("o", rawValue: origin.closed)
    object.add("avty_t", .text(availabilityTopic(settings)))
    object.add("cmps", rawValue: components.closed)
    return object.closed
  }

  /// The newest position with the values of the sensors. Home Assistant drops an accuracy of 0.
  package static func state(_ fix: PositionFix, _ health: FleetHealth) -> [UInt8] {
    var object = JSONObject()
    object.add("latitude", .number(fix.coordinate.latitude.degrees, decimals: 7))
    object.add("longitude", .number(fix.coordinate.longitude.degrees, decimals: 7))
    object.add("gps_accuracy", .number(Int(up: fix.horizontalRadius68)))
    if fix.kind.hasHeight { object.add("altitude", .meters(fix.heightAboveMeanSeaLevel?.value)) }
    object.add("speed", .meters(fix.speedMetersPerSecond))
    if let course = fix.course, let degrees = FixedDecimal(direction: course.degrees, decimals: 1) {
      object.add("course", .number(degrees))
    }
    object.add("timestamp", .text(Timestamp(fix.time)?.iso8601))
    object.add("outbox", .number(health.waiting))
    // A sensor without a battery is unknown, not absent: a template of an absent key would be an error in Home Assistant's log.
    if let battery = health.battery {
      object.add("battery", .number(battery))
    } else {
      object.add("battery", rawValue: Array("null".utf8))
    }
    return object.closed
  }
}
