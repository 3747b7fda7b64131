// Tracks of logs: colored by a value, with a slider of time and a chart.
import { collection, distance, feature, lengthText, speedText, timeText } from "./geodesy.js";
import { load, onPanel, say } from "./panels.js";

const element = id => document.getElementById(id);
/** From low to high; each step is told from its neighbors without seeing red and green. */
const ramp = ["#3b4cc0", "#5a8df0", "#4fc3d9", "#5bc46a", "#d4c02a", "#f08b2c", "#d8352a"];
const shown = { track: undefined, chart: undefined };
let map;

export function addLayers(target) {
  map = target;
  for (const name of ["track", "suspect", "moment"]) map.addSource(name, { type: "geojson", data: collection([]) });
  map.addLayer({ id: "track-rim", type: "line", source: "track", layout: { "line-cap": "round", "line-join": "round" }, paint: { "line-color": "#ffffff", "line-width": 6, "line-opacity": 0.8 } });
  map.addLayer({ id: "track", type: "line", source: "track", layout: { "line-cap": "round", "line-join": "round" }, paint: { "line-color": ["get", "color"], "line-width": 3.5 } });
  map.addLayer({ id: "suspect", type: "circle", source: "suspect", paint: { "circle-radius": 5, "circle-color": "#ffffff", "circle-opacity": 0.6, "circle-stroke-color": "#c2261d", "circle-stroke-width": 2 } });
  map.addLayer({ id: "moment", type: "circle", source: "moment", paint: { "circle-radius": 7, "circle-color": "#ffffff", "circle-stroke-color": "#16202b", "circle-stroke-width": 3 } });
  if (shown.track) paint();
}

export function setUpTracks() {
  onPanel("tracks", listLogs);
  for (const id of ["log", "from", "to"]) element(id).addEventListener("change", show);
  element("color").addEventListener("change", () => { if (shown.track) paint(); });
  element("moment").addEventListener("input", showMoment);
  element("fit").addEventListener("click", fit);
  element("clear-track").addEventListener("click", clear);
}

async function listLogs() {
  try {
    const logs = await load("/logs"), select = element("log"), before = select.value;
    select.replaceChildren(new Option("choose a log", ""), ...logs.map(log => {
      const option = new Option(log.encrypted ? `${log.name} (encrypted)` : log.name, log.name);
      option.disabled = log.encrypted;
      return option;
    }));
    select.value = logs.some(log => log.name === before) ? before : "";
    if (!shown.track) say("track-text", logs.length ? "" : "There are no logs yet: 'locationctl log start NAME' records one.");
  } catch (error) { say("track-text", error.message, true); }
}

async function show() {
  const name = element("log").value;
  if (!name) return clear();
  const query = new URLSearchParams();
  const day = (id, end) => element(id).value && Math.floor(new Date(`${element(id).value}T${end ? "23:59:59" : "00:00:00"}`) / 1000);
  if (day("from")) query.set("from", day("from"));
  if (day("to", true)) query.set("to", day("to", true));
  say("track-text", "Reading…");
  try {
    const track = await load(`/tracks/${encodeURIComponent(name)}?${query}`);
    if (!track.time.length) { clear(); return say("track-text", "The log has no positions in this period."); }
    shown.track = track;
    let meters = 0;
    const starts = new Set(track.segments);
    for (let i = 1; i < track.time.length; i++) if (!starts.has(i)) meters += distance(point(i - 1), point(i));
    say("track-text", `${track.time.length.toLocaleString()} positions, ${lengthText(meters)}${track.cut ? "; the rest is left out" : ""}.`);
    element("track-details").hidden = false;
    element("moment").max = String(track.time.length - 1);
    element("moment").value = element("moment").max;
    paint();
    fit();
    document.body.dataset.track = String(track.time.length);
  } catch (error) { clear(); say("track-text", error.message, true); }
}

function clear() {
  shown.track = undefined;
  element("track-details").hidden = true;
  say("track-text", "");
  for (const name of ["track", "suspect", "moment"]) map.getSource(name)?.setData(collection([]));
}

const point = i => [shown.track.longitude[i], shown.track.latitude[i]];

/** The lowest value of each color: the colors have about the same number of positions each. */
function limits(values) {
  const known = values.filter(value => value !== null).sort((a, b) => a - b);
  return ramp.map((_, i) => known[Math.floor(known.length * i / ramp.length)]);
}

