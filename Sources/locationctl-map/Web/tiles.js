// The style of tiles: the layers of imported places, and those of OpenMapTiles (openmaptiles.org/schema).
import { collection, feature } from "./geodesy.js";

const colors = {
  light: {
    land: "#f6f3ec", wood: "#d3e4c5", grass: "#e3eed5", farm: "#f2eedb", scrub: "#dce7cd", wetland: "#dae8dd", sand: "#f4ecd1", rock: "#e5e2dd", ice: "#eef6fa",
    built: "#edeae4", commercial: "#f2e7e3", industrial: "#e9e4ea", park: "#d4e9ca", pitch: "#c9e3c4", school: "#f1ead4", parking: "#ebeae7", airport: "#e6e6ee",
    water: "#b9d6ea", stream: "#8fbbd8", building: "#ddd6cb", wall: "#c8bfb2", border: "#9a86a3", region: "#b7a9bd", coast: "#8fb1c6",
    motorway: "#f0a35c", trunk: "#f6bf7a", primary: "#fad890", secondary: "#fdeeb4", minor: "#ffffff", casing: "#d2cabd", main: "#d59a4e", path: "#b08d62", rail: "#a29d99",
    text: "#2f3b47", halo: "#ffffff", road: "#574c3f", waterText: "#3f729b", peak: "#7a5a3c",
  },
  dark: {
    land: "#26303a", wood: "#24362f", grass: "#293a33", farm: "#2d342f", scrub: "#28382f", wetland: "#233a3a", sand: "#3a372c", rock: "#30363b", ice: "#3a4a57",
    built: "#2c353f", commercial: "#352f38", industrial: "#312f3d", park: "#243c31", pitch: "#2a4538", school: "#34352f", parking: "#303841", airport: "#2f3442",
    water: "#14212e", stream: "#35536c", building: "#39444f", wall: "#4b5763", border: "#8b7799", region: "#6a5d76", coast: "#47627a",
    motorway: "#a8733e", trunk: "#8f6f44", primary: "#7c6c48", secondary: "#665f47", minor: "#4a5663", casing: "#1d252d", main: "#1d252d", path: "#7d6b52", rail: "#66717b",
    text: "#d5dee6", halo: "#161d25", road: "#c3ccd4", waterText: "#7fb0d6", peak: "#c9a583",
  },
};
/** The color of an area by its class, in both schemas. */
const areas = {
  wood: "wood", forest: "wood", grass: "grass", farm: "farm", farmland: "farm", scrub: "scrub", wetland: "wetland", sand: "sand", rock: "rock", ice: "ice",
  residential: "built", suburb: "built", neighbourhood: "built", commercial: "commercial", retail: "commercial", industrial: "industrial", quarry: "industrial", railway: "industrial",
  park: "park", cemetery: "park", pitch: "pitch", playground: "pitch", stadium: "pitch", school: "school", university: "school", hospital: "school",
  parking: "parking", square: "parking", airport: "airport",
};
const roadClasses = ["motorway", "trunk", "primary", "secondary", "tertiary", "minor", "service", "pedestrian", "runway", "taxiway"];
/** Pixels at the zooms 6, 10, 13, 16 and 19. */
const widths = {
  motorway: [0.8, 2, 4.5, 13, 40], trunk: [0.7, 1.8, 4, 12, 38], primary: [0.4, 1.3, 3.4, 11, 34], secondary: [0, 0.9, 2.8, 9.5, 30], tertiary: [0, 0.7, 2.2, 8.5, 26],
  minor: [0, 0, 1.2, 7, 22], pedestrian: [0, 0, 0.9, 5, 14], service: [0, 0, 0.7, 4, 12], runway: [0, 1, 5, 24, 100], taxiway: [0, 0, 1.5, 8, 30],
};
const steps = [6, 10, 13, 16, 19];

const width = more => ["interpolate", ["exponential", 1.5], ["zoom"], ...steps.flatMap((zoom, step) =>
  [zoom, ["match", ["get", "class"], ...roadClasses.flatMap(name => [name, widths[name][step] + (widths[name][step] > 0 ? more[step] : 0)]), step < 2 ? 0 : 1]])];
const oneOf = (...names) => ["in", ["get", "class"], ["literal", names]];

