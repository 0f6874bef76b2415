// A run that is watched while it is computed.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';

import { changes, close, comes, folder, launch, open, scene, serve, shows, slide, start } from './tools.mjs';

let browser;
// Small: the processor that draws the page also computes the run.
const SMALL = { viewport: { width: 800, height: 560 } };
before(async () => (browser = await launch()));
after(() => browser?.close());

const frame = (page) => page.evaluate(() => Number(document.querySelector('#view canvas').dataset.frames));
const state = (page, wanted) =>
  page.waitForFunction((word) => document.getElementById('live-state').dataset.state === word, wanted);
const frames = (page) => page.evaluate(() => Number(document.getElementById('time').max));
const grows = async (page) => {
  const before = await frames(page);
  await page.waitForFunction((most) => Number(document.getElementById('time').max) > most + 1, before);
};

test('a live run is watched, paused, continued and stopped', async () => {
  // Far longer than the test: it is stopped.
  const out = folder('live');
  const slowly = ['--threads', '1', '--set', 'duration=600', '--set', 'time.steps_per_frame=8'];
  const run = await serve(['run', scene, '-o', out, '--quiet', '--view', ...slowly]);
  const page = await open(browser, run.link, SMALL);
  await state(page, 'running');
  await changes(page, 'following', async () => {
    const first = await frame(page);
    await grows(page);
    await page.waitForFunction((past) => Number(document.querySelector('#view canvas').dataset.frames) > past, first);
  });
  await page.locator('.plot').first().waitFor();

  await page.click('#live-pause');
  await state(page, 'paused');
  assert.equal(await page.innerText('#live-pause'), 'Continue');
  // Steps in progress end; then nothing more comes, however often the page asks.
  const asked = () => page.waitForResponse((response) => response.url().endsWith('/api/status'));
  await asked();
  await asked();
  const paused = await frames(page);
  for (let i = 0; i < 3; ++i) await asked();
  assert.equal(await frames(page), paused);
  await page.click('#live-pause');
  await state(page, 'running');
  await grows(page);

  // To look back is to follow no more.
  await slide(page, '#time', 1);
  assert.equal(await page.isChecked('#live-follow'), false);
  await shows(page, 1);
  await grows(page);
  assert.equal(await frame(page), 1);
  await page.check('#live-follow');
  await page.waitForFunction(() => Number(document.querySelector('#view canvas').dataset.frames) > 3);

  // A page of a link that was passed on may look only; and one that is closed disturbs nothing.
  await page.click('#copy-link');
  const link = await page.inputValue('#link-text');
  await page.keyboard.press('Escape');
  const other = await open(browser, link, SMALL);
  await state(other, 'running');
  assert.equal(await other.isDisabled('#live-stop'), true);
  await close(other);
  await grows(page);

  await page.click('#live-stop');
  await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click();
  await state(page, 'stopped');
  // What the tables say of the run is that of its end.
  await page.getByRole('tab', { name: 'Scene and machine' }).click();
  await page.getByRole('row', { name: 'status interrupted' }).waitFor();
  // Long after the run has ended the page still gets answers, and Ctrl-C ends it.
  await comes('a page that stays', async () => run.said().includes('the page stays as long as it is open'));
  await new Promise((done) => setTimeout(done, 6000));
  await slide(page, '#time', 0);
  await shows(page, 0);
  // Before the page is closed: then the program might have ended by itself.
  assert.deepEqual(page.complaints, []);
  assert.equal(await run.stop(), 130);
  await page.context().close();
  assert.ok(existsSync(path.join(out, 'checkpoint.bin')));
});

test('a run of another program is followed to its end', async () => {
  const out = folder('elsewhere');
  const long = ['--threads', '1', '--set', 'duration=600', '--set', 'time.steps_per_frame=8'];
  const writer = start(['run', scene, '-o', out, '--quiet', ...long]);
  await comes('a frame', () => existsSync(path.join(out, 'frames/000002.npy')));
  const server = await serve(['view', out]);
  const page = await open(browser, server.link, SMALL);
  await state(page, 'writing');
  assert.equal(await page.isVisible('#live-stop'), false);
  await grows(page);
  assert.equal(await writer.stop(), 130);
  await state(page, 'recorded');
  assert.match(await page.innerText('#live-state'), /^Ended/);
  await close(page);
  await server.stop();
});
