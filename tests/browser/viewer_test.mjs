// Runs that are there already, in the browser: single, compared, damaged, and as a report.
import assert from 'node:assert/strict';
import { cpSync, readdirSync, readFileSync, statSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { changes, close, folder, launch, open, pixels, pliant, serve, shows, simulate, slide, text } from './tools.mjs';

const HOSTILE = '<img src=x onerror="document.title=1"><b>bold</b>';
const LAST = 24;
let browser;
let single;
let compared;

before(async () => {
  browser = await launch();
  const first = simulate('first');
  // Too few iterations: steps that do not converge.
  const second = simulate('second', ['time.scheme=sdirk2', 'solver.max_iterations=3', `name=${HOSTILE}`], [0, 3]);
  single = await serve(['view', first]);
  compared = await serve(['view', first, second]);
});

after(async () => {
  await browser?.close();
  await single?.stop();
  await compared?.stop();
});

test('plays, pauses, scrubs and steps', async () => {
  const page = await open(browser, single.link);
  assert.equal(await text(page, '#title'), 'Ring');
  await shows(page, 0);
  await changes(page, 'play', async () => {
    await page.click('#play');
    await page.waitForFunction(() => Number(document.querySelector('#view canvas').dataset.frames) >= 3);
    await page.click('#play');
  });
  await changes(page, 'the slider', () => slide(page, '#time', 20));
  await shows(page, 20);
  assert.match(await text(page, '#clock'), /0\.833 s\s+frame 20 \/ 24/);
  await page.locator('#view').focus();
  await page.keyboard.press('ArrowLeft');
  await shows(page, 19);
  await page.keyboard.press('End');
  await shows(page, LAST);
  await page.keyboard.press('Home');
  await shows(page, 0);
  // Without a loop it ends at the end.
  await page.click('#loop');
  await page.selectOption('#speed', '4');
  await page.keyboard.press('Space');
  await page.locator('#view').focus();
  await page.keyboard.press('Space');
  await shows(page, LAST);
  await close(page);
});

test('colours by every field, with a bar and its unit', async () => {
  const page = await open(browser, `${single.link}&time=0.7`);
  const units = { displacement: 'm', speed: 'm/s', 'energy-density': 'J/m', stretch: '', inverted: '' };
  for (const [name, unit] of Object.entries(units)) {
    await changes(page, name, () => page.selectOption('#colour-by', name));
    assert.ok((await text(page, '#bar-name')).includes(unit), name);
  }
  await page.selectOption('#colour-by', 'speed');
  await changes(page, 'the range', async () => {
    await page.getByLabel('Highest colour at').fill('50');
    await page.getByLabel('Highest colour at').press('Enter');
  });
  assert.match(await text(page, '#bar-ticks'), /50$/);
  await changes(page, 'no colours', () => page.selectOption('#colour-by', ''));
  assert.equal(await page.locator('#bar').isVisible(), false);
  await close(page);
});

test('draws edges, cuts, turns, fits', async () => {
  const page = await open(browser, `${single.link}&time=0.5`);
  for (const style of ['edges', 'wireframe', 'surface']) await changes(page, style, () => page.selectOption('#style', style));
  await changes(page, 'a cut', () => page.selectOption('#clip-axis', 'x'));
  await changes(page, 'its place', () => slide(page, '#clip-at', 0.3));
  await changes(page, 'its side', () => page.getByLabel('Other side').check());
  await changes(page, 'no cut', () => page.selectOption('#clip-axis', ''));
  await changes(page, 'the grid', () => page.getByLabel('Ground grid').uncheck());
  const box = await page.locator('#view').boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const drag = async (options) => {
    await page.mouse.move(x, y);
    await page.mouse.down(options);
    await page.mouse.move(x + 90, y + 30, { steps: 4 });
    await page.mouse.up(options);
  };
  await changes(page, 'a drag', () => drag({}));
  await changes(page, 'a drag with the right button', () => drag({ button: 'right' }));
  await changes(page, 'the wheel', () => page.mouse.wheel(0, 300));
  await page.locator('#view').focus();
  await changes(page, 'keys that turn', () => page.keyboard.press('Shift+ArrowLeft'));
  await changes(page, 'the key that zooms', () => page.keyboard.press('-'));
  await changes(page, 'F', () => page.keyboard.press('f'));
  await changes(page, 'R', () => page.keyboard.press('r'));
  await close(page);
});

test('a click in a plot goes there', async () => {
  const page = await open(browser, single.link);
  const plot = page.locator('.plot').first();
  await plot.waitFor();
  const box = await plot.boundingBox();
  await plot.click({ position: { x: box.width - 14, y: 30 } });
  await shows(page, LAST);
  await plot.click({ position: { x: 50 + (box.width - 60) / 2, y: 30 } });
  await page.waitForFunction(() => Math.abs(Number(document.querySelector('#view canvas').dataset.frames) - 12) <= 1);
  await plot.focus();
  await page.keyboard.press('Enter');
  await shows(page, 1);
  for (const name of ['Energy', 'Iterations a step', 'Gradient norm', 'Contacts', 'Seconds a step']) {
    const toggle = page.locator('.chooser').getByText(name, { exact: true });
    if ((await toggle.getAttribute('aria-pressed')) === 'false') await toggle.click();
    await page.getByRole('region', { name }).locator('.plot').waitFor();
  }
  await page.getByRole('tab', { name: 'Scene and machine' }).click();
  for (const word of ['body.0.material.young', 'steps_converged', 'cpu'])
    await page.getByRole('rowheader', { name: word, exact: true }).waitFor();
  await close(page);
});

test('two runs side by side, with names that stay text', async () => {
  const page = await open(browser, compared.link);
  await shows(page, 0, 0);
  await changes(page, 'the slider', () => slide(page, '#time', 18));
  await shows(page, 18, 18);
  const panes = page.locator('.pane-name');
  assert.equal(await panes.count(), 2);
  assert.equal((await panes.nth(1).innerText()).trim(), HOSTILE);
  assert.ok((await text(page, '.runs-legend')).includes(HOSTILE));
  assert.equal(await page.locator('img, b').count(), 0);
  assert.match(await page.title(), /^Ring and 1 more/);
  // Steps that did not converge are marked, and found.
  await page.waitForFunction(() => document.querySelectorAll('.marks i').length > 0);
  await page.locator('#view').focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('n');
  await page.waitForFunction(() => !document.querySelector('#view canvas').dataset.frames.startsWith('0 '));
  await changes(page, 'colours', () => page.selectOption('#colour-by', 'displacement'));
  await changes(page, 'one run less', () => page.locator('.runs input').first().uncheck());
  assert.equal(await page.locator('.pane-name').count(), 0);
  await page.getByRole('tab', { name: 'Scene and machine' }).click();
  await page.getByRole('cell', { name: 'sdirk2' }).first().waitFor();
  await close(page);
});

test('a link remembers, and keeps the token to itself', async () => {
  const token = /token=(\w+)/.exec(compared.link)[1];
  const page = await open(browser, compared.link);
  await page.selectOption('#colour-by', 'speed');
  await slide(page, '#time', 15);
  await page.selectOption('#clip-axis', 'z');
  await shows(page, 15, 15);
  await page.waitForFunction(() => /time=0\.625.*clip=z/.test(location.hash));
  assert.ok(page.url().includes(token));
  await page.click('#copy-link');
  const link = await page.inputValue('#link-text');
  assert.ok(!link.includes(token));
  await page.locator('#link-token').check();
  assert.ok((await page.inputValue('#link-text')).includes(token));
  await page.keyboard.press('Escape');
  const other = await open(browser, link);
  await shows(other, 15, 15);
  assert.equal(await other.inputValue('#colour-by'), 'speed');
  assert.equal(await other.inputValue('#clip-axis'), 'z');
  assert.ok((await pixels(page)).equals(await pixels(other)));
  await close(page);
  await close(other);
});

test('saves PNG and WebM', async () => {
  const page = await open(browser, `${single.link}&color=speed&speed=4`);
  const saved = async (button) => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.click(button)]);
    return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
  };
  const picture = await saved('#save-png');
  assert.match(picture.name, /^Ring-.*\.png$/);
  assert.equal(picture.bytes.subarray(1, 4).toString(), 'PNG');
  const film = await saved('#save-webm');
  assert.match(film.name, /\.webm$/);
  assert.equal(film.bytes.readUInt32BE(0), 0x1a45dfa3);
  assert.ok(film.bytes.length > 5000, `${film.bytes.length} bytes`);
  await close(page);
});

