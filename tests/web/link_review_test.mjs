// The page of `sosie serve RUN` for a link run, in headless Chromium: pairs judged by keyboard,
// exported and applied with the commands that it shows; hostile fields; axe checks of every view in
// light, dark and on a phone.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ServedRun, settled } from './served_run.mjs';

const served = new ServedRun();
const { folder } = served;
const run = (...args) => served.run(...args);
const open = (...args) => served.open(...args);
const api = (...args) => served.api(...args);
const hostile = '<img src=x onerror="window.hacked = 1"><b>\u202Egnp.exe';

// 120 people; 90 of them stand in the other file, too, a third with misspelt or other values.
function people() {
  const given = ['Anna', 'Bernd', 'Carla', 'Dieter', 'Elisabeth', 'Franz', 'Greta', 'Hans', 'Ida', 'Jakob', 'Klara'];
  const sounds = ['mei', 'ner', 'schu', 'bach', 'wal', 'ter', 'lin', 'den', 'kra', 'mer', 'vog', 'tel', 'zim'];
  const cities = ['Ulm', 'Bern', 'Graz', 'Kiel', 'Linz', 'Basel', 'Mainz'];
  const left = [];
  const right = [];
  for (let i = 0; i < 120; ++i) {
    const surname = sounds[i % 13] + sounds[(i * 5 + 3) % 13] + sounds[Math.floor(i / 13)];
    const row = { given: given[i % 11], surname, city: cities[i % 7], note: i === 5 ? hostile : '' };
    left.push({ id: `a${i}`, ...row });
    if (i >= 90) continue;
    right.push({ id: `b${i}`, first_name: row.given, surname: i % 3 === 0 ? surname.replace(/[aeiou]/, 'y') : surname,
      city: i % 4 === 0 ? cities[(i + 1) % 7] : row.city, note: i === 5 ? `${hostile}!` : '' });
  }
  return { left, right };
}

function table(file, delimiter) {
  const [head, ...lines] = readFileSync(join(folder, file), 'utf8').trimEnd().split('\n').map((line) => line.split(delimiter));
  return lines.map((line) => Object.fromEntries(head.map((name, i) => [name, line[i]])));
}

before(async () => {
  const { left, right } = people();
  const lines = (some) => some.map((row) => `${JSON.stringify(row)}\n`).join('');
  writeFileSync(join(folder, 'a.jsonl'), lines(left));
  writeFileSync(join(folder, 'b.jsonl'), lines(right));
  writeFileSync(join(folder, 'one.jsonl'), lines([...left, ...right.map(({ first_name, ...row }) => ({ given: first_name, ...row }))]));
  writeFileSync(join(folder, 'rules.toml'), `version = 1
[fields]
given = { columns = ["given"], columns_right = ["first_name"], compare = "jaro-winkler", levels = [0.9] }
surname = { compare = "jaro-winkler", levels = [0.95, 0.85] }
city = {}
[candidates]
rules = [{ near = ["given", "surname"] }]
`);
  run('link', 'a.jsonl', '--against', 'b.jsonl', '--rules', 'rules.toml', '--save', 'run/', '-o', 'links.csv', '-q');
  run('link', 'one.jsonl', '--save', 'groups/', '-o', 'groups.csv', '-q');
  await served.start('run/');
});

after(() => served.end());

const titled = (page, pair) =>
  settled(page, (ids) => document.title.startsWith(ids), `${pair.left_id} and ${pair.right_id} `);

async function pressed(page, key, expected) {
  await page.keyboard.press(key);
  await titled(page, expected);
}

