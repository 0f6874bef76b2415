// Runs that are there already, in the browser: single, compared, damaged, and as a report.
import assert from 'node:assert/strict';
import { cpSync, readdirSync, readFileSync, statSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';

import {
  changes, close, comes, folder, launch, open, PATIENCE, pliant, same, scene, serve, shows, simulate, slide, text,
} from './tools.mjs';

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
  // Slowly: it must not have come round to the start again by the time it is looked at.
  const page = await open(browser, `${single.link}&speed=0.1`);
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
  assert.equal(await page.getAttribute('#loop', 'aria-pressed'), 'false');
  await page.selectOption('#speed', '4');
  await page.locator('#view').focus();
  await page.keyboard.press('Space');
  await shows(page, LAST);
  await page.getByRole('button', { name: 'Play (Space)' }).waitFor();
  await close(page);
});

test('colours by every field, with a bar and its unit', async () => {
  const page = await open(browser, `${single.link}&time=0.7`);
  const names = {
    displacement: 'Displacement (m)', speed: 'Speed (m/s)', 'energy-density': 'Elastic energy density (J/m³)',
    stretch: 'Largest stretch', inverted: 'Inverted elements',
  };
  for (const [name, shown] of Object.entries(names)) {
    await changes(page, name, () => page.selectOption('#colour-by', name));
    assert.equal(await text(page, '#bar-name'), shown);
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
  await page.waitForFunction(() => /^[1-9]/.test(document.querySelector('#view canvas').dataset.frames));
  await changes(page, 'colours', () => page.selectOption('#colour-by', 'displacement'));
  await changes(page, 'one run less', () => page.locator('.runs input').first().uncheck());
  await page.locator('.pane-name').first().waitFor({ state: 'detached' });
  await page.getByRole('tab', { name: 'Scene and machine' }).click();
  await page.getByRole('cell', { name: 'sdirk2' }).first().waitFor();
  await close(page);
});

test('a link remembers, and keeps the token to itself', async () => {
  const token = /token=(\w+)/.exec(compared.link)[1];
  // With a range: one that is not given is that of all frames looked at so far.
  const page = await open(browser, `${compared.link}&color=speed&range=0,6`);
  // Look around first: what is seen of a link must not depend on it.
  for (const frame of [24, 3, 15]) {
    await slide(page, '#time', frame);
    await shows(page, frame, frame);
  }
  await page.selectOption('#clip-axis', 'z');
  await shows(page, 15, 15);
  await page.waitForFunction(() => /time=0\.625.*range=0,6.*clip=z/.test(location.hash));
  assert.ok(page.url().includes(token));
  await page.click('#copy-link');
  const link = await page.inputValue('#link-text');
  assert.ok(!link.includes(token));
  assert.match(link, /#key=\w{32}&/);
  await page.locator('#link-token').check();
  assert.ok((await page.inputValue('#link-text')).includes(token));
  await page.keyboard.press('Escape');
  const other = await open(browser, link);
  await shows(other, 15, 15);
  assert.equal(await other.inputValue('#colour-by'), 'speed');
  assert.match(await text(other, '#bar-ticks'), /6$/);
  assert.equal(await other.inputValue('#clip-axis'), 'z');
  await same(page, other);
  await close(page);
  await close(other);
});

test('shows nothing without the word of its link', async () => {
  const page = await (await browser.newContext()).newPage();
  await page.goto(single.link.split('#')[0]);
  await page.getByText('open the link that the program printed').waitFor({ timeout: PATIENCE });
  assert.ok(!(await page.locator('body').innerText()).includes('Ring'));
  await page.context().close();
});

test('a run that is started anew is shown anew, and its end is noticed', async () => {
  const again = simulate('again', ['duration=0.5']);
  const server = await serve(['view', again]);
  const page = await open(browser, server.link);
  const energies = () => page.evaluate(() => document.querySelector('.plot')?.getAttribute('aria-label') ?? '');
  await slide(page, '#time', 6);
  await comes('energies', async () => /at 0\.250 s: .*\d/.test(await energies()));
  const before = await energies();
  await slide(page, '#time', 12);
  await shows(page, 12);
  // A frame that is asked for when its run has been replaced is not there, which a browser complains of.
  const fetched = () => page.evaluate(() => performance.getEntriesByType('resource').filter(({ name }) => name.includes('/frames/')).length);
  await comes('an end of fetching', async () => {
    const before = await fetched();
    await page.waitForTimeout(1000);
    return before === (await fetched());
  });
  pliant(['run', scene, '-o', again, '--quiet', '--overwrite', '--set', 'duration=0.25', '--set', 'gravity=[0,-2,0]']);
  await page.waitForFunction(() => document.getElementById('time').max === '6');
  // Where the page was may have been cut back further than that while frames were coming.
  await slide(page, '#time', 6);
  await shows(page, 6);
  await comes('other energies', async () => /at 0\.250 s: .*\d/.test(await energies()) && (await energies()) !== before);
  await page.getByRole('tab', { name: 'Scene and machine' }).click();
  await page.getByRole('cell', { name: '[0, -2, 0]' }).waitFor();
  await page.getByRole('row', { name: 'frames_planned 6' }).waitFor();
  await close(page);
  await server.stop();
});

/** What lies in an element of a Matroska file, by number. */
function elements(bytes) {
  const found = new Map();
  for (let at = 0; at + 1 < bytes.length; ) {
    const idLength = Math.clz32(bytes[at]) - 23;
    const sizeLength = Math.clz32(bytes[at + idLength]) - 23;
    const start = at + idLength + sizeLength;
    // The length of a number is marked by its first bit that is set, which is none of it.
    const rest = bytes.subarray(at + idLength + 1, start);
    const size = rest.reduce((sum, byte) => 256 * sum + byte, bytes[at + idLength] & (0xff >> sizeLength));
    found.set(bytes.readUIntBE(at, idLength), bytes.subarray(start, (at = start + size)));
  }
  return found;
}

/** Of a film with one track. */
function sizeOfFilm(bytes) {
  const nested = { segment: 0x18538067, tracks: 0x1654ae6b, track: 0xae, video: 0xe0 };
  const video = Object.values(nested).reduce((found, id) => elements(found.get(id)), elements(bytes));
  return [0xb0, 0xba].map((id) => video.get(id).readUIntBE(0, video.get(id).length));
}

test('saves PNG and WebM', async () => {
  const page = await open(browser, `${single.link}&color=speed&speed=4`);
  const saved = async (button) => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.click(button)]);
    return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
  };
  // While it plays, too, when the canvas has fewer pixels.
  const { width, height } = await page.locator('#view').boundingBox();
  for (const playing of [false, true]) {
    if (playing) {
      await page.click('#play');
      await page.waitForFunction(() => document.querySelector('#view canvas').dataset.detail === 'few');
    }
    const picture = await saved('#save-png');
    assert.match(picture.name, /^Ring-.*\.png$/);
    assert.equal(picture.bytes.subarray(1, 4).toString(), 'PNG');
    const size = [picture.bytes.readUInt32BE(16), picture.bytes.readUInt32BE(20)];
    assert.deepEqual(size, [width & ~1, height & ~1], playing ? 'playing' : 'at rest');
  }
  const film = await saved('#save-webm');
  assert.match(film.name, /\.webm$/);
  assert.equal(film.bytes.readUInt32BE(0), 0x1a45dfa3);
  assert.ok(film.bytes.length > 5000, `${film.bytes.length} bytes`);
  assert.deepEqual(sizeOfFilm(film.bytes), [width & ~1, height & ~1]);
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

test('a damaged first frame does not keep the others from playing', async () => {
  cpSync(folder('first'), folder('beheaded'), { recursive: true });
  const victim = path.join(folder('beheaded'), 'frames', '000000.npy');
  truncateSync(victim, statSync(victim).size / 2);
  const server = await serve(['view', folder('beheaded')]);
  const page = await open(browser, server.link);
  await page.locator('.message.error').first().waitFor();
  await page.click('#play');
  await page.waitForFunction(() => Number(document.querySelector('#view canvas').dataset.frames) >= 3);
  // The browser itself says that the frame was not given.
  page.complaints = page.complaints.filter((line) => !/Failed to load resource/.test(line));
  await close(page);
  await server.stop();
});

test('a report opens from the disk', async () => {
  const file = path.join(folder('.'), 'report.html');
  pliant(['report', folder('first'), folder('second'), '-o', file]);
  assert.ok(statSync(file).size < 20e6);
  const page = await open(browser, `${pathToFileURL(file).href}#speed=0.1`);
  await shows(page, 0, 0);
  await changes(page, 'play', async () => {
    await page.click('#play');
    await page.waitForFunction(() => parseInt(document.querySelector('#view canvas').dataset.frames, 10) >= 3);
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
  // What somebody else might have put into a run, and with it into a report, does not run.
  await page.evaluate(() => {
    const foreign = document.createElement('script');
    foreign.textContent = 'document.title = "foreign"';
    document.body.append(foreign);
  });
  assert.match(await page.title(), /^Ring and 1 more/);
  const isRefusal = (line) => line.includes('Content Security Policy');
  assert.equal(page.complaints.filter(isRefusal).length, 1, page.complaints.join('\n'));
  page.complaints = page.complaints.filter((line) => !isRefusal(line));
  await close(page);
});

test('bodies that tear are shown torn, by a server and in a report', async () => {
  const out = folder('torn');
  pliant(['run', path.join(path.dirname(scene), 'strip.toml'), '-o', out, '--quiet'], [0, 3]);
  const tears = readdirSync(path.join(out, 'bodies')).filter((name) => /^\d+$/.test(name)).map(Number).sort((a, b) => a - b);
  assert.ok(tears.length > 1, 'nothing has torn');
  const file = path.join(folder('.'), 'torn.html');
  pliant(['report', out, '-o', file]);
  const server = await serve(['view', out]);
  for (const [link, fields] of [
    [`${server.link}&`, ['displacement', 'speed', 'energy-density', 'stretch', 'inverted']],
    [`${pathToFileURL(file).href}#`, ['displacement', 'speed']],
  ]) {
    const page = await open(browser, `${link}time=0.5`);
    await shows(page, 15);
    for (const name of fields) await changes(page, name, () => page.selectOption('#colour-by', name));
    await changes(page, 'edges', () => page.selectOption('#style', 'edges'));
    // There and back over every tear.
    for (const frame of [...tears, ...tears.map((tear) => tear - 1).reverse(), 0]) {
      await slide(page, '#time', frame);
      await shows(page, frame);
    }
    await page.selectOption('#colour-by', '');
    await page.selectOption('#style', 'surface');
    await changes(page, 'playing through the tears', async () => {
      await page.click('#play');
      await page.waitForFunction((last) => Number(document.querySelector('#view canvas').dataset.frames) >= last, tears.at(-1));
      await page.click('#play');
    });
    assert.deepEqual(await page.locator('.message').allInnerTexts(), []);
    await close(page);
  }
  await server.stop();
});

test('the report of a comparison has its table and its plot', async () => {
  const out = folder('comparison');
  const vary = ['--vary', 'time.scheme=backward-euler,sdirk2', '--reference', 'time.steps_per_frame=4'];
  pliant(['compare', scene, ...vary, '--frames', '6', '-o', out, '--quiet']);
  const page = await open(browser, pathToFileURL(path.join(out, 'report.html')).href);
  const tab = page.getByRole('tab', { name: 'Comparison' });
  await tab.waitFor();
  assert.equal(await tab.getAttribute('aria-selected'), 'true');
  const members = ['backward-euler', 'sdirk2', 'reference'];
  for (const name of members) {
    const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) });
    assert.match(await row.innerText(), /done\s+\d+\.\d\d\s+\d+/, name);
  }
  assert.match(await text(page, '.comparison tbody tr:last-child'), /reference\s+-\s+-$/);
  const plot = page.locator('.error-plot');
  assert.match(await plot.getAttribute('aria-label'), /^Error against seconds\. backward-euler: \S+ in \S+ s; sdirk2: \S+ in \S+ s$/);
  assert.equal(await plot.locator('circle').count(), 2, 'the reference has no error');
  // The points have the colours of the runs shown.
  const colours = () => plot.locator('circle').evaluateAll((dots) => dots.map((dot) => dot.getAttribute('fill')));
  const before = await colours();
  assert.notEqual(before[0], before[1]);
  await page.locator('.runs input').first().uncheck();
  await comes('a point without its colour', async () => (await colours())[0] !== before[0]);
  await tab.press('ArrowRight');
  await page.getByRole('rowheader', { name: 'time.scheme', exact: true }).waitFor();
  await close(page);
});
