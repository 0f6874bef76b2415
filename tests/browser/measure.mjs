// How quickly the page shows a run and how smoothly it scrubs, in Chromium without a graphics card.
// Usage: run.sh PROGRAM RUN
import { launch, open, serve } from './tools.mjs';

const run = process.argv[2];
const began = performance.now();
const server = await serve(['view', run]);
const served = performance.now();
const size = { viewport: { width: 1280, height: 800 } };
const drawn = (page) => page.waitForFunction(() => document.querySelector('#view canvas')?.dataset.frames !== undefined);

/** Seconds until the first picture in another tab of a browser that has been open for a while. */
async function inATab() {
  const browser = await launch();
  const window = await browser.newContext(size);
  await window.newPage();
  await new Promise((done) => setTimeout(done, 4000));
  const asked = performance.now();
  const page = await window.newPage();
  await page.goto(server.link);
  await drawn(page);
  const seconds = (performance.now() - asked) / 1000;
  await browser.close();
  return seconds;
}

const tab = await inATab();
const browser = await launch();
const opened = performance.now();
const page = await open(browser, server.link, size);
await drawn(page);
const shown = performance.now();

/**
 * A hand on the slider for some seconds, which goes on by `step` frames each time, or anywhere where that is 0; the
 * milliseconds from one picture of another frame to the next, and from a move to the picture of its frame.
 */
const scrub = (step) =>
  page.evaluate(async (by) => {
    const slider = document.querySelector('#time');
    const canvas = document.querySelector('#view canvas');
    const count = Number(slider.max) + 1;
    const gaps = [];
    const waits = [];
    let seed = 1;
    let value = 0;
    let before = performance.now();
    const end = before + 12000;
    while (performance.now() < end) {
      seed = (48271 * seed) % 2147483647;
      value = by > 0 ? (value + by) % count : seed % count;
      const moved = performance.now();
      const frames = canvas.dataset.frames;
      slider.value = String(value);
      slider.dispatchEvent(new Event('input', { bubbles: true }));
      // A hand goes on whether or not the picture has come, but not before the browser has drawn what there is.
      do await new Promise((done) => requestAnimationFrame(done));
      while (by === 0 && canvas.dataset.frames !== String(value) && performance.now() < moved + 5000);
      if (canvas.dataset.frames === frames) continue;
      const now = performance.now();
      gaps.push(now - before);
      if (canvas.dataset.frames === String(value)) waits.push(now - moved);
      before = now;
    }
    const sorted = (list) => list.slice(1).sort((a, b) => a - b);
    return { gaps: sorted(gaps), waits: sorted(waits) };
  }, step);

const along = await scrub(1);
const rested = () => document.querySelector('#view canvas').dataset.detail === 'all';
await page.waitForFunction(rested);
const jumps = await scrub(0);
await page.waitForFunction(rested);
const again = await scrub(1);
const full = await page.waitForFunction(rested).then(() => true);
await browser.close();
await server.stop();
const said = (list) => {
  const at = (share) => (list.length > 0 ? list[Math.floor(share * (list.length - 1))].toFixed(0) : '-');
  return `${at(0.5)} ms (median), ${at(0.95)} ms (19 of 20), ${at(1)} ms at most`;
};
const [link, fresh] = [served - began, shown - opened].map((ms) => (ms / 1000).toFixed(1));
console.log(`link after ${link} s; first picture ${tab.toFixed(1)} s after opening it in another tab, ${fresh} s in a browser that was just started`);
console.log(`${along.gaps.length} pictures while scrubbing: ${said(along.gaps)} apart`);
console.log(`${again.gaps.length} pictures once frames are there: ${said(again.gaps)} apart`);
console.log(`${jumps.waits.length} jumps to anywhere: ${said(jumps.waits)} until its frame is drawn${full ? '' : ', never in full'}`);
