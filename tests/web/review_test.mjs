// The page of `sosie serve RUN` in headless Chromium: a whole review by keyboard, exported and
// applied with the command line; hostile texts; axe checks of every view in light, dark and on a
// phone.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { faults, ServedRun, settled } from './served_run.mjs';

const served = new ServedRun();
const { folder } = served;
const run = (...args) => served.run(...args);
const open = (...args) => served.open(...args);
const api = (...args) => served.api(...args);

const words = (from, count) => Array.from({ length: count }, (_, i) => `w${from + i}`).join(' ');
const hostile = '<script>window.hacked = 1</script><img src=x onerror="window.hacked = 1"> &lt;b&gt; \u202Egnp.exe\u0007';

// Groups: 12 of texts, a hostile one, one with a line of 10 MB; 60 small ones fill a second page of the list.
function rows() {
  const out = [];
  for (let group = 0; group < 12; ++group) {
    for (let copy = 0; copy <= group % 3 + 1; ++copy) {
      const text = words(1000 * group, 80).replace(`w${1000 * group + 40}`, copy === 0 ? 'kept' : `changed${copy}`);
      out.push({ id: `g${group}-${copy}`, title: `Title ${group}`, text });
    }
  }
  for (const copy of [0, 1]) out.push({ id: `<i>h${copy}`, text: `${hostile} ${words(90_000, 60)} ${copy}` });
  const long = words(100_000, 1_400_000);
  for (const copy of [0, 1]) out.push({ id: `long${copy}`, text: `${long} ${copy}` });
  for (let group = 0; group < 60; ++group) {
    for (const copy of [0, 1]) out.push({ id: `s${group}-${copy}`, text: `small text number ${group} ${words(10 * group, 9)}` });
  }
  return out;
}

before(async () => {
  const all = rows();
  const half = all.length / 2;
  const lines = (some) => some.map((row) => `${JSON.stringify(row)}\n`).join('');
  writeFileSync(join(folder, 'a.jsonl'), lines(all.slice(0, half)));
  writeFileSync(join(folder, 'b.jsonl'), lines(all.slice(half)));
  run('dedup', 'a.jsonl', 'b.jsonl', '--save', 'run/', '-o', 'kept.jsonl', '-q');
  await served.start('run/');
});

after(() => served.end());

function keptIds(file) {
  return readFileSync(join(folder, file), 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line).id);
}

test('a review by keyboard is exported, and the command line applies it', async () => {
  const page = await open('?view=groups&sort=order');
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.member');
  assert.match(page.url(), /view=group&.*group=0/);
  await page.keyboard.press('k');
  await page.keyboard.press('j');
  await page.keyboard.press('d'); // g0-1 is not a duplicate
  await settled(page, () => document.body.innerText.includes('you: not a duplicate'));
  await page.keyboard.press('n');
  await settled(page, () => document.title.includes('g1-0'));
  await page.keyboard.press('o'); // only g1-1
  await settled(page, () => document.querySelector('.member').matches('.is-removed'));
  await page.keyboard.press('Enter'); // agree, next
  await settled(page, () => document.title.includes('g2-0'));
  await page.keyboard.press(' '); // keep g2-1 ...
  await settled(page, () => document.querySelectorAll('.member.is-kept').length === 2);
  await page.keyboard.press('u'); // ... not
  await settled(page, () => document.querySelectorAll('.member.is-kept').length === 1);
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('e')]);
  await download.saveAs(join(folder, 'decisions.tsv'));
  await page.waitForSelector('#apply');
  const command = await page.locator('#apply pre').innerText();
  assert.equal(command, 'sosie dedup --reuse decisions.tsv -o kept-reviewed.jsonl a.jsonl b.jsonl');
  run(...command.split(' ').slice(1), '-q');
  const expected = keptIds('kept.jsonl').filter((id) => id !== 'g1-0').concat('g0-1', 'g1-1').sort();
  assert.deepEqual(keptIds('kept-reviewed.jsonl').sort(), expected);
  await page.keyboard.press('Escape');
  await page.waitForSelector('.groups');
  await page.context().close();
});