/** Texts whose colour is too close to what is behind them: 4.5 to 1 is asked for (WCAG 2, AA). */
function faintTexts() {
  const numbers = (css) => {
    const pen = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    pen.fillStyle = css;
    pen.fillRect(0, 0, 1, 1);
    return [...pen.getImageData(0, 0, 1, 1).data];
  };
  const light = (rgb) => {
    const [r, g, b] = rgb.map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const [r, g, b, a] = numbers(getComputedStyle(at).backgroundColor);
      if (a > 200) return [r, g, b];
    }
    return [255, 255, 255];
  };
  const faint = [];
  for (const element of document.querySelectorAll('body *')) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!own || !element.checkVisibility() || element.closest(':disabled') || element.matches('script, style, noscript')) continue;
    const [a, b] = [light(numbers(getComputedStyle(element).color)), light(behind(element))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) faint.push(`${element.tagName} "${element.textContent.trim().slice(0, 30)}" ${ratio.toFixed(2)}`);
  }
  return faint;
}

for (const colorScheme of ['light', 'dark'])
  test(`can be used by all, ${colorScheme}`, async () => {
    const page = await open(browser, `${compared.link}&color=speed`, { colorScheme });
    await page.locator('.plot').first().waitFor();
    assert.deepEqual(await page.evaluate(faintTexts), []);
    const nameless = await page.evaluate(() =>
      [...document.querySelectorAll('button, input, select, [role=slider], [tabindex="0"]')]
        .filter((one) => one.checkVisibility() && !(one.innerText?.trim() || one.getAttribute('aria-label') || one.labels?.length))
        .map((one) => one.outerHTML.slice(0, 80)),
    );
    assert.deepEqual(nameless, []);
    await page.locator('#view').focus();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    // Tab reaches everything, and it is seen where one is.
    const reached = new Set();
    for (let i = 0; i < 80; ++i) {
      await page.keyboard.press('Tab');
      const at = await page.evaluate(() => {
        const one = document.activeElement;
        const style = getComputedStyle(one);
        return { id: one.id || one.className || one.tagName, seen: one === document.body || style.outlineStyle !== 'none' };
      });
      assert.ok(at.seen, `the focus on ${at.id} is not seen`);
      reached.add(at.id);
    }
    for (const id of ['view', 'play', 'time', 'speed', 'splitter', 'tab-plots', 'plot', 'colour-by', 'style', 'clip-axis', 'save-png', 'help'])
      assert.ok(reached.has(id), `${id} is not reached with Tab`);
    await close(page);
  });

