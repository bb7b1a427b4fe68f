// Keeps every file of the page, so that it opens again without a network.
const FILES = /* FILES */ [];
const KEPT = "scoreproof-/* VERSION */";

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(KEPT).then((kept) => kept.addAll(FILES)).then(() => self.skipWaiting()));
});
self.addEventListener("activate", (event) => {
  const others = (names) => names.filter((name) => name.startsWith("scoreproof-") && name !== KEPT);
  const gone = caches.keys().then((names) => Promise.all(others(names).map((name) => caches.delete(name))));
  event.waitUntil(gone.then(() => self.clients.claim()));
});
self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET") return;
  event.respondWith(
    caches.match(event.request, { ignoreSearch: true }).then((found) => found || fetch(event.request)),
  );
});
