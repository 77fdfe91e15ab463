// Code shared by tests of the page: a folder in which to run the program, its services, and a
// headless Chromium. SOSIE_BIN: the program. SOSIE_SCREENSHOTS: a folder for pictures of all views.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const require = createRequire(new URL('../../web/package.json', import.meta.url));
const { chromium } = require('playwright-core');
const { AxeBuilder } = require('@axe-core/playwright');

const sosie = process.env.SOSIE_BIN ?? new URL('../../build/release/sosie', import.meta.url).pathname;
const browserPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) => existsSync(path));
const pictures = process.env.SOSIE_SCREENSHOTS;
const kPaper = { width: 703, height: 1000 }; // A4 between its margins
const kPhone = { width: 360, height: 740 };

export async function settled(page, condition, argument) {
  await page.waitForFunction(condition, argument, { timeout: 5000 });
}

/** Faults that axe finds in a page; `rules`: by these alone. */
export async function faults(page, rules) {
  const builder = new AxeBuilder({ page });
  const { violations } = await (rules ? builder.withRules(rules) : builder).analyze();
  return violations.map((each) => `${each.id}: ${each.nodes[0].html}`);
}

/** A folder with what is run and served in it. */
export class ServedRun {
  folder = mkdtempSync(join(tmpdir(), 'sosie-page-'));
  consoleLines = [];
  elsewhere = []; // requests that went to others

  run(...args) {
    return execFileSync(sosie, args, { cwd: this.folder, encoding: 'utf8' });
  }

  /** The address of a file of the folder. */
  addressOf(file) {
    return pathToFileURL(join(this.folder, file)).href;
  }

  /** Starts a service: its process, and where it listens. */
  async serve(what) {
    const options = { cwd: this.folder, stdio: ['ignore', 'pipe', 'inherit'] };
    const process = spawn(sosie, ['serve', what, '--listen', '127.0.0.1:0', '-q'], options);
    let text = '';
    for await (const chunk of process.stdout) {
      text += chunk;
      const found = text.match(/http:\/\/\S+/);
      if (found) return { process, at: found[0] };
    }
    throw new Error('the server printed no address');
  }

  /** Serves what the tests are about. */
  async start(what) {
    ({ process: this.server, at: this.address } = await this.serve(what));
    this.browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] });
  }

  async end() {
    await this.browser?.close();
    this.server?.kill('SIGTERM');
    rmSync(this.folder, { recursive: true, force: true });
  }

  async open(query, at = this.address) {
    const context = await this.browser.newContext({ viewport: { width: 1100, height: 800 }, acceptDownloads: true });
    const page = await context.newPage();
    page.on('console', (line) => this.consoleLines.push(`${line.type()}: ${line.text()}`));
    page.on('pageerror', (error) => this.consoleLines.push(String(error)));
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(at) && !url.startsWith('data:') && !url.startsWith('blob:')) this.elsewhere.push(url);
    });
    await page.goto(at + query);
    await page.waitForSelector('main h1');
    return page;
  }

  async api(path, body) {
    const init = body && { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
    const answer = await fetch(this.address + path, init);
    assert.ok(answer.ok, `${path}: ${answer.status}`);
    return answer.json();
  }

  /**
   * A view wide, dark, printed, and on a phone whose width it keeps: axe finds no fault. `name`: of its pictures;
   * `helpKey`: none where the view has no keys.
   */
  async looksRight(view, name, helpKey, at = this.address) {
    const page = await this.open(view, at);
    assert.equal(await page.evaluate(() => scrollY), 0, 'the head of the page is out of sight');
    const picture = async (look) => {
      if (pictures) await page.screenshot({ path: join(pictures, `${name}-${look}.png`), fullPage: true });
    };
    await picture('light');
    assert.deepEqual(await faults(page), []);
    await page.emulateMedia({ colorScheme: 'dark' });
    await picture('dark');
    assert.deepEqual(await faults(page, ['color-contrast', 'link-in-text-block']), []);
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize(kPaper);
    await page.emulateMedia({ media: 'print' });
    await page.waitForTimeout(100);
    await picture('print');
    await page.emulateMedia({ media: 'screen' });
    await page.setViewportSize(kPhone);
    await picture('phone');
    await page.waitForTimeout(100);
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wider <= 0, `${wider} pixels wider than the screen`);
    if (helpKey) {
      await page.keyboard.press(helpKey);
      await page.waitForSelector('#help');
    }
    assert.deepEqual(await faults(page), []);
    await page.context().close();
  }
}
