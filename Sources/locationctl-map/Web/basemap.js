// The map below everything: tiles where this machine has some, above the outline of the world with towns. It asks only this server.
import { collection, feature } from "./geodesy.js";
import { covers, layers, sources } from "./tiles.js";

export const palettes = {
  light: { water: "#c5dcec", land: "#f6f3ec", coast: "#9db8c9", border: "#a794ad", lake: "#c5dcec", town: "#2f3b47", halo: "#ffffff", dot: "#7b8794" },
  dark: { water: "#14212e", land: "#26303a", coast: "#3f566a", border: "#75658a", lake: "#14212e", town: "#d5dee6", halo: "#161d25", dot: "#8a97a3" },
};
const attribution = "Natural Earth; GeoNames";

function decode(numbers) {
  const line = [];
  let x = 0, y = 0;
  for (let i = 0; i + 1 < numbers.length; i += 2) {
    x += numbers[i]; y += numbers[i + 1];
    line.push([x / 500, y / 500]);
  }
  return line;
}

let world;
/** Land, lakes and borders as features. */
export async function outline() {
  world ??= fetch("/vendor/world.json").then(answer => answer.json()).then(data => ({
    land: collection(data.land.map(rings => feature("Polygon", rings.map(decode)))),
    lakes: collection(data.lakes.map(rings => feature("Polygon", rings.map(decode)))),
    borders: collection([feature("MultiLineString", data.borders.map(decode))]),
  }));
  return world;
}

let files = [];
/** Asks which tiles this machine has. */
export async function findTiles() {
  const answer = await fetch("/basemap").catch(() => undefined);
  files = answer?.ok ? (await answer.json()).files : [];
}

/** The largest zoom at which there is something to see around a position: the outline has nothing to show beyond 12.5. */
export const usefulZoom = ([lng, lat]) => covers(files, { lng, lat }, 14) ? 16 : 12.5;

export function style(theme) {
  const color = palettes[theme], empty = collection([]);
  const source = data => ({ type: "geojson", data, attribution, tolerance: 0.8 });
  const size = ["interpolate", ["linear"], ["log10", ["max", ["get", "population"], 1]], 3, 11, 5, 13, 7, 17];
  return {
    version: 8,
    sources: { land: source(empty), lakes: source(empty), borders: source(empty), towns: { type: "geojson", data: empty }, ...sources(files) },
    layers: [
      { id: "water", type: "background", paint: { "background-color": color.water } },
      { id: "land", type: "fill", source: "land", paint: { "fill-color": color.land } },
      { id: "coast", type: "line", source: "land", paint: { "line-color": color.coast, "line-width": 0.8 } },
      { id: "lakes", type: "fill", source: "lakes", paint: { "fill-color": color.lake, "fill-outline-color": color.coast } },
      { id: "borders", type: "line", source: "borders", paint: { "line-color": color.border, "line-width": 1, "line-dasharray": [4, 2] } },
      ...layers(files, theme),
      { id: "town-dots", type: "circle", source: "towns", paint: { "circle-radius": 2.2, "circle-color": color.dot } },
      { id: "towns", type: "symbol", source: "towns",
        layout: { "text-field": ["get", "name"], "text-font": ["sans-serif"], "text-size": size, "text-offset": [0, 0.25],
          "text-anchor": "top", "text-max-width": 8, "text-padding": 4, "symbol-sort-key": ["-", 0, ["get", "population"]] },
        paint: { "text-color": color.town, "text-halo-color": color.halo, "text-halo-width": 1.4 } },
    ],
  };
}

/** Fills the sources of a map, and keeps the towns those of the area that is shown. */
export function fill(map) {
  outline().then(data => { for (const name of ["land", "lakes", "borders"]) map.getSource(name)?.setData(data[name]); });
  showTowns(map);
}

let asked = 0;
export async function showTowns(map) {
  // Tiles have finer borders, and names of their own.
  const hasTiles = covers(files, map.getCenter(), map.getZoom());
  for (const name of ["borders", "coast", "towns", "town-dots"]) {
    if (map.getLayer(name)) map.setLayoutProperty(name, "visibility", hasTiles ? "none" : "visible");
  }
  if (hasTiles) return;
  const bounds = map.getBounds(), clip = (value, most) => Math.min(most, Math.max(-most, value)).toFixed(4);
  const { clientWidth, clientHeight } = map.getContainer();
  const most = Math.min(400, Math.max(12, Math.round(clientWidth * clientHeight / 9000)));
  const area = [clip(bounds.getWest(), 180), clip(bounds.getSouth(), 90), clip(bounds.getEast(), 180), clip(bounds.getNorth(), 90)];
  if (Number(area[0]) > Number(area[2])) return;
  const turn = ++asked;
  const towns = await fetch(`/towns?area=${area}&most=${most}`).then(answer => answer.ok ? answer.json() : []);
  if (turn !== asked) return;
  map.getSource("towns")?.setData(collection(towns.map(({ name, population = 0, at }) => feature("Point", at[0], { name, population }))));
}
