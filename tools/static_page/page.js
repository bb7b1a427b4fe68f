// The page asks its worker, which holds Python; nothing goes over the network once both are loaded.
const worker = new Worker("worker.js", { type: "module" });
const waiting = new Map();
const at = (id) => document.getElementById(id);
let asked = 0;
let saved = [];

const ready = new Promise((go, fail) => {
  worker.onmessage = ({ data }) => {
    if (data.ready) go();
    else if (data.failed) fail(new Error(data.failed));
    else {
      waiting.get(data.id)(JSON.parse(data.answer));
      waiting.delete(data.id);
    }
  };
  worker.onerror = (error) => fail(new Error(error.message || "the worker did not start"));
});

async function ask(kind, text) {
  await ready;
  const id = ++asked;
  return new Promise((go) => {
    waiting.set(id, go);
    worker.postMessage({ id, kind, text });
  });
}

function made(name, words, more = {}) {
  const node = document.createElement(name);
  node.textContent = words;
  return Object.assign(node, more);
}

function file(name, kind, content) {
  const address = URL.createObjectURL(new Blob([content], { type: kind }));
  saved.push(address);
  return made("a", name, { href: address, download: name, className: "button second" });
}

function shown(found, index, many) {
  const place = document.createElement("section");
  place.className = "part";
  place.dataset.status = found.status;
  if (many) place.append(made("h2", found.title || `Claim ${index + 1}`));
  const body = document.createElement("div");
  body.innerHTML = found.html; // made by the package, which escapes every word of the text
  place.append(body);
  if (found.beyond) place.append(made("p", found.beyond, { className: "missing" }));
  const files = made("p", "");
  const name = many ? `verdict-${index + 1}` : "verdict";
  files.append(file(`${name}.json`, "application/json", found.json), " ");
  files.append(file(`${name}.html`, "text/html", found.report));
  place.append(files);
  return place;
}

async function check(text) {
  at("working").textContent = "Working …";
  const found = await ask("check", text);
  saved.forEach((each) => URL.revokeObjectURL(each));
  saved = [];
  const verdicts = found.verdicts || [];
  at("verdict").replaceChildren(...verdicts.map((each, i) => shown(each, i, verdicts.length > 1)));
  if (found.read) at("read").innerHTML = found.read;
  if (found.error) at("verdict").append(made("p", found.error, { className: "error" }));
  if (found.more) at("verdict").append(made("p", found.more, { className: "hint" }));
  if ("verified" in found) at("verdict").append(made("p", told(found)));
  at("working").textContent = "";
  return found;
}

function told(found) {
  if (found.error) return found.error;
  if (!found.verified) return "Not proven: what it carries does not prove this verdict.";
  const what = { consistent: "the example gives every figure", inconsistent: "the proof holds in exact arithmetic" };
  return `Verified: ${found.verdict}; ${what[found.verdict] || "it claims nothing"}.`;
}

at("first").addEventListener("submit", (event) => {
  event.preventDefault();
  check(at("text").value);
});
at("replay").addEventListener("submit", async (event) => {
  event.preventDefault();
  at("replayed").textContent = "Working …";
  at("replayed").textContent = told(await ask("verify", at("proof").value));
});
document.querySelectorAll("textarea").forEach((each) =>
  each.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) each.form.requestSubmit();
  }),
);
at("file").addEventListener("change", async (event) => {
  const [chosen] = event.target.files;
  if (chosen) at("proof").value = await chosen.text();
});
document.querySelectorAll("[data-example]").forEach((each) =>
  each.addEventListener("click", () => {
    at("text").value = each.dataset.example;
    check(at("text").value);
  }),
);
ready.then(
  () => (at("working").textContent = "Ready; the network is no longer needed."),
  (error) => (at("working").textContent = `Python could not be loaded: ${error.message}`),
);
if ("serviceWorker" in navigator) navigator.serviceWorker.register("offline.js");