test('Escape and Back return to the group that was open', async () => {
  const page = await open('?view=groups&at=0&sort=order');
  for (let i = 0; i < 9; ++i) await page.keyboard.press('j');
  const isNinth = () => document.activeElement?.getAttribute('data-at') === '9';
  await page.keyboard.press('Enter');
  await page.waitForSelector('.member');
  await page.keyboard.press('Escape');
  await page.waitForSelector('.groups');
  await settled(page, isNinth);
  await page.keyboard.press('Enter');
  await page.waitForSelector('.member');
  await page.goBack();
  await settled(page, isNinth);
  assert.equal(await page.locator('.groups li.selected').count(), 1);
  await page.context().close();
});

test('the first rows of a group are there before the others', async () => {
  const page = await open('?view=groups&sort=order');
  const asked = [];
  page.on('request', (request) => asked.push(new URL(request.url())));
  await page.locator('.groups a').nth(2).click();
  await settled(page, () => document.querySelectorAll('.member').length === 4);
  const limits = asked.filter((url) => url.pathname === '/v1/groups/2').map((url) => url.searchParams.get('limit'));
  assert.deepEqual(limits, ['3', '20']);
  assert.doesNotMatch(await page.locator('main').innerText(), /Loading/);
  await page.context().close();
});

test('curves have a legend, and sizes the units of the command line', async () => {
  const page = await open('?view=overview');
  assert.equal(await page.locator('.sample').count(), await page.locator('table:has(.sample) tbody tr').count());
  const drawn = await page.evaluate(() =>
    [...document.querySelectorAll('.sample path')].map((line) => line.getAttribute('stroke-dasharray')));
  assert.ok(drawn.length > 3);
  assert.equal(new Set(drawn).size, drawn.length);
  const text = await page.locator('main').innerText();
  assert.match(text, /\d (kB|MB)/);
  assert.doesNotMatch(text, /KiB|MiB/);
  await page.context().close();
});

test('a run has one recall', async () => {
  const curve = (list) => list.curves[0].at_threshold;
  run('dedup', 'a.jsonl', 'b.jsonl', '--method', 'lsh', '--save', 'lsh-run/', '--report', 'r.html', '-o', 'l.jsonl', '-q');
  const { process, at } = await served.serve('lsh-run/');
  try {
    const info = await (await fetch(`${at}v1/info`)).json();
    const recall = Number(info.overview.method.match(/expected recall ([\d.]+)/)[1]);
    const own = await (await fetch(`${at}v1/histogram`)).json();
    assert.equal(curve(own), `${(100 * recall).toFixed(2)} %`);
    assert.equal(own.curves[0].expected, info.overview.summary.near);
    const report = readFileSync(join(folder, 'r.html'), 'utf8');
    assert.deepEqual(new Set(report.match(/[\d.]+ %(?= *are expected)/g)), new Set([curve(own)]));
    assert.deepEqual(JSON.parse(report.match(/id="data">(.*?)<\/script>/)[1]).histogram, own);
    const page = await open('?view=tuner', at);
    assert.match(await page.locator('.cards').innerText(), new RegExp(curve(own)));
    assert.match(await page.locator('table').first().innerText(), new RegExp(`this plan.*${curve(own)}`));
    await page.context().close();
  } finally {
    process.kill('SIGTERM');
  }
});

test('a report works in a frame of a mail reader, which keeps no address', async () => {
  run('dedup', 'a.jsonl', 'b.jsonl', '--report', 'frame.html', '--dry-run', '-q');
  const report = readFileSync(join(folder, 'frame.html'), 'utf8').replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  const context = await served.browser.newContext();
  const page = await context.newPage();
  await page.setContent(`<iframe sandbox="allow-scripts" srcdoc="${report}"></iframe>`);
  const frame = page.frameLocator('iframe');
  await frame.locator('nav a', { hasText: 'Groups' }).click();
  await frame.locator('.groups a').first().click();
  assert.match(await frame.locator('.member').first().innerText(), /kept by the run/);
  await context.close();
});

