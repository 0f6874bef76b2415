// How quickly the page shows a run and how smoothly it scrubs, in Chromium without a graphics card.
// Usage: run.sh PROGRAM RUN
import { readFileSync } from 'node:fs';

import { launch, open, serve } from './tools.mjs';

const run = process.argv[2];
const TOO_LONG = 100;

/**
 * A machine that is lent stands still now and then, for up to a second, and what the page was at then takes as long. Linux
 * counts what was taken, in hundredths of a second; here with the time at which it was seen.
 */
const taken = [];
const look = () => {
  const count = Number(/^cpu +(?:\d+ ){7}(\d+)/.exec(readFileSync('/proc/stat', 'latin1'))?.[1] ?? 0);
  if (count !== taken.at(-1)?.count) taken.push({ at: performance.timeOrigin + performance.now(), count });
};
look();
setInterval(look, 10).unref();
const LATE = 30;
const whole = ({ begin, end }) => !taken.slice(1).some(({ at }) => at > begin && at < end + LATE);

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
      const span = (begin) => ({ ms: now - begin, begin: performance.timeOrigin + begin, end: performance.timeOrigin + now });
      gaps.push(span(before));
      if (canvas.dataset.frames === String(value)) waits.push(span(moved));
      before = now;
    }
    const sorted = (list) => list.slice(1).sort((a, b) => a.ms - b.ms);
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
  const at = (share) => (list.length > 0 ? list[Math.floor(share * (list.length - 1))].ms.toFixed(0) : '-');
  const long = list.filter(({ ms }) => ms > TOO_LONG);
  return `${at(0.5)} ms (median), ${at(0.95)} ms (19 of 20), ${at(1)} ms at most; ${long.length} longer than ${TOO_LONG} ms, ` +
    `${long.filter(whole).length} of them while the machine was all ours`;
};
const [link, fresh] = [served - began, shown - opened].map((ms) => (ms / 1000).toFixed(1));
console.log(`link after ${link} s; first picture ${tab.toFixed(1)} s after opening it in another tab, ${fresh} s in a browser that was just started`);
console.log(`${along.gaps.length} pictures while frames are fetched, from one to the next: ${said(along.gaps)}`);
console.log(`${again.gaps.length} pictures once they are there, from one to the next: ${said(again.gaps)}`);
console.log(`${jumps.waits.length} jumps to anywhere, until the frame is drawn: ${said(jumps.waits)}${full ? '' : '; never in full'}`);
console.log(`taken from the machine meanwhile: ${((taken.at(-1).count - taken[0].count) / 100).toFixed(1)} s of its processors`);