test('a damaged frame is a message, and so is a server that has gone', async () => {
  cpSync(folder('first'), folder('damaged'), { recursive: true });
  const frames = path.join(folder('damaged'), 'frames');
  const victim = path.join(frames, readdirSync(frames).sort()[10]);
  truncateSync(victim, statSync(victim).size / 2);
  const server = await serve(['view', folder('damaged')]);
  const page = await open(browser, server.link);
  await slide(page, '#time', 10);
  await page.locator('.message.error').first().waitFor();
  await slide(page, '#time', 12);
  await shows(page, 12);
  await page.locator('.message .close').first().click();
  await server.stop();
  await page.selectOption('#colour-by', 'stretch');
  await page.getByText('does not answer').first().waitFor();
  const own = page.complaints.filter((line) => !/Failed to load resource|net::ERR/.test(line));
  assert.deepEqual(own, []);
  await page.context().close();
});

test('a report opens from the disk', async () => {
  const file = path.join(folder('.'), 'report.html');
  pliant(['report', folder('first'), folder('second'), '-o', file]);
  assert.ok(statSync(file).size < 20e6);
  const page = await open(browser, pathToFileURL(file).href);
  await shows(page, 0, 0);
  await changes(page, 'play', async () => {
    await page.click('#play');
    await page.waitForFunction(() => document.querySelector('#view canvas').dataset.frames.startsWith('5 '));
    await page.click('#play');
  });
  await changes(page, 'colours', () => page.selectOption('#colour-by', 'speed'));
  await slide(page, '#time', LAST);
  await shows(page, LAST, LAST);
  assert.equal((await page.locator('.pane-name').nth(1).innerText()).trim(), HOSTILE);
  assert.equal(await page.locator('img, b').count(), 0);
  await page.locator('.plot').first().waitFor();
  await page.getByRole('tab', { name: 'Scene and machine' }).click();
  await page.getByRole('rowheader', { name: 'cpu', exact: true }).waitFor();
  await close(page);
});