/** What the schemas call the same thing: the layer, and a condition. */
const schemas = {
  places: {
    areas: ["land"], water: ["water"], waterway: ["waterway"], building: ["building"], road: ["road"], roadName: ["road"], rail: ["rail"],
    country: ["border", ["==", ["get", "class"], "country"]], region: ["border", ["==", ["get", "class"], "region"]], coast: ["border", ["==", ["get", "class"], "coast"]],
    place: ["place"], waterName: ["label", ["==", ["get", "class"], "water"]], peak: ["label", ["==", ["get", "class"], "peak"]], station: ["label", ["==", ["get", "class"], "station"]],
    name: ["get", "name"], order: ["-", 0, ["coalesce", ["get", "rank"], 0]],
  },
  openMapTiles: {
    areas: ["landcover"], uses: ["landuse"], parks: ["park"], water: ["water", ["!=", ["get", "brunnel"], "tunnel"]], waterway: ["waterway", ["!=", ["get", "brunnel"], "tunnel"]], building: ["building"],
    road: ["transportation"], roadName: ["transportation_name"], rail: ["transportation", oneOf("rail", "transit")],
    country: ["boundary", ["all", ["==", ["get", "admin_level"], 2], ["!=", ["get", "maritime"], 1]]], region: ["boundary", ["all", ["==", ["get", "admin_level"], 4], ["!=", ["get", "maritime"], 1]]],
    place: ["place"], waterName: ["water_name", ["==", ["geometry-type"], "Point"]], peak: ["mountain_peak"], name: ["coalesce", ["get", "name:latin"], ["get", "name"]], order: ["coalesce", ["get", "rank"], 20],
  },
};

/** What files have is text, and MapLibre shows notices as markup. */
const escaped = text => text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);

export function sources(files) {
  const found = {};
  for (const { index, content, minzoom, maxzoom, bounds, attribution } of files) {
    found[`tiles${index}`] = { type: content === "vector" ? "vector" : "raster", tiles: [`${location.origin}/tiles/${index}/{z}/{x}/{y}`], minzoom, maxzoom,
      ...(bounds ? { bounds } : {}), ...(content === "vector" ? {} : { tileSize: 256 }), attribution: escaped(attribution) };
  }
  // Files of OpenMapTiles have the sea, so that the outline below them would only be wrong; all around is land.
  const covered = files.filter(file => file.schema !== "places" && file.content === "vector").map(({ bounds: [west, south, east, north] = [-180, -85, 180, 85] }) =>
    feature("Polygon", [[[west, south], [east, south], [east, north], [west, north], [west, south]]]));
  found.covered = { type: "geojson", data: collection(covered) };
  return found;
}

/** Whether a file has tiles for the middle of the map. */
export const covers = (files, { lng, lat }, zoom) => files.some(({ minzoom, bounds }) =>
  zoom >= Math.max(minzoom, 7) && (!bounds || (lng >= bounds[0] && lng <= bounds[2] && lat >= bounds[1] && lat <= bounds[3])));

/** The layers of all files: areas, lines and names, so that no file hides another one's names. */
export function layers(files, theme) {
  const color = colors[theme], below = [], lines = [], names = [];
  below.push({ id: "covered", type: "fill", source: "covered", minzoom: 7, paint: { "fill-color": color.land } });
  for (const file of files) {
    if (file.content !== "vector") { below.push({ id: `raster${file.index}`, type: "raster", source: `tiles${file.index}` }); continue; }
    const schema = schemas[file.schema];
    if (schema) add(file.index, schema, color, below, lines, names);
  }
  return [...below, ...lines, ...names];
}