function paint() {
  const { track } = shown, kind = element("color").value, values = track[kind];
  const steps = limits(values), starts = new Set(track.segments);
  const colorOf = value => value === null ? "#7d8791" : ramp[steps.findLastIndex(limit => value >= limit)];
  const lines = new Map();
  let line, color;
  for (let i = 0; i < track.time.length; i++) {
    const next = colorOf(values[i]);
    if (starts.has(i) || next !== color) {
      const begin = starts.has(i) || !line ? [] : [line[line.length - 1]];
      line = begin; color = next;
      if (!lines.has(color)) lines.set(color, []);
      lines.get(color).push(line);
    }
    line.push(point(i));
  }
  map.getSource("track").setData(collection([...lines].map(([color, parts]) =>
    feature("MultiLineString", parts.map(part => part.length > 1 ? part : [part[0], part[0]]), { color }))));
  map.getSource("suspect").setData(collection(track.suspect.flatMap((flag, i) => flag ? [feature("Point", point(i))] : [])));
  const text = value => kind === "speed" ? speedText(value) : kind === "radius" ? lengthText(value) : new Date(value).toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit" });
  element("legend").replaceChildren(...ramp.map((color, i) => {
    const span = document.createElement("span");
    span.style.setProperty("--step", color);
    if (steps[i] !== undefined && i % 2 === 0) span.textContent = text(steps[i]);
    return span;
  }));
  shown.chart = undefined;
  showMoment();
}

function fit() {
  const { track } = shown;
  let [west, south, east, north] = [180, 90, -180, -90];
  for (let i = 0; i < track.time.length; i++) {
    west = Math.min(west, track.longitude[i]); east = Math.max(east, track.longitude[i]);
    south = Math.min(south, track.latitude[i]); north = Math.max(north, track.latitude[i]);
  }
  map.fire("free");
  const wide = innerWidth > 640;
  map.fitBounds([[west, south], [east, north]], { padding: wide ? { top: 60, bottom: 80, left: 60, right: 420 } : { top: 130, bottom: innerHeight * 0.55, left: 20, right: 20 }, maxZoom: 17, animate: false });
}

function showMoment() {
  const { track } = shown, i = Number(element("moment").value);
  map.getSource("moment").setData(feature("Point", point(i)));
  const parts = [timeText(track.time[i])];
  if (track.speed[i] !== null) parts.push(speedText(track.speed[i]));
  if (track.radius[i] !== null) parts.push(`± ${lengthText(track.radius[i])}`);
  if (track.height[i] !== null) parts.push(`height ${lengthText(track.height[i])}`);
  element("moment-text").textContent = parts.join(" · ");
  drawChart(i);
}

/** The chart with a line at a position. Its curves are drawn once for a track and a width, because the slider moves often. */
function drawChart(cursor) {
  const { track } = shown, canvas = element("chart"), ratio = devicePixelRatio;
  const width = canvas.clientWidth || 300, height = 150;
  const context = canvas.getContext("2d"), look = getComputedStyle(document.documentElement);
  const x = i => track.time.length > 1 ? i / (track.time.length - 1) * width : width / 2;
  if (!shown.chart || canvas.width !== Math.floor(width * ratio) || canvas.height !== Math.floor(height * ratio)) {
    canvas.width = width * ratio; canvas.height = height * ratio;
    context.scale(ratio, ratio);
    drawCurves(context, look, x, width, height);
    shown.chart = context.getImageData(0, 0, canvas.width, canvas.height);
  } else {
    context.putImageData(shown.chart, 0, 0);
  }
  context.strokeStyle = look.getPropertyValue("--ink"); context.lineWidth = 1;
  context.beginPath(); context.moveTo(x(cursor), 0); context.lineTo(x(cursor), height); context.stroke();
}

/** Speed, radius and height, each in its own scale, against the number of the position. */
function drawCurves(context, look, x, width, height) {
  const { track } = shown, strip = height / 3;
  context.font = "11px sans-serif";
  [["speed", "#1a6dff", speedText], ["radius", "#c77700", lengthText], ["height", "#1f9d55", lengthText]].forEach(([name, color, text], row) => {
    const values = track[name];
    let low = Infinity, high = -Infinity;
    for (const value of values) if (value !== null) { low = Math.min(low, value); high = Math.max(high, value); }
    if (name !== "height") low = 0;
    const top = row * strip + 14, bottom = (row + 1) * strip - 3;
    context.fillStyle = look.getPropertyValue("--soft");
    context.fillText(high === -Infinity ? `${name}: not known` : `${name}, up to ${text(high)}`, 2, row * strip + 10);
    if (high === -Infinity) return;
    context.strokeStyle = color; context.lineWidth = 1.2; context.beginPath();
    // At most two values for each pixel: the least and the greatest.
    const each = Math.max(1, Math.floor(track.time.length / width));
    for (let i = 0, pen = false; i < values.length; i += each) {
      let least = Infinity, most = -Infinity;
      for (let j = i; j < Math.min(i + each, values.length); j++) if (values[j] !== null) { least = Math.min(least, values[j]); most = Math.max(most, values[j]); }
      if (most === -Infinity) { pen = false; continue; }
      const y = value => high > low ? bottom - (value - low) / (high - low) * (bottom - top) : bottom;
      if (pen) context.lineTo(x(i), y(most)); else context.moveTo(x(i), y(most));
      if (least !== most) context.lineTo(x(i), y(least));
      pen = true;
    }
    context.stroke();
  });
}
