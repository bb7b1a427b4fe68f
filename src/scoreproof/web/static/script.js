// Conveniences only: every page works without this file.
"use strict";

// Another row of scores.
const more = document.getElementById("more-rows");
if (more) {
  more.hidden = false;
  more.addEventListener("click", () => {
    const rows = document.getElementById("score-rows");
    const row = rows.lastElementChild.cloneNode(true);
    const number = rows.children.length;
    for (const label of row.querySelectorAll("label")) {
      const kind = label.htmlFor.split("-")[0];
      label.htmlFor = `${kind}-${number}`;
      label.textContent = label.textContent.replace(/\d+/, String(number + 1));
    }
    for (const input of row.querySelectorAll("input")) {
      input.id = `${input.name}-${number}`;
      input.value = "";
      input.removeAttribute("aria-invalid");
      input.removeAttribute("aria-describedby");
      input.removeAttribute("placeholder");
    }
    for (const problem of row.querySelectorAll(".problem")) problem.remove();
    rows.append(row);
    row.querySelector("input").focus();
  });
}

// A table pasted into a single field belongs into the field for tables.
const table = document.getElementById("table");
if (table) {
  document.addEventListener("paste", (event) => {
    const target = event.target;
    if (!(target instanceof HTMLInputElement) || !["score", "figure"].includes(target.name)) return;
    const text = event.clipboardData.getData("text/plain");
    if (!/[\t\n]/.test(text.trim())) return;
    event.preventDefault();
    table.value = text;
    document.getElementById("table-details").open = true;
    table.focus();
  });
}

// A sign of life while the answer is on its way.
const form = document.getElementById("claim-form");
if (form) {
  form.addEventListener("submit", () => {
    document.getElementById("working").textContent = "Checking …";
  });
}

// Copy buttons.
function copies(root) {
  for (const button of root.querySelectorAll("button.copy")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const source = document.getElementById(button.dataset.copy);
      const text = source.value === undefined ? source.textContent : source.value;
      const before = button.textContent;
      try {
        await navigator.clipboard.writeText(text);
      } catch {
        // Without leave to use the clipboard, the old way.
        const hidden = document.createElement("textarea");
        hidden.value = text;
        document.body.append(hidden);
        hidden.select();
        document.execCommand("copy");
        hidden.remove();
      }
      button.textContent = "Copied";
      button.dataset.copied = "yes";
      setTimeout(() => { button.textContent = before; }, 2000);
    });
  }
}
copies(document);

// Parts of a result that take a little longer are fetched when the page is there.
async function fill(section) {
  const into = section.querySelector(".into");
  const fallback = into.innerHTML;
  for (let tries = 0; tries < 90; tries += 1) {
    let part = null;
    try {
      const answer = await fetch(section.dataset.part);
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      part = page.getElementById("part");
    } catch {
      part = null;
    }
    if (!part) break;
    if (!part.dataset.waiting) {
      into.replaceChildren(...document.importNode(part, true).childNodes);
      section.dataset.done = "yes";
      copies(into);
      return;
    }
    into.textContent = "Working …";
    await new Promise((resolve) => { setTimeout(resolve, 700); });
  }
  into.innerHTML = fallback;
  section.dataset.done = "yes";
}
(async () => {
  for (const section of document.querySelectorAll("section[data-part]")) await fill(section);
})();
