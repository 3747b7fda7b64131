// The panel at the side: one of its parts is shown at a time.
const element = id => document.getElementById(id);
const titles = { tracks: "Tracks", regions: "Regions", visits: "Visits", overlays: "Files", sky: "Satellites", settings: "Units and colors" };
let shown;
const openers = {}, closers = {};

/** Calls `open` when a part is shown, and `close` when it is not any more. */
export function onPanel(name, open, close = () => {}) { openers[name] = open; closers[name] = close; }
export const shownPanel = () => shown;

export function showPanel(name) {
  const next = name === shown ? undefined : name;
  if (shown) closers[shown]?.();
  shown = next;
  element("panel").hidden = !shown;
  for (const part of document.querySelectorAll("[data-of]")) part.hidden = part.dataset.of !== shown;
  for (const button of document.querySelectorAll("[data-panel]")) button.setAttribute("aria-expanded", String(button.dataset.panel === shown));
  if (!shown) return;
  element("panel-title").textContent = titles[shown];
  openers[shown]?.();
}

export function setUpPanels() {
  for (const button of document.querySelectorAll("[data-panel]")) button.addEventListener("click", () => showPanel(button.dataset.panel));
  element("close").addEventListener("click", () => { if (shown) showPanel(shown); });
}

/** An entry of a list: a name, and a smaller text below it. */
export function entry(name, text, onClick) {
  const item = document.createElement("li"), button = document.createElement("button"), small = document.createElement("small");
  button.type = "button";
  button.textContent = name; small.textContent = text;
  button.append(small);
  button.addEventListener("click", onClick);
  item.append(button);
  return item;
}

/** The answer as JSON; an error has the server's sentence. */
export async function load(address, options) {
  const answer = await fetch(address, options);
  if (!answer.ok) throw new Error((await answer.text()).trim() || "The map does not answer.");
  return answer.json();
}

export function say(id, text, isBad = false) {
  element(id).textContent = text;
  element(id).classList.toggle("bad", isBad);
}
