// Files that are dropped on the map, or chosen: GPX, KML and GeoJSON, and images by their four corners. They stay in the browser.
import { collection, feature } from "./geodesy.js";
import { entry, onPanel, say } from "./panels.js";

const element = id => document.getElementById(id);
const colors = { light: ["#b3367a", "#0f766e", "#b45309", "#1d4ed8"], dark: ["#f687b3", "#4fd1c5", "#f6ad55", "#63b3ed"] };
/** Of a file in bytes, and of all its positions. */
const largest = 64 << 20, mostPositions = 500_000, mostFiles = 16;
let map, files = [], next = 0;

export function setUpOverlays(target) {
  map = target;
  onPanel("overlays", list);
  element("overlay-file").addEventListener("change", event => { read(event.target.files); event.target.value = ""; });
  element("choose-overlay").addEventListener("click", () => element("overlay-file").click());
  for (const type of ["dragover", "drop"]) addEventListener(type, event => {
    if (![...event.dataTransfer?.types ?? []].includes("Files")) return;
    event.preventDefault();
    if (type === "drop") read(event.dataTransfer.files);
  });
}

async function read(chosen) {
  for (const file of chosen) {
    try {
      if (files.length === mostFiles) throw new Error(`There are ${mostFiles} files on the map already: remove one.`);
      if (file.size > largest) throw new Error("It is larger than 64 MB.");
      await (file.type.startsWith("image/") && file.type !== "image/svg+xml" ? addImage(file) : addShapes(file));
    } catch (error) { say("overlay-text", `${file.name}: ${error.message}`, true); }
  }
}

function add(overlay) {
  overlay.id = `overlay${next++}`;
  files.push(overlay);
  paint(overlay);
  fit(overlay);
  say("overlay-text", "");
  list();
}

// MARK: shapes

async function addShapes(file) {
  const text = await file.text(), start = text.trimStart();
  const features = start.startsWith("{") ? fromGeoJSON(text) : start.startsWith("<") ? fromXML(text) : undefined;
  if (!features) throw new Error("It is neither GPX nor KML nor GeoJSON, and no image.");
  let count = 0;
  const box = new maplibregl.LngLatBounds();
  const walk = value => {
    if (typeof value[0] !== "number") return value.forEach(walk);
    if (!(Math.abs(value[0]) <= 180 && Math.abs(value[1]) <= 90)) throw new Error("A position of it is not valid.");
    if (++count > mostPositions) throw new Error("It has too many positions.");
    box.extend(value.slice(0, 2));
  };
  for (const one of features) walk(one.geometry.coordinates);
  if (!count) throw new Error("There is nothing in it that can be drawn.");
  add({ name: file.name, kind: "shapes", features, box: box.toArray(), count, color: next % 4 });
}

function fromGeoJSON(text) {
  let data;
  try { data = JSON.parse(text); } catch { throw new Error("It is no valid JSON."); }
  const found = [], known = ["Point", "MultiPoint", "LineString", "MultiLineString", "Polygon", "MultiPolygon"];
  const visit = (value, properties = {}, depth = 0) => {
    if (!value || depth > 8) return;
    if (value.type === "FeatureCollection") (value.features ?? []).forEach(one => visit(one, {}, depth + 1));
    else if (value.type === "Feature") visit(value.geometry, value.properties ?? {}, depth + 1);
    else if (value.type === "GeometryCollection") (value.geometries ?? []).forEach(one => visit(one, properties, depth + 1));
    else if (known.includes(value.type) && Array.isArray(value.coordinates)) found.push(feature(value.type, value.coordinates, styled(properties)));
  };
  visit(data);
  return found;
}

/** The names and colors of simplestyle (github.com/mapbox/simplestyle-spec, version 1.1.0). */
function styled(properties) {
  const color = value => typeof value === "string" && /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.test(value) ? `#${value.replace("#", "")}` : undefined;
  const kept = { name: String(properties.name ?? properties.title ?? "").slice(0, 80), stroke: color(properties.stroke ?? properties["marker-color"]), fill: color(properties.fill) };
  return Object.fromEntries(Object.entries(kept).filter(([, value]) => value));
}

function fromXML(text) {
  const page = new DOMParser().parseFromString(text, "application/xml");
  if (page.querySelector("parsererror")) throw new Error("It is no valid XML.");
  const root = page.documentElement.localName, all = (from, name) => [...from.getElementsByTagNameNS("*", name)];
  const name = from => ({ name: (all(from, "name")[0]?.textContent ?? "").trim().slice(0, 80) });
  if (root === "gpx") {
    const point = one => [Number(one.getAttribute("lon")), Number(one.getAttribute("lat"))];
    const lines = [...all(page, "trk").flatMap(track => all(track, "trkseg").map(part => [all(part, "trkpt"), track])), ...all(page, "rte").map(route => [all(route, "rtept"), route])];
    return [...lines.filter(([points]) => points.length > 1).map(([points, from]) => feature("LineString", points.map(point), name(from))), ...all(page, "wpt").map(one => feature("Point", point(one), name(one)))];
  }
  if (root !== "kml") return undefined;
  const positions = from => (all(from, "coordinates")[0]?.textContent ?? "").trim().split(/\s+/).filter(Boolean).map(one => one.split(",").slice(0, 2).map(Number));
  return all(page, "Placemark").flatMap(mark => [
    ...all(mark, "Point").map(one => feature("Point", positions(one)[0] ?? [], name(mark))),
    ...all(mark, "LineString").map(one => feature("LineString", positions(one), name(mark))),
    ...all(mark, "Track").map(one => feature("LineString", all(one, "coord").map(at => at.textContent.trim().split(/\s+/).slice(0, 2).map(Number)), name(mark))),
    ...all(mark, "Polygon").map(one => feature("Polygon", [...all(one, "outerBoundaryIs"), ...all(one, "innerBoundaryIs")].map(positions), name(mark))),
  ]).filter(({ geometry }) => geometry.coordinates.length > 0);
}

