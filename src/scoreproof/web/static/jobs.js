// The page that waits for work: it looks by itself how far that is, and goes to what was found.
// Without this file, "Look again" and the button do the same.
"use strict";

(() => {
  const OFTEN = 1000; // milliseconds between two looks, growing up to
  const SELDOM = 3000;
  const SPOKEN = 5000; // between two sentences for a screen reader

  const place = document.querySelector("[data-job]");
  if (!place) return;
  const bar = document.getElementById("job-progress");
  const says = document.getElementById("job-says");
  const status = document.getElementById("job-status");
  const link = document.getElementById("job-link");
  const form = document.getElementById("job-stop");
  let spoken = Date.now();
  let pause = OFTEN;

  function show(words) {
    const sentence = words.charAt(0).toUpperCase() + words.slice(1);
    if (says.textContent !== sentence) says.textContent = sentence;
    if (Date.now() - spoken < SPOKEN || status.textContent === sentence) return;
    status.textContent = sentence;
    spoken = Date.now();
  }

  function leave(address) {
    // Once there, the way back leads to where the work was asked for, not here.
    window.location.replace(address);
  }

  async function look() {
    let job = null;
    try {
      const answer = await fetch(place.dataset.job, { headers: { accept: "application/json" } });
      if (answer.status === 404) {
        spoken = 0;
        show("This work is no longer kept: the server was ended, or too much else was done since.");
        link.firstElementChild.textContent = "Start it again";
        link.hidden = false;
        form.hidden = true;
        return;
      }
      if (answer.ok) job = await answer.json();
    } catch {
      job = null;
    }
    if (job === null) {
      show("The server does not answer; it is asked again and again.");
    } else if (!job.running) {
      leave(job.result);
      return;
    } else {
      if (job.total) {
        bar.max = job.total;
        bar.value = job.done;
      } else {
        bar.removeAttribute("value");
      }
      show(job.says);
    }
    pause = Math.min(pause * 1.1, SELDOM);
    setTimeout(look, pause);
  }

  // The button stays where it is, and so does the focus.
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const button = form.querySelector("button");
    if (button.getAttribute("aria-disabled")) return;
    button.setAttribute("aria-disabled", "true");
    spoken = 0;
    pause = OFTEN;
    show("Stopping; what is done is kept.");
    fetch(form.action, { method: "POST", redirect: "manual" }).catch(() => {
      button.removeAttribute("aria-disabled");
    });
  });

  link.hidden = true;
  setTimeout(look, OFTEN);
})();