function add(index, schema, color, below, lines, names) {
  const layer = (list, id, role, type, rest, more) => {
    const [source, condition] = schema[role] ?? [];
    if (!source) return;
    const conditions = [condition, more].filter(Boolean);
    list.push({ id: `${id}-${index}`, type, source: `tiles${index}`, "source-layer": source, ...(conditions.length ? { filter: ["all", ...conditions] } : {}), ...rest });
  };
  const fill = ["match", ["get", "class"], ...Object.entries(areas).flatMap(([name, use]) => [name, color[use]]), "transparent"];
  for (const role of ["uses", "areas"]) layer(below, role, role, "fill", { paint: { "fill-color": fill, "fill-antialias": false } });
  layer(below, "parks", "parks", "fill", { paint: { "fill-color": color.park, "fill-opacity": 0.6 } });
  layer(below, "tile-water", "water", "fill", { paint: { "fill-color": color.water } });
  layer(below, "waterway", "waterway", "line", { layout: { "line-cap": "round" }, paint: { "line-color": color.stream,
    "line-width": ["interpolate", ["exponential", 1.4], ["zoom"], 8, ["match", ["get", "class"], "river", 0.8, 0], 13, ["match", ["get", "class"], "river", 2.4, "canal", 1.6, 0.7], 17, ["match", ["get", "class"], "river", 8, "canal", 5, 2.5]] } });
  layer(below, "building", "building", "fill", { minzoom: 13, paint: { "fill-color": color.building, "fill-outline-color": color.wall, "fill-opacity": ["interpolate", ["linear"], ["zoom"], 13, 0.3, 15, 1] } });

  const drawn = oneOf(...roadClasses), main = oneOf("motorway", "trunk");
  layer(lines, "path", "road", "line", { minzoom: 13, paint: { "line-color": color.path, "line-width": ["interpolate", ["linear"], ["zoom"], 13, 0.6, 17, 1.8], "line-dasharray": [2.5, 1.5] } }, oneOf("path", "track"));
  layer(lines, "ferry", "road", "line", { paint: { "line-color": color.stream, "line-width": 1.2, "line-dasharray": [4, 3] } }, oneOf("ferry"));
  layer(lines, "road-casing", "road", "line", { minzoom: 9, layout: { "line-cap": "butt", "line-join": "round" },
    paint: { "line-color": ["match", ["get", "class"], ["motorway", "trunk", "primary"], color.main, color.casing], "line-width": width([0, 0.6, 1.4, 2, 2.5]) } }, drawn);
  layer(lines, "rail", "rail", "line", { minzoom: 8, paint: { "line-color": color.rail, "line-width": ["interpolate", ["linear"], ["zoom"], 8, 0.5, 13, 1.2, 17, 2.5] } });
  layer(lines, "rail-ties", "rail", "line", { minzoom: 13, paint: { "line-color": color.rail, "line-width": ["interpolate", ["linear"], ["zoom"], 13, 3, 17, 7], "line-dasharray": [0.25, 3] } });
  const tint = ["match", ["get", "class"], "motorway", color.motorway, "trunk", color.trunk, "primary", color.primary, "secondary", color.secondary, ["runway", "taxiway"], color.parking, color.minor];
  layer(lines, "road", "road", "line", { layout: { "line-cap": "round", "line-join": "round" }, paint: { "line-color": tint, "line-width": width([0, 0, 0, 0, 0]) } }, ["all", drawn, ["!", main]]);
  layer(lines, "road-main", "road", "line", { layout: { "line-cap": "round", "line-join": "round" }, paint: { "line-color": tint, "line-width": width([0, 0, 0, 0, 0]) } }, main);
  layer(lines, "tile-coast", "coast", "line", { paint: { "line-color": color.coast, "line-width": 1 } });
  layer(lines, "tile-region", "region", "line", { paint: { "line-color": color.region, "line-width": 1, "line-dasharray": [3, 2] } });
  layer(lines, "tile-country", "country", "line", { paint: { "line-color": color.border, "line-width": ["interpolate", ["linear"], ["zoom"], 6, 1, 14, 2.2], "line-dasharray": [5, 2, 1.5, 2] } });

  const text = { "text-font": ["sans-serif"], "text-field": schema.name, "text-padding": 4 };
  const paint = (ink, width = 1.5) => ({ "text-color": ink, "text-halo-color": color.halo, "text-halo-width": width });
  layer(names, "stream-name", "waterway", "symbol", { minzoom: 13, layout: { ...text, "symbol-placement": "line", "text-size": 11, "symbol-spacing": 400 }, paint: paint(color.waterText, 1.2) });
  layer(names, "road-name", "roadName", "symbol", { minzoom: 12, layout: { ...text, "symbol-placement": "line", "text-size": ["interpolate", ["linear"], ["zoom"], 12, 10, 17, 13], "symbol-spacing": 350, "text-max-angle": 35 },
    paint: paint(color.road) }, ["!", oneOf("path", "track", "ferry", "rail", "transit")]);
  layer(names, "peak", "peak", "symbol", { minzoom: 12, layout: { ...text, "text-field": ["concat", "▲ ", schema.name], "text-size": 11 }, paint: paint(color.peak) });
  layer(names, "station", "station", "symbol", { minzoom: 14, layout: { ...text, "text-field": ["concat", "▪ ", schema.name], "text-size": 11 }, paint: paint(color.road) });
  layer(names, "water-name", "waterName", "symbol", { layout: { ...text, "text-size": 12, "text-max-width": 7 }, paint: paint(color.waterText, 1.2) });
  const place = (id, classes, minzoom, maxzoom, size) => layer(names, id, "place", "symbol", { minzoom, maxzoom,
    layout: { ...text, "text-size": size, "text-max-width": 8, "symbol-sort-key": schema.order }, paint: paint(color.text, 1.8) }, oneOf(...classes));
  place("quarter", ["suburb", "quarter", "neighbourhood", "isolated_dwelling", "locality"], 12, 17, 12);
  place("hamlet", ["hamlet"], 12, 17, 12);
  place("village", ["village"], 9, 16, ["interpolate", ["linear"], ["zoom"], 9, 11, 14, 15]);
  place("town", ["town"], 7, 16, ["interpolate", ["linear"], ["zoom"], 7, 12, 14, 18]);
  place("city", ["city"], 5, 16, ["interpolate", ["linear"], ["zoom"], 6, 14, 14, 22]);
}