// MARK: images

async function addImage(file) {
  const picture = await createImageBitmap(file).catch(() => { throw new Error("It is no image that this browser shows."); });
  // In the middle of the map, at half its size; the corners are then moved.
  const { clientWidth, clientHeight } = map.getContainer(), scale = 0.5 * Math.min(clientWidth / picture.width, clientHeight / picture.height);
  const [w, h] = [picture.width * scale / 2, picture.height * scale / 2], [x, y] = [clientWidth / 2, clientHeight / 2];
  const corners = [[x - w, y - h], [x + w, y - h], [x + w, y + h], [x - w, y + h]].map(at => map.unproject(at).toArray());
  // Drawn once: an address of the image would have to be permitted to the page's requests.
  const canvas = document.createElement("canvas"), most = Math.min(1, 4096 / Math.max(picture.width, picture.height));
  canvas.width = Math.max(1, picture.width * most); canvas.height = Math.max(1, picture.height * most);
  canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
  add({ name: file.name, kind: "image", canvas, corners });
}

/** The corners as white points that are dragged, in the order of the image: upper left, upper right, lower right, lower left. */
function showCorners(overlay) {
  overlay.markers?.forEach(marker => marker.remove());
  overlay.markers = overlay.corners.map((corner, index) => {
    const handle = document.createElement("div");
    handle.className = "corner";
    handle.title = ["Upper left corner", "Upper right corner", "Lower right corner", "Lower left corner"][index];
    const marker = new maplibregl.Marker({ element: handle, draggable: true }).setLngLat(corner).addTo(map);
    marker.on("drag", () => { overlay.corners[index] = marker.getLngLat().toArray(); map.getSource(overlay.id)?.setCoordinates(overlay.corners); });
    return marker;
  });
}

// MARK: the map

/** After a change of the style. */
export function addLayers(target) {
  map = target;
  for (const overlay of files) paint(overlay);
}

function paint(overlay) {
  const { id } = overlay, below = map.getLayer("visits") ? "visits" : undefined;
  if (map.getSource(id)) return;
  if (overlay.kind === "image") {
    map.addSource(id, { type: "canvas", canvas: overlay.canvas, coordinates: overlay.corners, animate: false });
    map.addLayer({ id, type: "raster", source: id, paint: { "raster-opacity": 0.8, "raster-fade-duration": 0 } }, below);
    return showCorners(overlay);
  }
  const color = colors[document.documentElement.dataset.theme][overlay.color], halo = document.documentElement.dataset.theme === "dark" ? "#161d25" : "#ffffff";
  map.addSource(id, { type: "geojson", data: collection(overlay.features) });
  const is = type => ["==", ["geometry-type"], type], stroke = ["coalesce", ["get", "stroke"], color];
  map.addLayer({ id, type: "fill", source: id, filter: is("Polygon"), paint: { "fill-color": ["coalesce", ["get", "fill"], stroke], "fill-opacity": 0.18 } }, below);
  map.addLayer({ id: `${id}-line`, type: "line", source: id, filter: ["!", is("Point")], layout: { "line-join": "round", "line-cap": "round" }, paint: { "line-color": stroke, "line-width": 3 } }, below);
  map.addLayer({ id: `${id}-point`, type: "circle", source: id, filter: is("Point"), paint: { "circle-radius": 6, "circle-color": stroke, "circle-stroke-color": "#ffffff", "circle-stroke-width": 2 } }, below);
  map.addLayer({ id: `${id}-name`, type: "symbol", source: id, filter: is("Point"), layout: { "text-field": ["get", "name"], "text-font": ["sans-serif"], "text-size": 12, "text-anchor": "top", "text-offset": [0, 0.6] },
    paint: { "text-color": stroke, "text-halo-color": halo, "text-halo-width": 1.5 } }, below);
}

function fit(overlay) {
  map.fire("free");
  const box = overlay.box ?? overlay.corners.reduce((box, corner) => box.extend(corner), new maplibregl.LngLatBounds(overlay.corners[0], overlay.corners[0])).toArray();
  map.fitBounds(box, { padding: { top: 110, bottom: 110, left: 60, right: innerWidth > 640 ? 420 : 60 }, maxZoom: 16, animate: false });
}

function remove(overlay) {
  overlay.markers?.forEach(marker => marker.remove());
  for (const suffix of ["-name", "-point", "-line", ""]) if (map.getLayer(overlay.id + suffix)) map.removeLayer(overlay.id + suffix);
  if (map.getSource(overlay.id)) map.removeSource(overlay.id);
  files = files.filter(one => one !== overlay);
  list();
}

function list() {
  if (!files.length && !element("overlay-text").textContent) say("overlay-text", "Drop GPX, KML or GeoJSON files on the map, or an image, whose four corners you then drag. They stay in this browser.");
  element("overlay-list").replaceChildren(...files.map(overlay => {
    const item = entry(overlay.name, overlay.kind === "image" ? "image: drag its four corners" : `${overlay.features.length} shapes, ${overlay.count} positions`, () => fit(overlay));
    const button = document.createElement("button");
    button.type = "button"; button.className = "quiet danger"; button.textContent = "Remove"; button.setAttribute("aria-label", `Remove ${overlay.name}`);
    button.addEventListener("click", () => remove(overlay));
    item.append(button);
    return item;
  }));
}
