// Visits: discs whose size is that of the stay.
import { collection, feature, timeText } from "./geodesy.js";
import { entry, load, onPanel, say } from "./panels.js";

const element = id => document.getElementById(id);
let map, visits = [];

export function addLayers(target) {
  map = target;
  map.addSource("visits", { type: "geojson", data: collection([]) });
  map.addLayer({ id: "visits", type: "circle", source: "visits", paint: {
    "circle-radius": ["interpolate", ["linear"], ["sqrt", ["get", "hours"]], 0, 6, 5, 24], "circle-color": "#0d9488", "circle-opacity": 0.45,
    "circle-stroke-color": "#0d9488", "circle-stroke-width": 1.5 } });
  paint();
}

function paint() {
  map.getSource("visits")?.setData(collection(visits.map(visit => feature("Point", [visit.longitude, visit.latitude], { hours: hours(visit) ?? 0.5 }))));
}

function hours({ arrival, departure, ended }) {
  if (!arrival || (!departure && ended)) return undefined;
  return Math.max(0, ((departure ? new Date(departure) : Date.now()) - new Date(arrival)) / 3_600_000);
}

function stay(visit) {
  const time = hours(visit);
  if (time === undefined) return "length not known";
  return time < 1 ? `${Math.round(time * 60)} min` : time < 48 ? `${time.toFixed(1)} h` : `${(time / 24).toFixed(1)} days`;
}

export function setUpVisits() { onPanel("visits", refresh); }

export async function refresh() {
  try {
    visits = await load("/visits");
    paint();
    say("visit-text", visits.length ? "" : "There are no visits yet: 'locationctl visits on' detects them.");
    element("visit-list").replaceChildren(...visits.toReversed().map(visit => entry(
      visit.arrival ? timeText(visit.arrival) : "arrival not observed", `${stay(visit)}${visit.departure || visit.ended ? "" : ", still there"}`,
      () => { map.fire("free"); map.jumpTo({ center: [visit.longitude, visit.latitude], zoom: Math.max(map.getZoom(), 14) }); })));
  } catch (error) { say("visit-text", error.message, true); }
}
