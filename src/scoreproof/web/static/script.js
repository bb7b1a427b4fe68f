// Conveniences only: every page works without this file.
"use strict";

// Another row of scores.
function anotherRow() {
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
    for (const name of ["aria-invalid", "aria-describedby", "placeholder"]) input.removeAttribute(name);
  }
  for (const problem of row.querySelectorAll(".problem")) problem.remove();
  rows.append(row);
  row.querySelector("input").focus();
}
function offerRows() {
  const more = document.getElementById("more-rows");
  if (!more) return;
  more.hidden = false;
  more.addEventListener("click", anotherRow);
}
offerRows();

// A sign of life while the answer is on its way.
for (const form of document.querySelectorAll("#claim-form, #first")) {
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

// Parts of a result that take longer: fetched when the page is there, or when they are unfolded.
const pause = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

async function fill(section) {
  if (section.dataset.done) return;
  section.dataset.done = "no";
  const into = section.querySelector(".into");
  const soon = section.querySelector(".soon");
  const fallback = [...into.childNodes];
  try {
    for (;;) {
      const answer = await fetch(section.dataset.part);
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const part = page.getElementById("part");
      if (!part) throw new Error("nothing to show");
      if (!part.dataset.waiting) {
        into.replaceChildren(...document.importNode(part, true).childNodes);
        copies(into);
        break;
      }
      stopper(into, part.querySelector("form").getAttribute("action"));
      await ended(part.dataset.job, soon);
    }
  } catch {
    into.replaceChildren(...fallback);
  }
  soon.textContent = "";
  section.dataset.done = "yes";
}

// Until a job has ended, says how far it is: every few seconds, or a screen reader would talk without end.
async function ended(job, soon) {
  for (;;) {
    const answer = await fetch(job, { headers: { accept: "application/json" } });
    const told = answer.ok ? await answer.json() : { running: false };
    if (!told.running) return;
    soon.textContent = told.says.charAt(0).toUpperCase() + told.says.slice(1);
    await pause(soon.dataset.told ? 4000 : 1000);
    soon.dataset.told = "yes";
  }
}

// While a part is being worked on, a button stops it; what is found by then is shown.
function stopper(into, address) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "second stop";
  button.textContent = "Stop, and show what is found";
  button.addEventListener("click", () => {
    button.setAttribute("aria-disabled", "true");
    fetch(address, { method: "POST", redirect: "manual" });
  });
  into.replaceChildren(button);
}

(async () => {
  for (const section of document.querySelectorAll("section[data-part]")) await fill(section);
})();
for (const section of document.querySelectorAll("details[data-part]")) {
  section.addEventListener("toggle", () => { if (section.open) fill(section); });
}

