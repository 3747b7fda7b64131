// A position that was clicked: its coordinates, and its address from the data on this machine.
import { coordinateText } from "./geodesy.js";
import { load } from "./panels.js";

const element = id => document.getElementById(id);
let popup;

function make(tag, text) {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}

export function copyText(text, button) {
  const before = button.textContent;
  navigator.clipboard?.writeText(text).then(() => {
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = before; }, 1500);
  }, () => { button.textContent = "Not copied"; });
}

function show(map, at) {
  popup?.remove();
  const content = document.createElement("div"), address = make("p", "…"), coordinates = make("p", coordinateText(at.toArray())), button = make("button", "Copy");
  const source = make("small", "");
  content.className = "spot";
  coordinates.className = "row";
  button.type = "button";
  button.addEventListener("click", () => copyText(coordinateText(at.toArray()), button));
  coordinates.append(button);
  content.append(address, coordinates, source);
  popup = new maplibregl.Popup({ closeButton: true, maxWidth: "18rem", focusAfterOpen: false }).setLngLat(at).setDOMContent(content).addTo(map);
  load(`/address?at=${at.lat.toFixed(6)},${at.lng.toFixed(6)}`).then(({ lines = [], sources = [] }) => {
    address.replaceChildren(...lines.flatMap((line, i) => i ? [document.createElement("br"), line] : [make("strong", line)]));
    address.hidden = lines.length === 0;
    source.textContent = sources.join("; ");
  }, () => { address.hidden = true; });
}

/** Closes what is open; `false`: nothing was. */
export function close() {
  if (!popup?.isOpen()) return false;
  popup.remove();
  return true;
}

export function setUpSpot(map) {
  map.on("click", event => {
    // A region is drawn, or was clicked.
    if (document.body.classList.contains("drawing") || !element("region-form").hidden) return;
    const { lng, lat } = event.lngLat.wrap();
    if (Math.abs(lat) <= 90) show(map, new maplibregl.LngLat(lng, lat));
  });
}