test('rows are decided by mouse, and taken back', async () => {
  const page = await open('?view=group&group=5&sort=order&at=5');
  const before = (await api('v1/decisions')).steps;
  const second = page.locator('.member').nth(1);
  await second.getByRole('button', { name: 'Keep', exact: true }).click();
  await second.locator('.tag.changed').waitFor();
  await page.getByRole('button', { name: /Undo/ }).click();
  await settled(page, () => document.body.innerText.includes('undone'));
  assert.equal((await api('v1/decisions')).steps, before);
  await page.context().close();
});

test('all groups of a list are decided at once, after a preview', async () => {
  const page = await open('?view=groups&text=small');
  await page.locator('.bulk summary').click();
  await page.locator('select[name=verdict]').selectOption('not_duplicate');
  const state = await api('v1/decisions');
  await page.getByRole('button', { name: 'Preview' }).click();
  await settled(page, () => document.body.innerText.includes('would change 60 rows in 60 groups'));
  assert.deepEqual(await api('v1/decisions'), state);
  await page.getByRole('button', { name: 'Apply' }).click();
  await settled(page, () => document.body.innerText.includes('Changed 60 rows in 60 groups'));
  assert.equal((await api('v1/decisions')).kept_more, state.kept_more + 60);
  await api('v1/decisions', { undo: true });
  await page.context().close();
});

test('the address holds the list: filter, page, back', async () => {
  const page = await open('?view=groups');
  assert.equal(await page.locator('.groups li').count(), 50);
  await page.getByRole('link', { name: 'Next', exact: true }).click();
  await settled(page, () => document.querySelectorAll('.groups li').length === 24);
  await page.locator('#text').fill('g3-');
  await page.keyboard.press('Enter');
  await settled(page, () => document.querySelectorAll('.groups li').length === 1);
  assert.match(page.url(), /text=g3-/);
  await page.reload();
  await page.waitForSelector('.groups');
  assert.equal(await page.locator('#text').inputValue(), 'g3-');
  await page.goBack();
  await settled(page, () => document.querySelectorAll('.groups li').length === 24);
  await page.locator('select[name=source]').selectOption({ index: 1 });
  // The address changes before the list is there; the footer's link comes with the list.
  await settled(page, () => document.querySelector('footer a').search.includes('source='));
  assert.match(page.url(), /source=/);
  const twin = await page.locator('footer a').getAttribute('href');
  assert.equal((await api(twin)).groups.length, await page.locator('.groups li').count());
  await page.context().close();
});

test('texts of the data are inert, and what cannot be seen in them is shown', async () => {
  const [group] = (await api('v1/groups?text=hacked')).groups;
  const page = await open(`?view=group&group=${group.group}`);
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  assert.equal(await page.locator('main script, main img, main i').count(), 0);
  const text = await page.locator('.member').first().innerText();
  assert.match(text, /<script>window\.hacked = 1<\/script>/);
  assert.match(text, /U\+202E/);
  assert.match(text, /U\+0007/);
  assert.match(text, /<i>h0/);
  await page.context().close();
});

test('a row of 10 MB is shown in part', async () => {
  const [group] = (await api('v1/groups?text=long0')).groups;
  assert.ok(group.saved_bytes > 10_000_000);
  const page = await open(`?view=group&group=${group.group}`);
  const text = await page.locator('.member').nth(1).innerText();
  assert.ok(text.length < 20_000, `${text.length} characters`);
  await page.context().close();
});

