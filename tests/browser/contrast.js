// The texts of a page whose contrast with what lies behind them is below 4.5 to 1.
const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
function rgba(colour) {
  canvas.clearRect(0, 0, 1, 1);
  canvas.fillStyle = colour;
  canvas.fillRect(0, 0, 1, 1);
  return [...canvas.getImageData(0, 0, 1, 1).data];
}
function light([r, g, b]) {
  const part = (c) => { const s = c / 255; return s <= 0.03928 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4; };
  return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
}
function behind(element) {
  for (let e = element; e; e = e.parentElement) {
    const colour = rgba(getComputedStyle(e).backgroundColor);
    if (colour[3] > 250) return colour;
  }
  return [255, 255, 255, 255];
}
const weak = [];
for (const element of document.querySelectorAll("body *")) {
  const words = [...element.childNodes].filter((n) => n.nodeType === 3 && n.textContent.trim());
  const box = element.getBoundingClientRect();
  if (!words.length || !box.width || box.left < -500 || element.closest("desc, title, datalist, [hidden], .quiet")) continue;
  const style = getComputedStyle(element);
  const ink = rgba(element instanceof SVGElement ? style.fill : style.color);
  const [a, b] = [light(ink), light(behind(element))].sort((x, y) => y - x);
  const ratio = (a + 0.05) / (b + 0.05);
  if (ratio < 4.5) weak.push(`${ratio.toFixed(2)} ${element.tagName} ${words[0].textContent.trim().slice(0, 40)}`);
}
return weak;