test('pairs are judged by keyboard, and the commands that the page shows apply them', async () => {
  const { pairs } = await api('v1/pairs?limit=9');
  const page = await open('');
  await page.getByRole('link', { name: /Begin with the pairs/ }).click();
  await titled(page, pairs[0]);
  assert.match(page.url(), /view=pair&state=open&pair=0/);
  await pressed(page, 'y', pairs[1]);
  await pressed(page, 'n', pairs[2]);
  await pressed(page, '?', pairs[3]);
  assert.equal(await page.locator('#help').count(), 0);
  await pressed(page, 'j', pairs[4]);
  await pressed(page, 'k', pairs[3]);
  await pressed(page, 'n', pairs[4]);
  await pressed(page, 'u', pairs[3]); // takes the last one back
  await settled(page, () => document.body.innerText.includes('The last step is undone.'));
  await pressed(page, 'Enter', pairs[4]); // as the run says
  const state = await api('v1/decisions');
  assert.equal(state.decided_pairs, 4);
  assert.equal(state.unsure, 1);
  assert.match(await page.locator('.progress').innerText(), /4 of \d+ pairs decided/);
  for (const [key, name, kind] of [['e', 'decisions', 'reuse'], ['l', 'labels', 'labels']]) {
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press(key)]);
    assert.equal(download.suggestedFilename(), `${name}.tsv`);
    await download.saveAs(join(folder, `${name}.tsv`));
    await settled(page, (file) => document.querySelector('#apply pre')?.innerText.includes(file), `${name}.tsv`);
    const command = await page.locator('#apply pre').innerText();
    assert.equal(command, `sosie link --against b.jsonl --rules rules.toml --${kind} ${name}.tsv -o links-reviewed.csv a.jsonl`);
    run(...command.split(' ').slice(1), '-q');
    const links = new Set(table('links-reviewed.csv', ',').map((row) => `${row.left} ${row.right}`));
    assert.ok(links.has(`${pairs[0].left_id} ${pairs[0].right_id}`));
    assert.ok(!links.has(`${pairs[1].left_id} ${pairs[1].right_id}`));
  }
  assert.deepEqual(table('decisions.tsv', '\t').map((row) => row.decision),
    ['accepted', 'rejected', '', pairs[3].linked ? 'accepted' : 'rejected']);
  await page.keyboard.press('Escape');
  await page.waitForSelector('.groups');
  await page.context().close();
});

test('a key that comes too early is not meant for the pair before', async () => {
  const [pair] = (await api('v1/pairs?state=open')).pairs;
  const page = await open('?view=pair&state=open');
  await page.evaluate(() => ['y', 'n'].forEach((key) => document.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))));
  await settled(page, (number) => !location.search.includes(`pair=${number}`), pair.pair);
  await page.waitForTimeout(200);
  assert.equal((await api(`v1/pairs/${pair.pair}`)).verdict, 'match');
  assert.equal((await api('v1/decisions', { undo: true })).pair, pair.pair);
  await page.context().close();
});

test('precision, recall and confidence move with each answer, and back with undo', async () => {
  const { pairs } = await api('v1/pairs?state=open&answer=linked&limit=3');
  const page = await open(`?view=pair&state=open&answer=linked&pair=${pairs[0].pair}`);
  const told = () => page.locator('.estimate').innerText();
  const texts = [await told()];
  for (const [i, key] of [[1, 'y'], [2, 'n']]) {
    await pressed(page, key, pairs[i]);
    const { estimate } = await api('v1/decisions');
    texts.push(await told());
    assert.ok(texts.at(-1).startsWith(`By ${estimate.labels} labels: precision ${estimate.precision.toFixed(3)}, ` +
      `recall ${estimate.recall.toFixed(3)}, F1 ${estimate.f1.toFixed(3)} ±`), texts.at(-1));
    assert.match(texts.at(-1), new RegExp(`Confidence ${estimate.confidence}`));
  }
  assert.equal(new Set(texts).size, 3);
  for (const i of [1, 0]) {
    await pressed(page, 'u', pairs[i]);
    assert.equal(await told(), texts[i]);
  }
  await page.context().close();
});

test('a verdict that is there already is not a step, and the list of overruled pairs loses what agrees', async () => {
  const first = (await api('v1/pairs?state=open&answer=linked')).pairs.slice(0, 3);
  for (const { pair } of first) await api('v1/decisions', { pairs: [pair], verdict: 'different' });
  const { pairs } = await api('v1/pairs?state=changed');
  const { steps } = await api('v1/decisions');
  const page = await open(`?view=pair&state=changed&pair=${pairs[0].pair}`);
  await pressed(page, pairs[0].linked ? 'n' : 'y', pairs[1]); // as before
  assert.equal((await api('v1/decisions')).steps, steps);
  await pressed(page, 'k', pairs[0]);
  await pressed(page, pairs[0].linked ? 'y' : 'n', pairs[1]);
  assert.equal((await api('v1/decisions')).steps, steps + 1);
  await pressed(page, 'u', pairs[0]);
  for (let i = 0; i < first.length; ++i) await api('v1/decisions', { undo: true });
  await page.context().close();
});

