// The stream of positions, and the dot, its circle and its course on the map.
import { circle, collection, coordinateText, feature, lengthText, momentText, speedText } from "./geodesy.js";

/** After this many milliseconds without a new position, the dot is gray. */
const staleAfter = 10_000;
const trailLength = 2000;
const colors = { live: "#1a6dff", gray: "#7d8791" };
const element = id => document.getElementById(id);

export const live = { fix: undefined, state: "none", trail: [], listeners: new Set() };
let stream, staleTimer, message = "";

function setState(state) {
  live.state = state;
  document.body.dataset.position = state;
  show();
  for (const listener of live.listeners) listener();
}

export function connect(handlers) {
  if (stream) return;
  stream = new EventSource("/events");
  stream.addEventListener("fix", event => {
    live.fix = JSON.parse(event.data);
    live.received = performance.now();
    const at = [live.fix.longitude, live.fix.latitude];
    live.trail.push(at);
    if (live.trail.length > trailLength) live.trail.shift();
    message = "";
    clearTimeout(staleTimer);
    staleTimer = setTimeout(() => { if (live.state === "live") setState("stale"); }, staleAfter);
    setState("live");
    document.body.dataset.fixes = String(Number(document.body.dataset.fixes ?? 0) + 1);
  });
  stream.addEventListener("state", event => {
    const { state, text } = JSON.parse(event.data);
    if (state === "live") return;
    message = text;
    if (state === "lost") setState("lost");
    else if (state === "failed") setState("failed");
    else if (!live.fix) setState("waiting");
    else show();
  });
  for (const [name, handler] of Object.entries(handlers)) stream.addEventListener(name, event => handler(JSON.parse(event.data)));
  stream.addEventListener("error", () => {
    message = "The map has ended: start 'locationctl map' again.";
    setState("failed");
  });
}

/** Browsers permit six connections to a server: a page that nobody sees needs none. */
export function disconnect() {
  stream?.close();
  stream = undefined;
  clearTimeout(staleTimer);
}

/** The texts beside the map. */
export function show() {
  const { fix, state } = live;
  const titles = { live: "Position", stale: "No new position", lost: "Position lost", failed: "No position", waiting: "Waiting for a position", none: "Waiting for a position" };
  element("headline-text").textContent = message || titles[state];
  element("place").hidden = !fix;
  if (!fix) return;
  element("coordinates").textContent = coordinateText([fix.longitude, fix.latitude]);
  document.title = state === "live" ? coordinateText([fix.longitude, fix.latitude]) : titles[state];
  const rows = [];
  if (fix.horizontalAccuracy !== undefined) rows.push(["Within", `± ${lengthText(fix.horizontalAccuracy)} (68 %)`]);
  if (fix.speed !== undefined) rows.push(["Speed", speedText(fix.speed)]);
  if (isMoving(fix)) rows.push(["Course", `${Math.round(fix.course) % 360}° ${compass(fix.course)}`]);
  if (fix.altitude !== undefined) rows.push(["Height", lengthText(fix.altitude)]);
  rows.push(["Time", momentText(fix.timestamp)]);
  const values = element("values");
  values.replaceChildren(...rows.flatMap(([name, value]) => {
    const term = document.createElement("dt"), text = document.createElement("dd");
    term.textContent = name; text.textContent = value;
    return [term, text];
  }));
  for (const text of [fix.suspect && `Suspect: ${fix.suspect}`, fix.simulated && "Simulated or replayed"]) {
    if (!text) continue;
    const flag = document.createElement("dd");
    flag.className = "flag"; flag.textContent = text;
    values.append(flag);
  }
}

const isMoving = fix => fix.course !== undefined && (fix.speed ?? 0) > 0.5;
const compass = course => ["N", "NE", "E", "SE", "S", "SW", "W", "NW"][Math.round(course / 45) % 8];

export function addLayers(map) {
  for (const name of ["accuracy", "position", "trail"]) map.addSource(name, { type: "geojson", data: collection([]), tolerance: 0.05 });
  if (!map.hasImage("wedge")) map.addImage("wedge", wedge(), { pixelRatio: 2 });
  const isGray = ["get", "gray"], color = ["case", isGray, colors.gray, colors.live];
  map.addLayer({ id: "trail", type: "line", source: "trail", layout: { "line-cap": "round", "line-join": "round" }, paint: { "line-color": colors.live, "line-width": 3, "line-opacity": 0.45 } }, map.getLayer("track-rim") && "track-rim");
  map.addLayer({ id: "accuracy", type: "fill", source: "accuracy", paint: { "fill-color": color, "fill-opacity": 0.16 } });
  map.addLayer({ id: "accuracy-line", type: "line", source: "accuracy", filter: ["!", ["get", "lost"]], paint: { "line-color": color, "line-width": 1.5, "line-opacity": 0.7 } });
  map.addLayer({ id: "accuracy-lost", type: "line", source: "accuracy", filter: ["get", "lost"], paint: { "line-color": colors.gray, "line-width": 2, "line-dasharray": [2, 2] } });
  map.addLayer({ id: "course", type: "symbol", source: "position", filter: ["has", "course"], layout: { "icon-image": "wedge", "icon-rotate": ["get", "course"], "icon-rotation-alignment": "map", "icon-allow-overlap": true, "icon-ignore-placement": true } });
  map.addLayer({ id: "dot-rim", type: "circle", source: "position", paint: { "circle-radius": 10, "circle-color": "#ffffff", "circle-pitch-alignment": "map" } });
  map.addLayer({ id: "dot", type: "circle", source: "position", paint: { "circle-radius": 7, "circle-color": color, "circle-pitch-alignment": "map" } });
  update(map);
}

export function update(map) {
  const { fix, state, trail } = live;
  if (!fix || !map.getSource("position")) return;
  const at = [fix.longitude, fix.latitude];
  const gray = state !== "live", lost = state === "lost" || state === "failed";
  const properties = { gray, lost };
  if (!gray && isMoving(fix)) properties.course = fix.course;
  map.getSource("position").setData(feature("Point", at, properties));
  map.getSource("accuracy").setData(fix.horizontalAccuracy === undefined ? collection([]) : feature("Polygon", [circle(at, fix.horizontalAccuracy)], { gray, lost }));
  map.getSource("trail").setData(feature("LineString", trail.length > 1 ? trail : [at, at]));
}

/** The beam that shows the course, with the dot in its middle. */
function wedge() {
  const size = 144, canvas = new OffscreenCanvas(size, size), context = canvas.getContext("2d");
  const middle = size / 2, beam = context.createRadialGradient(middle, middle, 14, middle, middle, middle);
  beam.addColorStop(0, "#1a6dffd0"); beam.addColorStop(1, "#1a6dff00");
  context.fillStyle = beam;
  context.beginPath(); context.moveTo(middle, middle); context.arc(middle, middle, middle, -Math.PI / 2 - 0.5, -Math.PI / 2 + 0.5); context.fill();
  return context.getImageData(0, 0, size, size);
}
