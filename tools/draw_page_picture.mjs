// Takes the picture of the review page in the README: a group of the sample's run, in headless
// Chromium. Arguments: the program, the picture. Needs web/node_modules (npm --prefix web ci).
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const { chromium } = createRequire(new URL('../web/package.json', import.meta.url))('playwright-core');
const [program, picture] = process.argv.slice(2).map((path) => resolve(path));
const root = new URL('..', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'sosie-picture-'));
const run = join(folder, 'run');
execFileSync(program, ['dedup', 'samples/man-pages.jsonl', '-o', join(folder, 'kept.jsonl'), '--save', run, '--quiet'], { cwd: root });
const service = spawn(program, ['serve', run, '--listen', '127.0.0.1:0', '--quiet'], { stdio: ['ignore', 'pipe', 'inherit'] });
try {
  const address = await new Promise((found) => service.stdout.once('data', (line) => found(String(line).trim())));
  const browser = await chromium.launch({
    executablePath: ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) => existsSync(path)),
    args: ['--no-sandbox'],
  });
  const page = await browser.newPage({ viewport: { width: 1000, height: 430 } });
  await page.goto(`${address}?view=group&group=4`);
  await page.waitForSelector('text=The kept row');
  await page.getByText('weakest edge', { exact: true }).first().evaluate((edge) => edge.parentElement.scrollIntoView());
  await page.evaluate(() => window.scrollBy(0, -16));
  await page.screenshot({ path: picture });
  await browser.close();
} finally {
  service.kill();
  rmSync(folder, { recursive: true });
}