test('the tuner plans for another threshold', async () => {
  const page = await open('?view=tuner');
  await page.locator('input[name=threshold]').fill('0.9');
  await settled(page, () => location.search.includes('threshold=0.9'));
  await settled(page, () => document.querySelector('pre').innerText.includes('--threshold 0.9'));
  assert.match(await page.locator('pre').first().innerText(), /^sosie dedup --threshold 0\.9 --recall 0\.99 .*a\.jsonl/);
  assert.match(await page.locator('pre').last().innerText(), /threshold=0\.9, recall=0\.99/);
  assert.match(await page.locator('pre').last().innerText(), /save="run-2\/"/);
  assert.doesNotMatch(await page.locator('main').innerText(), /overwrite/);
  const command = (await page.locator('pre').first().innerText()).split(/\s+/).slice(1);
  run(...command, '-q');  // into a folder of its own, beside the run that is being reviewed
  assert.ok(existsSync(join(folder, 'run-2', 'run.json')));
  await page.locator('input[name=shingle]').fill('words:3');
  await page.locator('input[name=shingle]').press('Enter');
  await settled(page, () => location.search.includes('shingle=words%3A3'));
  await settled(page, () => document.querySelector('pre').innerText.includes('--shingle words:3'));
  await page.getByRole('button', { name: 'Predict' }).click();
  await page.waitForSelector('table caption');
  const places = await page.evaluate(() =>
    ['form', 'table caption', '.cards'].map((each) => document.querySelector(each).getBoundingClientRect().top));
  assert.deepEqual(places, [...places].sort((a, b) => a - b), 'the answer stands where the button is');
  await page.locator('input[name=shingle]').fill('wrds:3');
  await page.locator('input[name=shingle]').press('Enter');
  await settled(page, () => document.querySelector('#trouble').innerText.includes('wrds:3'));
  assert.doesNotMatch(page.url(), /wrds/);
  assert.doesNotMatch(await page.locator('pre').first().innerText(), /wrds/);
  const said = await page.locator('table', { has: page.locator('caption') }).innerText();
  assert.match(said, /documents as\s+sets of words:3/);
  assert.match(said, /dedup takes\s+.*of memory/);
  await page.context().close();
});

test('keys are listed, and paths that are not known are no page', async () => {
  const page = await open('?view=groups');
  await page.keyboard.press('?');
  await page.waitForSelector('#help');
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('#help').count(), 0);
  await page.context().close();
  assert.equal((await fetch(`${served.address}groups`)).status, 404);
});

const kViews = ['?view=overview', '?view=groups', '?view=group&group=2', '?view=tuner'];
for (const view of kViews) {
  test(`axe finds no fault, wide, dark and on a phone: ${view}`, () =>
    served.looksRight(view, view.slice(6).replace(/\W/g, '-'), '?'));
}

test('an index is searched by a text that is pasted', async () => {
  run('index', 'build', 'pages.index', 'a.jsonl', '-q');
  const { process, at } = await served.serve('pages.index');
  try {
    const page = await open('', at);
    assert.equal(await page.locator('h1').innerText(), 'The index');
    assert.doesNotMatch(await page.locator('footer').innerText(), /deleted|dedup/);
    assert.match(await page.locator('main').innerText(), /Size\s+[\d.]+ [kM]B/);
    assert.deepEqual(await faults(page), []);
    await page.getByRole('link', { name: 'Search' }).click();
    await page.locator('textarea').fill(words(1000, 80));
    await page.getByRole('button', { name: 'Look up' }).click();
    await page.waitForSelector('main table');
    assert.match(await page.locator('main table').innerText(), /g1-0/);
    await page.getByRole('button', { name: 'Explain g1-0' }).click();
    await page.waitForSelector('main pre');
    assert.match(await page.locator('main pre').innerText(), /shingles .* in both/);
    assert.deepEqual(await faults(page), []);
    await page.context().close();
  } finally {
    process.kill('SIGTERM');
  }
});

test('nothing is said on the console, and nothing is asked for elsewhere', () => {
  assert.deepEqual(served.consoleLines, []);
  assert.deepEqual(served.elsewhere, []);
});
