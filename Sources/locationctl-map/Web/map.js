// The page: connects the map, the stream and the panels.
import { fill, findTiles, outline, palettes, showTowns, style, usefulZoom } from "./basemap.js";
import { circle, coordinateText, units } from "./geodesy.js";
import * as live from "./live.js";
import * as overlays from "./overlays.js";
import { load, onPanel, setUpPanels, showPanel, shownPanel } from "./panels.js";
import * as regions from "./regions.js";
import { showSky } from "./sky.js";
import * as spot from "./spot.js";
import * as tracks from "./tracks.js";
import * as visits from "./visits.js";

const element = id => document.getElementById(id);
const dark = matchMedia("(prefers-color-scheme: dark)");
const calm = matchMedia("(prefers-reduced-motion: reduce)");
let map, follows = true, hasCentered = false, lastCenter = 0;

/** A position that arrives within this time is where the map begins, so that the whole world is not drawn first. */
const firstPosition = new Promise(done => {
  live.live.listeners.add(() => { if (live.live.fix) done(); });
  setTimeout(done, 400);
});

const theme = () => ({ light: "light", dark: "dark" })[localStorage.getItem("theme")] ?? (dark.matches ? "dark" : "light");
function applyTheme() {
  document.documentElement.dataset.theme = theme();
  if (map) map.setStyle(style(theme()), { diff: false });
  else if (!element("picture").hidden) drawPicture();
}

function setFollow(value) {
  follows = value;
  element("follow").setAttribute("aria-pressed", String(value));
  if (value) center();
}

/** The zoom at which the circle of accuracy fills a fifth of the smaller side, as far as there is something to see. */
function zoomFor(fix) {
  const side = Math.min(innerWidth, innerHeight) / 5, radius = Math.max(fix.horizontalAccuracy ?? 50, 20);
  const metersPerPixel = radius / side;
  return Math.min(usefulZoom([fix.longitude, fix.latitude]), Math.max(3, Math.log2(40075016.686 * Math.cos(fix.latitude * Math.PI / 180) / (512 * metersPerPixel))));
}

function center() {
  const { fix } = live.live;
  if (!fix || !map) return;
  const target = { center: [fix.longitude, fix.latitude] };
  if (!hasCentered) { map.jumpTo({ ...target, zoom: zoomFor(fix) }); hasCentered = true; }
  // Between positions that come several times a second, the map would be drawn without a pause.
  else if (calm.matches || performance.now() - lastCenter < 600) map.jumpTo(target);
  else map.easeTo({ ...target, duration: 250, easing: share => share });
  lastCenter = performance.now();
}

function addLayers() {
  fill(map);
  overlays.addLayers(map);
  visits.addLayers(map);
  regions.addLayers(map);
  tracks.addLayers(map);
  live.addLayers(map);
}

function start() {
  const { fix } = live.live;
  const view = fix ? { center: [fix.longitude, fix.latitude], zoom: zoomFor(fix) } : { center: [10, 25], zoom: 1.4 };
  hasCentered = Boolean(fix);
  map = new maplibregl.Map({
    container: "map", style: style(theme()), ...view, attributionControl: { compact: false }, maxPitch: 0, hash: false,
    locale: { "NavigationControl.ZoomIn": "Zoom in", "NavigationControl.ZoomOut": "Zoom out" } });
  map.addControl(new maplibregl.NavigationControl({ visualizePitch: false }), "top-right");
  const scale = new maplibregl.ScaleControl({ unit: units.name, maxWidth: 110 });
  map.addControl(scale, "bottom-left");
  map.on("style.load", addLayers);
  map.on("moveend", () => showTowns(map));
  for (const gesture of ["dragstart", "zoomstart", "rotatestart"]) map.on(gesture, event => { if (event.originalEvent && gesture === "dragstart") setFollow(false); });
  map.on("free", () => setFollow(false));
  map.once("idle", () => { document.body.dataset.idle = String(Math.round(performance.now())); });
  element("units").addEventListener("change", () => { scale.setUnit(units.name); });
  live.live.listeners.add(() => { live.update(map); if (follows) center(); });
  regions.setUpRegions(map);
  tracks.setUpTracks();
  visits.setUpVisits();
  visits.refresh();
  spot.setUpSpot(map);
  overlays.setUpOverlays(map);
  globalThis.page = { map, live: live.live };
}

// MARK: without WebGL

