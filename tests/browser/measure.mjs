// How quickly the page shows a run and how smoothly it scrubs, in Chromium without a graphics card.
// Usage: run.sh PROGRAM RUN
import { launch, open, serve } from './tools.mjs';

const run = process.argv[2];
const began = performance.now();
const server = await serve(['view', run]);
const served = performance.now();
const browser = await launch();
const opened = performance.now();
const page = await open(browser, server.link, { viewport: { width: 1280, height: 800 } });
await page.waitForFunction(() => document.querySelector('#view canvas').dataset.frames !== undefined);
const shown = performance.now();

// A hand that goes along the slider for some seconds: the time between pictures, and from the last move to its frame.
const gaps = await page.evaluate(async () => {
  const slider = document.querySelector('#time');
  const canvas = document.querySelector('#view canvas');
  const last = Number(slider.max);
  const gaps = [];
  let frames = canvas.dataset.frames;
  let before = performance.now();
  const end = before + 15000;
  for (let value = 0; performance.now() < end; value = (value + 1) % (last + 1)) {
    slider.value = String(value);
    slider.dispatchEvent(new Event('input', { bubbles: true }));
    await new Promise((done) => requestAnimationFrame(done));
    if (canvas.dataset.frames === frames) continue;
    frames = canvas.dataset.frames;
    const now = performance.now();
    gaps.push(now - before);
    before = now;
  }
  return gaps.slice(1).sort((a, b) => a - b);
});
await browser.close();
await server.stop();
const at = (share) => gaps[Math.floor(share * (gaps.length - 1))].toFixed(0);
console.log(`link after ${((served - began) / 1000).toFixed(1)} s, first picture ${((shown - opened) / 1000).toFixed(1)} s after opening it`);
console.log(`${gaps.length} pictures while scrubbing: ${at(0.5)} ms apart (median), ${at(0.95)} ms (19 of 20), ${at(1)} ms at most`);