// The first page: what was read appears beside the box while one types, and the verdict with it.
const first = document.getElementById("first");
if (first) {
  const text = document.getElementById("text");
  const box = document.getElementById("box");
  const working = document.getElementById("working");
  let turn = 0;
  let wait = 0;

  // Asks what was read and decided; only the answer to the last question is shown.
  async function ask(source) {
    const mine = (turn += 1);
    const sent = new URLSearchParams(new FormData(first));
    if (source === "text") {
      for (const name of ["score", "figure", "claim"]) sent.delete(name);
      for (const input of first.querySelectorAll("#read [name]:not([data-mine])")) sent.delete(input.name);
    }
    sent.set("source", source);
    for (let tries = 0; mine === turn; tries += 1) {
      let answer;
      try {
        answer = await fetch("/live", { method: "POST", body: sent });
      } catch {
        working.textContent = "The server does not answer.";
        return;
      }
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (mine !== turn) return;
      if (source === "text" && tries === 0) show("read", page);
      show("verdict", page);
      const pending = document.getElementById("verdict").dataset.pending;
      document.getElementById("verdict").dataset.seen = String(Math.round(performance.now()));
      if (!pending) {
        working.textContent = said();
        working.className = "quiet";
        return;
      }
      working.textContent = "Working …";
      await pause(Math.min(300 * (tries + 1), 3000));
    }
  }

  function show(name, page) {
    const found = page.getElementById(name);
    if (!found) return;
    const here = document.getElementById(name);
    const mine = new Set([...here.querySelectorAll("[data-mine]")].map((input) => input.id));
    here.replaceWith(document.importNode(found, true));
    if (name !== "read") return;
    for (const id of mine) document.getElementById(id)?.setAttribute("data-mine", "yes");
    document.getElementById("read-heading").textContent = text.value.trim() ? "What was read" : "Or type it";
    offerRows();
  }

  // For screen readers, in one place: the verdict in a word.
  function said() {
    const badges = [...document.querySelectorAll("#verdict .badge")].map((badge) => badge.textContent.trim());
    return badges.length ? `Verdict: ${badges.slice(0, 1)}` : "";
  }

  // Whether the fields say anything that can be checked: before, there is nothing to complain about.
  const enough = () => [...first.querySelectorAll("[name=figure], [name=claim]")].some((input) => input.value.trim());

  const later = (source, ms) => {
    clearTimeout(wait);
    wait = setTimeout(() => ask(source), ms);
  };

  text.addEventListener("input", (event) => {
    if (!text.value.trim()) {
      turn += 1;
      clearTimeout(wait);
      const empty = document.createElement("div");
      empty.id = "read";
      empty.append(document.getElementById("empty-read").content.cloneNode(true));
      document.getElementById("read").replaceWith(empty);
      document.getElementById("verdict").replaceChildren();
      document.getElementById("read-heading").textContent = "Or type it";
      working.textContent = "";
      offerRows();
      return;
    }
    later("text", event.inputType === "insertFromPaste" ? 0 : 250);
  });

  // What is changed by hand in a cell counts, and the text no longer does; cells of a table go back into the box.
  first.addEventListener("input", (event) => {
    if (!event.target.closest("#read")) return;
    event.target.setAttribute("data-mine", "yes");
    if (event.target.closest("#grid")) {
      const rows = [...document.querySelectorAll("#grid tr")];
      const cells = rows.map((row) => [...row.querySelectorAll("input")].map((input) => input.value.trim()));
      text.value = cells.map((row) => row.join("\t")).join("\n");
      later("table", 250);
    } else if (enough()) {
      later("fields", 250);
    }
  });
  first.addEventListener("submit", () => {
    // The fields hold what was read of the text, with every change.
    if (document.querySelector("#read [data-mine]:not(#grid *)")) text.disabled = true;
  });
  window.addEventListener("pageshow", () => { text.disabled = false; });

  for (const example of document.querySelectorAll("[data-example]")) {
    example.addEventListener("click", (event) => {
      event.preventDefault();
      text.value = example.dataset.example;
      later("text", 0);
    });
  }

  // A file that is dropped, or chosen, goes where its kind is read.
  const drop = document.getElementById("drop");
  const file = document.getElementById("file");
  const tables = /\.(csv|tsv|jsonl|xlsx|parquet)$/i;
  drop.addEventListener("submit", () => {
    const name = file.files.length ? file.files[0].name : "";
    if (tables.test(name)) drop.action = "/batch";
    else if (/\.json$/i.test(name)) drop.action = "/verify";
  });
  for (const kind of ["dragover", "dragleave", "drop"]) {
    box.addEventListener(kind, (event) => {
      if (!event.dataTransfer || ![...event.dataTransfer.types].includes("Files")) return;
      event.preventDefault();
      box.classList.toggle("over", kind === "dragover");
      if (kind === "drop" && event.dataTransfer.files.length) {
        file.files = event.dataTransfer.files;
        drop.requestSubmit();
      }
    });
  }
  if (!document.querySelector(".summary")) {
    if (text.value.trim()) later("text", 0);
    else if (enough()) later("fields", 0);
  }
}