test('fields stand side by side, and what differs is marked', async () => {
  const [pair] = (await api('v1/pairs?text=a8&answer=linked')).pairs.filter((each) => each.left_id === 'a8');
  const page = await open(`?view=pair&pair=${pair.pair}`);
  const row = (name) => page.locator('.compare tbody tr', { hasText: name });
  assert.deepEqual(await page.locator('.compare tbody th').allInnerTexts(),
    ['given / first_name =', 'surname =', 'city ≠']);
  assert.equal(await row('first_name').locator('mark').count(), 0);
  assert.deepEqual(await row('city').locator('mark').allInnerTexts(), ['Bern', 'Graz']);
  await page.getByText('Why the run decided so').click();
  const command = await page.locator('main pre').innerText();
  assert.equal(command, 'sosie explain --kind records --against b.jsonl --rules rules.toml -- a:a8 b:b8 a.jsonl');
  assert.match(run(...command.split(' ').slice(1)), /^Linked: .*city/s);
  await page.context().close();
});

test('fields of the data are inert', async () => {
  const [pair] = (await api('v1/pairs?text=b5&answer=linked')).pairs.filter((each) => each.left_id === 'a5');
  const page = await open(`?view=pair&pair=${pair.pair}`);
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  assert.equal(await page.locator('main img').count(), 0);
  const text = await page.locator('.compare').innerText();
  assert.match(text, /<img src=x onerror="window\.hacked = 1"><b>/);
  assert.match(text, /U\+202E/);
  await page.context().close();
});

test('the list is filtered, keeps its place, and groups lead to their pairs', async () => {
  const page = await open('?view=pairs');
  await page.locator('select[name=answer]').selectOption('apart');
  await settled(page, () => document.querySelector('footer a').search.includes('answer=apart'));
  assert.equal(await page.locator('.groups .tag.kept').count(), 0);
  await page.locator('select[name=answer]').selectOption('');
  await settled(page, () => !document.querySelector('footer a').search.includes('answer'));
  for (let i = 0; i < 4; ++i) await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.compare');
  await page.keyboard.press('Escape');
  await settled(page, () => document.activeElement?.getAttribute('data-at') === '4');
  await page.getByRole('link', { name: 'Groups' }).click();
  await page.waitForSelector('.groups a[href*="view=group&"]');
  assert.doesNotMatch(await page.locator('main').innerText(), /saved|kept|Decide about all/);
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.member');
  assert.equal(await page.getByRole('button', { name: /Keep/ }).count(), 0);
  assert.equal(await page.locator('main .tag').count(), 0);
  await page.keyboard.press('Enter');
  await settled(page, () => /^\d pairs? of/.test(document.querySelector('h1').innerText));
  assert.match(page.url(), /view=pairs&of=1/);
  await page.keyboard.press('h');
  await page.waitForSelector('#help');
  assert.match(await page.locator('#help').innerText(), /both records are the same/);
  await page.context().close();
});

test('a run of one collection shows its groups', async () => {
  const other = await served.serve('groups/');
  try {
    const page = await open('?view=groups&sort=weakest', other.at);
    await page.keyboard.press('Enter');
    await page.waitForSelector('.member');
    assert.match(await page.locator('.member').first().innerText(), /best pair here: probability/);
    await page.keyboard.press('Enter');
    await page.waitForSelector('.groups');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.compare');
    await page.context().close();
  } finally {
    other.process.kill('SIGTERM');
  }
});

const kViews = ['?view=overview', '?view=pairs', '?view=pair&pair=1', '?view=groups', '?view=group&group=5'];
for (const view of kViews) {
  test(`axe finds no fault, wide, dark and on a phone: ${view}`, () =>
    served.looksRight(view, `link-${view.slice(6).replace(/\W/g, '-')}`, 'h'));
}

for (const [file, args] of [['links.html', ['a.jsonl', '--against', 'b.jsonl', '--rules', 'rules.toml']], ['groups.html', ['one.jsonl']]]) {
  test(`axe finds no fault in a report, wide, dark and on a phone: ${file}`, async () => {
    run('link', ...args, '--report', file, '-o', 'reported.csv', '-q');
    await served.looksRight('', `link-report-${file}`, undefined, served.addressOf(file));
  });
}

test('nothing is said on the console, and nothing is asked for elsewhere', () => {
  assert.deepEqual(served.consoleLines, []);
  assert.deepEqual(served.elsewhere, []);
});
