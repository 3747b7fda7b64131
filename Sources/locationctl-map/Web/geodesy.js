// Distances and circles on the ellipsoid WGS 84, and numbers as texts in the user's units.

const A = 6378137, F = 1 / 298.257223563, B = A * (1 - F);
const radians = Math.PI / 180;

/** The point at a distance in meters and a direction in degrees (T. Vincenty, Survey Review 23 (176), 1975: direct solution). */
export function destination([longitude, latitude], distance, direction) {
  const azimuth = direction * radians, sinA = Math.sin(azimuth), cosA = Math.cos(azimuth);
  const tanU = (1 - F) * Math.tan(latitude * radians), cosU = 1 / Math.hypot(1, tanU), sinU = tanU * cosU;
  const sigma1 = Math.atan2(tanU, cosA), sinAlpha = cosU * sinA, cos2Alpha = 1 - sinAlpha ** 2;
  const u2 = cos2Alpha * (A * A - B * B) / (B * B);
  const a = 1 + u2 / 16384 * (4096 + u2 * (-768 + u2 * (320 - 175 * u2)));
  const b = u2 / 1024 * (256 + u2 * (-128 + u2 * (74 - 47 * u2)));
  let sigma = distance / (B * a), sin, cos, cos2;
  for (let step = 0; step < 20; step++) {
    cos2 = Math.cos(2 * sigma1 + sigma); sin = Math.sin(sigma); cos = Math.cos(sigma);
    const change = b * sin * (cos2 + b / 4 * (cos * (2 * cos2 ** 2 - 1) - b / 6 * cos2 * (4 * sin ** 2 - 3) * (4 * cos2 ** 2 - 3)));
    const next = distance / (B * a) + change;
    if (Math.abs(next - sigma) < 1e-12) break;
    sigma = next;
  }
  const x = sinU * sin - cosU * cos * cosA;
  const phi = Math.atan2(sinU * cos + cosU * sin * cosA, (1 - F) * Math.hypot(sinAlpha, x));
  const lambda = Math.atan2(sin * sinA, cosU * cos - sinU * sin * cosA);
  const c = F / 16 * cos2Alpha * (4 + F * (4 - 3 * cos2Alpha));
  const l = lambda - (1 - c) * F * sinAlpha * (sigma + c * sin * (cos2 + c * cos * (2 * cos2 ** 2 - 1)));
  return [longitude + l / radians, phi / radians];
}

/** Meters between two points, for lengths on a screen: on the sphere with the mean radius, at most 0.6 % wrong. */
export function distance([x1, y1], [x2, y2]) {
  const dy = (y2 - y1) * radians / 2, dx = (x2 - x1) * radians / 2;
  const h = Math.sin(dy) ** 2 + Math.cos(y1 * radians) * Math.cos(y2 * radians) * Math.sin(dx) ** 2;
  return 2 * 6371008.8 * Math.asin(Math.min(1, Math.sqrt(h)));
}

/** A closed ring of points at a distance. */
export function circle(center, radius, steps = 96) {
  const ring = [];
  for (let step = 0; step < steps; step++) ring.push(destination(center, radius, step * 360 / steps));
  ring.push(ring[0]);
  return ring;
}

export const feature = (type, coordinates, properties = {}) => ({ type: "Feature", properties, geometry: { type, coordinates } });
export const collection = features => ({ type: "FeatureCollection", features });

const systems = {
  metric: { short: [1, "m"], long: [1000, "km"], speed: [3.6, "km/h"] },
  imperial: { short: [0.3048, "ft"], long: [1609.344, "mi"], speed: [3600 / 1609.344, "mph"] },
  nautical: { short: [1, "m"], long: [1852, "NM"], speed: [3600 / 1852, "kn"] },
};
export const units = { name: localStorage.getItem("units") ?? "metric" };
const number = (value, digits) => value.toLocaleString(undefined, { maximumFractionDigits: digits, minimumFractionDigits: 0 });

export function lengthText(meters) {
  const { short, long } = systems[units.name] ?? systems.metric;
  if (meters >= long[0]) return `${number(meters / long[0], meters < 10 * long[0] ? 2 : 1)} ${long[1]}`;
  return `${number(meters / short[0], meters / short[0] < 10 ? 1 : 0)} ${short[1]}`;
}
export function speedText(speed) {
  const [factor, name] = (systems[units.name] ?? systems.metric).speed;
  return `${number(speed * factor, speed * factor < 10 ? 1 : 0)} ${name}`;
}
export const coordinateText = ([longitude, latitude]) => `${latitude.toFixed(6)}, ${longitude.toFixed(6)}`;

/** A time with its zone. */
export const timeText = time => new Date(time).toLocaleString(undefined, {
  year: "numeric", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23", timeZoneName: "short" });

/** The same without the date of today. */
export const momentText = time => new Date(time).toDateString() === new Date().toDateString()
  ? new Date(time).toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23", timeZoneName: "short" })
  : timeText(time);