/** A picture of the same data: the outline, the towns, the circle and the dot, in Mercator's projection. */
async function drawPicture() {
  const canvas = element("picture"), ratio = devicePixelRatio, width = innerWidth, height = innerHeight;
  canvas.width = width * ratio; canvas.height = height * ratio;
  const context = canvas.getContext("2d"), color = palettes[theme()], { fix, state } = live.live;
  const mercator = ([x, y]) => [x / 360 + 0.5, 0.5 - Math.asinh(Math.tan(Math.max(-85, Math.min(85, y)) * Math.PI / 180)) / (2 * Math.PI)];
  const size = fix ? 512 * 2 ** Math.min(zoomFor(fix), 9) : width, origin = mercator(fix ? [fix.longitude, fix.latitude] : [0, 20]);
  const project = point => { const [x, y] = mercator(point); return [(x - origin[0]) * size + width / 2, (y - origin[1]) * size + height / 2]; };
  const path = lines => { context.beginPath(); for (const line of lines) line.forEach((point, i) => context[i ? "lineTo" : "moveTo"](...project(point))); };
  const world = await outline();
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.fillStyle = color.water; context.fillRect(0, 0, width, height);
  const polygons = (data, fill) => { path(data.features.flatMap(one => one.geometry.coordinates)); context.fillStyle = fill; context.fill("evenodd"); context.strokeStyle = color.coast; context.stroke(); };
  polygons(world.land, color.land); polygons(world.lakes, color.lake);
  path(world.borders.features[0].geometry.coordinates); context.strokeStyle = color.border; context.setLineDash([6, 3]); context.stroke(); context.setLineDash([]);
  if (fix) {
    const reach = width / size * 180, at = [fix.longitude, fix.latitude];
    const area = [Math.max(-180, at[0] - reach), Math.max(-90, at[1] - reach / 2), Math.min(180, at[0] + reach), Math.min(90, at[1] + reach / 2)];
    const towns = await load(`/towns?area=${area.map(value => value.toFixed(4))}&most=25`).catch(() => []);
    context.font = "13px sans-serif"; context.textAlign = "center"; context.fillStyle = color.town;
    for (const town of towns) { const [x, y] = project(town.at[0]); context.fillRect(x - 2, y - 2, 4, 4); context.fillText(town.name, x, y + 15); }
    const main = state === "live" ? "#1a6dff" : "#7d8791";
    if (fix.horizontalAccuracy) { path([circle(at, fix.horizontalAccuracy)]); context.fillStyle = `${main}33`; context.fill(); context.strokeStyle = main; context.stroke(); }
    context.beginPath(); context.arc(...project(at), 9, 0, 7); context.fillStyle = "#fff"; context.fill();
    context.beginPath(); context.arc(...project(at), 6.5, 0, 7); context.fillStyle = main; context.fill();
  }
  context.font = "11px sans-serif"; context.textAlign = "right"; context.fillStyle = color.town;
  context.fillText("Natural Earth; GeoNames", width - 6, height - 6);
  document.body.dataset.picture = "drawn";
}

function startPicture() {
  element("map").hidden = true;
  element("picture").hidden = false;
  for (const name of ["follow"]) element(name).hidden = true;
  for (const name of ["tracks", "regions", "visits", "overlays"]) document.querySelector(`[data-panel=${name}]`).hidden = true;
  let isDue = false;
  const draw = () => { if (!isDue) { isDue = true; requestAnimationFrame(() => { isDue = false; drawPicture(); }); } };
  live.live.listeners.add(draw);
  addEventListener("resize", draw);
  draw();
}

// MARK: controls

function copy() {
  const { fix } = live.live;
  if (fix) spot.copyText(coordinateText([fix.longitude, fix.latitude]), element("copy"));
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") { if (!(map && (regions.cancel() || spot.close())) && shownPanel()) showPanel(shownPanel()); return; }
  if (event.target.closest?.("input, select, textarea")) return;
  if (event.key === "Enter" && map && regions.finishPolygon()) return event.preventDefault();
  const panel = { t: "tracks", r: "regions", v: "visits", o: "overlays", s: "sky", u: "settings" }[event.key.toLowerCase()];
  if (panel && !document.querySelector(`[data-panel=${panel}]`).hidden) showPanel(panel);
  else if (event.key.toLowerCase() === "f" && map) setFollow(!follows);
  else if (event.key.toLowerCase() === "c") copy();
}

function hasWebGL() {
  const canvas = document.createElement("canvas");
  return Boolean(canvas.getContext("webgl2") ?? canvas.getContext("webgl"));
}

applyTheme();
dark.addEventListener("change", applyTheme);
element("theme").value = localStorage.getItem("theme") ?? "auto";
element("theme").addEventListener("change", event => { localStorage.setItem("theme", event.target.value); applyTheme(); });
element("units").value = units.name;
element("units").addEventListener("change", event => { units.name = event.target.value; localStorage.setItem("units", units.name); live.show(); });
setUpPanels();
element("follow").addEventListener("click", () => setFollow(!follows));
element("copy").addEventListener("click", copy);
addEventListener("keydown", onKey);
let sky = {};
onPanel("sky", () => showSky(sky));
const handlers = { sky: report => { sky = report; if (shownPanel() === "sky") showSky(report); }, monitoring: event => { if (map) regions.receive(event); } };
live.connect(handlers);
Promise.all([firstPosition, findTiles()]).then(() => { if (hasWebGL()) start(); else startPicture(); });
document.addEventListener("visibilitychange", () => { if (document.hidden) live.disconnect(); else live.connect(handlers); });
