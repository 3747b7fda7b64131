// The satellites above the horizon: the zenith is the middle, north is above.
const colors = { gps: "#1f78d1", glonass: "#d1491f", galileo: "#1f9d55", beidou: "#c026a8", qzss: "#8a6d00", navic: "#0f8f8f", sbas: "#6b7280", imes: "#6b7280" };
const letters = { gps: "G", glonass: "R", galileo: "E", beidou: "C", qzss: "J", navic: "I", sbas: "S", imes: "M" };
const namespace = "http://www.w3.org/2000/svg";

function draw(parent, name, attributes, text) {
  const node = document.createElementNS(namespace, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  if (text !== undefined) node.textContent = text;
  parent.append(node);
}

export function showSky(report) {
  const svg = document.getElementById("sky"), satellites = report.satellites ?? [];
  svg.replaceChildren();
  for (const elevation of [0, 30, 60]) draw(svg, "circle", { class: "ring", r: 90 - elevation });
  draw(svg, "path", { class: "ring", d: "M0-90V90M-90 0H90" });
  for (const [text, x, y] of [["N", 0, -95], ["E", 101, 3], ["S", 0, 104], ["W", -101, 3]]) draw(svg, "text", { class: "axis", x, y }, text);
  for (const one of satellites) {
    if (one.elevation === undefined || one.azimuth === undefined || one.elevation < 0) continue;
    const r = 90 - one.elevation, angle = one.azimuth * Math.PI / 180, x = r * Math.sin(angle), y = -r * Math.cos(angle);
    const color = colors[one.constellation] ?? "#6b7280";
    draw(svg, "circle", { class: "satellite", cx: x, cy: y, r: 3 + Math.min(4, (one.cn0 ?? 0) / 12), stroke: color, fill: one.used ? color : "none" });
    draw(svg, "text", { x, y: y + 14 }, `${letters[one.constellation] ?? "?"}${one.id}`);
  }
  const used = report.used ?? satellites.filter(one => one.used).length;
  document.getElementById("sky-text").textContent = satellites.length
    ? `${satellites.length} satellites, ${used} used${report.hdop === undefined ? "" : `, HDOP ${report.hdop}`}. Filled: used. Larger: stronger.`
    : "The receiver lists no satellites.";
}
