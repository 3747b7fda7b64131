// Regions: drawn, changed and deleted with a mouse, a finger or numbers.
import { circle, collection, destination, distance, feature, lengthText, timeText } from "./geodesy.js";
import { entry, load, onPanel, say, showPanel, shownPanel } from "./panels.js";

const element = id => document.getElementById(id);
const edited = "#c2410c";
const colors = { light: ["#7a3fc4", "#ffffff"], dark: ["#bb94f2", "#161d25"] };
let map, regions = [];
/** The region that is drawn or changed: `points` has a circle's center or a polygon's corners; `radius` is in meters. */
let draft;
let last = new Map();

export function addLayers(target) {
  map = target;
  const [color, halo] = colors[document.documentElement.dataset.theme];
  for (const name of ["regions", "region-names", "draft", "handles"]) map.addSource(name, { type: "geojson", data: collection([]), tolerance: 0.05 });
  map.addLayer({ id: "regions", type: "fill", source: "regions", paint: { "fill-color": color, "fill-opacity": ["case", ["==", ["get", "state"], "inside"], 0.24, 0.12] } });
  map.addLayer({ id: "regions-line", type: "line", source: "regions", paint: { "line-color": color, "line-width": 2 } });
  map.addLayer({ id: "region-names", type: "symbol", source: "region-names", layout: { "text-field": ["get", "name"], "text-font": ["sans-serif"], "text-size": 13 }, paint: { "text-color": color, "text-halo-color": halo, "text-halo-width": 1.6 } });
  map.addLayer({ id: "draft", type: "fill", source: "draft", paint: { "fill-color": edited, "fill-opacity": 0.18 } });
  map.addLayer({ id: "draft-line", type: "line", source: "draft", paint: { "line-color": edited, "line-width": 2.5, "line-dasharray": [3, 1.5] } });
  map.addLayer({ id: "handles", type: "circle", source: "handles", paint: { "circle-radius": 8, "circle-color": "#ffffff", "circle-stroke-color": edited, "circle-stroke-width": 3 } });
  paint();
  paintDraft();
}

export function setUpRegions(target) {
  map = target;
  onPanel("regions", refresh, cancel);
  element("draw-circle").addEventListener("click", () => begin("circle"));
  element("draw-polygon").addEventListener("click", () => begin("polygon"));
  element("region-form").addEventListener("submit", event => { event.preventDefault(); save(); });
  element("region-cancel").addEventListener("click", cancel);
  element("region-delete").addEventListener("click", remove);
  element("region-radius").addEventListener("input", () => {
    const radius = Number(element("region-radius").value);
    if (draft?.shape === "circle" && radius > 0) { draft.radius = radius; paintDraft(); }
  });
  for (const [type, begin] of [["mousedown", press], ["touchstart", press], ["mousemove", move], ["touchmove", move], ["mouseup", release], ["touchend", release]]) map.on(type, begin);
  map.on("click", click);
  map.on("dblclick", event => { if (draft?.phase === "corners") { event.preventDefault(); finishPolygon(); } });
  refresh();
}

export async function refresh() {
  try {
    regions = await load("/regions");
    paint();
    list();
  } catch (error) { say("region-text", error.message, true); }
}

/** An event of a region that the service has reported. */
export function receive(event) {
  if (!event.region) return;
  last.set(event.region, event);
  clearTimeout(receive.timer);
  receive.timer = setTimeout(refresh, 200);
}

const ring = ({ points, radius }) => radius === undefined ? [...points, points[0]] : circle(points[0], radius);
const middle = ({ points }) => [0, 1].map(i => points.reduce((sum, point) => sum + point[i], 0) / points.length);

function paint() {
  if (!map.getSource("regions")) return;
  const others = regions.filter(region => region.name !== draft?.original);
  map.getSource("regions").setData(collection(others.map(region => feature("Polygon", [ring(region)], { name: region.name, state: region.state }))));
  map.getSource("region-names").setData(collection(others.map(region => feature("Point", middle(region), { name: region.name }))));
}

function list() {
  if (!draft) say("region-text", regions.length ? "" : "There are no regions yet: draw one, and its events are recorded when you enter or leave it.");
  element("region-list").replaceChildren(...regions.map(region => {
    const size = region.radius === undefined ? `polygon of ${region.points.length} corners` : `radius ${lengthText(region.radius)}`;
    const event = last.get(region.name);
    const news = event?.timestamp ? `, ${event.event === region.state ? "since" : event.event} ${timeText(event.timestamp)}` : "";
    return entry(region.name, `${region.state}${news}, ${size}${region.own ? "" : `, list ${region.list}`}`, () => edit(region));
  }));
}

// MARK: drawing

function begin(shape) {
  cancel();
  map.fire("free");
  draft = { shape, points: [], phase: shape === "circle" ? "center" : "corners" };
  document.body.classList.add("drawing");
  map.doubleClickZoom.disable();
  say("region-text", shape === "circle" ? "Press at the center, and drag to the border." : "Click each corner; click the first one again, or press Enter, to finish.");
}

