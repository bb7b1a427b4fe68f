// The matrix under the pointer, and which figures it gives: for the page, and for pictures in notebooks.
if (!window.scoreproofPointer) {
  window.scoreproofPointer = true; // a notebook brings it along with every picture
  const plural = (words) => (words.length > 1 ? `${words.slice(0, -1).join(", ")} and ${words.at(-1)}` : words.join(""));
  document.addEventListener("pointermove", (event) => {
    const svg = event.target.closest?.("svg[data-under]");
    if (!svg) return;
    const under = (svg.under ??= JSON.parse(svg.dataset.under));
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    const [right, up] = [(at.x - under.x) / under.side, 1 - (at.y - under.y) / under.side];
    const figure = svg.closest("figure");
    let place = figure.querySelector(".under");
    if (!place) {
      place = document.createElement("p");
      place.className = "under";
      figure.querySelector(".panels").after(place);
    }
    if (right < 0 || right > 1 || up < 0 || up > 1) return;
    const tp = Math.min(Math.max(Math.round(under.left + right * (under.right - under.left)), 0), under.p);
    const tn = Math.min(Math.max(Math.round(under.bottom + up * (under.top - under.bottom)), 0), under.n);
    let words = `TP ${tp}, FN ${under.p - tp}, FP ${under.n - tn}, TN ${tn}`;
    if (under.met) {
      const [first, low, high] = [Math.ceil(under.left), Math.ceil(under.bottom), Math.floor(under.top)];
      const bits = parseInt(under.met.split(".")[(tp - first) * (high - low + 1) + tn - low] ?? "", 16);
      if (!Number.isNaN(bits)) {
        const gives = under.figures.filter((_, index) => bits & (1 << index));
        words += gives.length ? `: gives ${plural(gives)}` : ": gives none of the figures";
      }
    }
    place.textContent = words;
  });
}
