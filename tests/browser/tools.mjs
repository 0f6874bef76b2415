// What the tests of the page share: runs of the program, a browser, and waiting for what is to come.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import path from 'node:path';

import { chromium } from 'playwright-core';

export const { PLIANT: program, SCENE: scene, RUNS: runs } = process.env;

/** Long enough for a slow machine that does something else too; what is there in time costs nothing. */
export const PATIENCE = 60000;

export function folder(name) {
  return path.join(runs, name);
}

/** Exit codes other than those named are errors. */
export function pliant(args, allowed = [0]) {
  try {
    execFileSync(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    assert.ok(allowed.includes(0), `pliant ${args.join(' ')} ended with 0`);
  } catch (error) {
    if (error.status === undefined || !allowed.includes(error.status)) throw error;
  }
}

export function simulate(name, settings = [], allowed = [0]) {
  const set = settings.flatMap((setting) => ['--set', setting]);
  pliant(['run', scene, '-o', folder(name), '--quiet', ...set], allowed);
  return folder(name);
}

/** Programs that have not ended. A test that fails stops none, and they would serve on. */
const running = new Set();
process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')));

/** A program that runs beside the test; `said` is what it has said so far. */
export function start(args) {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  const ended = new Promise((done) => child.on('exit', (code) => done(code)));
  void ended.then(() => running.delete(child));
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (said += bytes));
  const stop = async () => {
    child.kill('SIGINT');
    return ended;
  };
  return { said: () => said, ended, stop };
}

/** A program that serves a page. Its link has come before this returns. */
export async function serve(args) {
  const child = start([...args, '--no-browser']);
  let link;
  let code;
  void child.ended.then((ended) => (code = ended));
  await comes('a link', () => {
    link = /http:\/\/127\.0\.0\.1:\d+\/#token=\w{32}/.exec(child.said())?.[0];
    if (code !== undefined) assert.fail(`pliant ${args.join(' ')} ended with ${code} and said: ${child.said()}`);
    return link;
  });
  return { link, ...child };
}

export function launch() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM,
    timeout: PATIENCE,
    args: ['--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--no-sandbox'],
  });
}

/** A page whose complaints are kept in `page.complaints`, and which is ready when this returns. */
export async function open(browser, link, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1000, height: 640 }, ...options });
  context.setDefaultTimeout(PATIENCE);
  context.setDefaultNavigationTimeout(PATIENCE);
  const page = await context.newPage();
  page.complaints = [];
  page.on('console', (message) => {
    // That the software renderer is slow to read back is no fault of the page.
    const known = /GPU stall due to ReadPixels|GL Driver Message/;
    if (['error', 'warning'].includes(message.type()) && !known.test(message.text())) page.complaints.push(message.text());
  });
  page.on('pageerror', (error) => page.complaints.push(String(error)));
  page.on('dialog', (dialog) => {
    page.complaints.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(link);
  await page.waitForFunction(() => document.documentElement.dataset.ready);
  return page;
}

/** Closes the page; it must not have complained. */
export async function close(page) {
  assert.deepEqual(page.complaints, []);
  await page.context().close();
}

/** Waits until something that the program or the page says has come true. */
export async function comes(what, asked) {
  for (const end = Date.now() + PATIENCE; Date.now() < end; await new Promise((next) => setTimeout(next, 50)))
    if (await asked()) return;
  assert.fail(`${what} did not come`);
}

/** Waits until the frames shown are these. */
export async function shows(page, ...frames) {
  await page.waitForFunction((wanted) => document.querySelector('#view canvas').dataset.frames === wanted, frames.join(' '));
}

/** Pixels in the middle of the view, where nothing is written over it, when all that was asked for has been drawn. */
export async function pixels(page) {
  const done = () => !document.documentElement.classList.contains('waiting') && document.querySelector('#view canvas').dataset.detail === 'all';
  await page.waitForFunction(done);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  const box = await page.locator('#view').boundingBox();
  const clip = { x: box.x + 0.15 * box.width, y: box.y + 0.25 * box.height, width: 0.7 * box.width, height: 0.45 * box.height };
  return page.screenshot({ clip });
}

/** Does something that must change the picture. */
export async function changes(page, what, act) {
  const before = await pixels(page);
  await act();
  for (const end = Date.now() + PATIENCE; Date.now() < end; )
    if (!before.equals(await pixels(page))) return;
  assert.fail(`${what} changed no pixel`);
}

/** The share of the pixels of two pictures that differ by more than a shade. */
async function difference(page, one, other) {
  const urls = [one, other].map((bytes) => `data:image/png;base64,${bytes.toString('base64')}`);
  return page.evaluate(async (list) => {
    const [a, b] = await Promise.all(
      list.map(async (url) => {
        const image = new Image();
        image.src = url;
        await image.decode();
        const canvas = new OffscreenCanvas(image.width, image.height);
        const pen = canvas.getContext('2d');
        pen.drawImage(image, 0, 0);
        return pen.getImageData(0, 0, image.width, image.height).data;
      }),
    );
    if (a.length !== b.length) return 1;
    let differing = 0;
    for (let i = 0; i < a.length; i += 4) if ([0, 1, 2].some((c) => Math.abs(a[i + c] - b[i + c]) > 8)) differing += 1;
    return (4 * differing) / a.length;
  }, urls);
}

/**
 * Waits until two pages draw the same: what the last click left over a view fades in its own time. A camera is in a
 * link with six digits, so that the pixels of an edge may differ.
 */
export async function same(page, other) {
  let least = 1;
  for (const end = Date.now() + PATIENCE; Date.now() < end; ) {
    least = Math.min(least, await difference(page, await pixels(page), await pixels(other)));
    if (least < 0.005) return;
  }
  assert.fail(`two pages with one link drew different pictures: ${(100 * least).toFixed(1)} % of their pixels`);
}

export async function text(page, selector) {
  return (await page.locator(selector).innerText()).trim();
}

/** Moves a slider as a hand does, but exactly. */
export function slide(page, selector, value) {
  return page.locator(selector).evaluate((slider, to) => {
    slider.value = String(to);
    slider.dispatchEvent(new Event('input', { bubbles: true }));
  }, value);
}