function edit(region) {
  cancel();
  map.fire("free");
  const box = ring(region).reduce((box, point) => box.extend(point), new maplibregl.LngLatBounds(region.points[0], region.points[0]));
  map.fitBounds(box, { padding: { top: 90, bottom: 110, left: 60, right: innerWidth > 640 ? 420 : 60 }, maxZoom: 17, animate: false });
  if (!region.own) return say("region-text", "This region belongs to another list: 'locationctl region' changes it.");
  draft = { shape: region.radius === undefined ? "polygon" : "circle", points: region.points.map(point => [...point]), radius: region.radius, phase: "edit", original: region.name };
  showForm(region.name);
  paint();
}

export function cancel() {
  if (!draft) return false;
  draft = undefined;
  document.body.classList.remove("drawing");
  map.doubleClickZoom.enable();
  map.dragPan.enable();
  element("region-form").hidden = true;
  say("region-text", "");
  paint(); paintDraft(); list();
  return true;
}

export function finishPolygon() {
  if (draft?.phase !== "corners") return false;
  if (draft.points.length < 3) { say("region-text", "A polygon needs three corners.", true); return true; }
  draft.phase = "edit";
  showForm("");
  return true;
}

function showForm(name) {
  document.body.classList.remove("drawing");
  say("region-text", "Drag the white points to change it.");
  element("region-form").hidden = false;
  element("region-name").value = name;
  element("radius-label").hidden = draft.shape !== "circle";
  element("region-radius").value = draft.radius === undefined ? "" : String(Math.round(draft.radius));
  element("region-delete").hidden = draft.original === undefined;
  if (innerWidth > 640) element("region-name").focus();
  paintDraft();
}

function handles() {
  if (!draft || draft.phase !== "edit" && draft.phase !== "corners") return [];
  return draft.shape === "circle" ? [draft.points[0], destination(draft.points[0], draft.radius, 90)] : draft.points;
}

function paintDraft() {
  if (!map.getSource("draft")) return;
  const has = draft && (draft.shape === "circle" ? draft.radius > 0 : draft.points.length > 1);
  map.getSource("draft").setData(has ? feature("Polygon", [ring(draft)]) : collection([]));
  map.getSource("handles").setData(collection(handles().map((point, index) => feature("Point", point, { index }))));
}

/** The number of the handle near a point of the screen. */
function handleAt({ x, y }, touches) {
  const reach = touches ? 24 : 12;
  return handles().findIndex(point => { const at = map.project(point); return Math.hypot(at.x - x, at.y - y) < reach; });
}

const isTouch = event => event.type.startsWith("touch");

function press(event) {
  if (!draft || event.originalEvent.touches?.length > 1) return;
  const at = event.lngLat.toArray();
  if (draft.phase === "center") {
    Object.assign(draft, { points: [at], radius: 0, phase: "radius" });
  } else if (draft.phase === "edit") {
    const held = handleAt(event.point, isTouch(event));
    if (held < 0) return;
    draft.held = held;
  } else return;
  event.preventDefault();
  map.dragPan.disable();
}

function move(event) {
  if (!draft) return;
  const at = event.lngLat.toArray();
  if (draft.phase === "radius") draft.radius = distance(draft.points[0], at);
  else if (draft.held === undefined) return;
  else if (draft.shape === "circle" && draft.held === 1) draft.radius = Math.max(1, distance(draft.points[0], at));
  else draft.points[draft.held] = at;
  if (draft.radius !== undefined) element("region-radius").value = String(Math.round(draft.radius));
  paintDraft();
}

function release() {
  if (!draft) return;
  map.dragPan.enable();
  if (draft.phase === "radius") {
    // A click without a drag: a circle of a tenth of the map's width.
    if (draft.radius < 1) draft.radius = distance(draft.points[0], map.unproject([map.project(draft.points[0]).x + innerWidth / 10, map.project(draft.points[0]).y]).toArray());
    draft.phase = "edit";
    showForm("");
  }
  draft.held = undefined;
}

function click(event) {
  if (draft?.phase === "corners") {
    const first = draft.points[0] && map.project(draft.points[0]);
    if (draft.points.length > 2 && Math.hypot(first.x - event.point.x, first.y - event.point.y) < 14) return finishPolygon();
    draft.points.push(event.lngLat.toArray());
    return paintDraft();
  }
  if (draft) return;
  const found = map.queryRenderedFeatures(event.point, { layers: ["regions"] })[0];
  const region = found && regions.find(region => region.name === found.properties.name);
  if (!region) return;
  if (shownPanel() !== "regions") showPanel("regions");
  edit(region);
}

// MARK: saving

async function save() {
  const name = element("region-name").value.trim();
  if (!draft || !name) return;
  const { original, shape, points, radius } = draft;
  if (name !== original && regions.some(region => region.own && region.name === name)) return say("region-text", "There is a region of that name already.", true);
  const body = new URLSearchParams({ shape, points: points.map(([longitude, latitude]) => `${latitude.toFixed(7)},${longitude.toFixed(7)}`).join(" ") });
  if (shape === "circle") body.set("radius", radius.toFixed(2));
  try {
    await load(`/regions/${encodeURIComponent(name)}`, { method: "PUT", body });
    if (original !== undefined && original !== name) await load(`/regions/${encodeURIComponent(original)}`, { method: "DELETE" });
    cancel();
    await refresh();
  } catch (error) { say("region-text", error.message, true); }
}

async function remove() {
  try {
    await load(`/regions/${encodeURIComponent(draft.original)}`, { method: "DELETE" });
    cancel();
    await refresh();
  } catch (error) { say("region-text", error.message, true); }
}
