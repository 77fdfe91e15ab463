// Starts the page, follows the address, and shows one view at a time.
import './style.css';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { get, isOfLinks, ServerError, setToken, type IndexInfo, type RunInfo } from './api';
import type { App, Shown } from './app';
import { helpView, listenToKeys } from './keys';
import { inlined } from './inlined';
import { dataNames } from './words';
import { address, addressOf, kMark, keepAddress, placeOf, type View } from './state';
import { groupView } from './views/group';
import { groupsView } from './views/groups';
import { healthView } from './views/health';
import { overviewView } from './views/overview';
import { pairView } from './views/pair';
import { pairsView } from './views/pairs';
import { searchView } from './views/search';
import { tunerView } from './views/tuner';

const kViews: Record<View, (app: App) => Promise<Shown>> = {
  overview: overviewView,
  groups: groupsView,
  group: groupView,
  pairs: pairsView,
  pair: pairView,
  tuner: tunerView,
  search: searchView,
  index: healthView,
};

export function isRun(info: RunInfo | IndexInfo): info is RunInfo {
  return info.type === 'run';
}

const root = document.getElementById('page')!;
root.replaceChildren();
let current: Shown | undefined;
let message = '';
let helpOpen = false;
let asked = 0;
let shownOf = 0;

const app: App = {
  info: {} as IndexInfo,
  place: placeOf(address()),
  go(place) {
    const next = addressOf(place);
    if (next !== address()) keepAddress(next);
    void follow(true);
  },
  redraw: () => draw(),
  reload: () => follow(false),
  say(text) {
    message = text;
    draw();
  },
};

function viewLink(view: View, name: string): TemplateResult {
  const here = app.place.view === view || app.place.view === view.replace(/s$/, '');
  return html`<a href=${addressOf({ view })} aria-current=${here ? 'page' : nothing}>${name}</a>`;
}

/** A link report has everything on its first page, which has no shortcuts. */
function hasOneView(): boolean {
  return inlined !== undefined && isOfLinks(app.info);
}

/** The key that lists all keys. */
function helpKey(): string {
  return isOfLinks(app.info) ? 'h' : '?';
}

function navigation(): TemplateResult {
  return isRun(app.info)
    ? html`${viewLink('overview', 'Overview')}
      ${isOfLinks(app.info) && !hasOneView() ? viewLink('pairs', 'Pairs') : nothing}
      ${hasOneView() ? nothing : viewLink('groups', 'Groups')}
      ${isOfLinks(app.info) || inlined !== undefined ? nothing : viewLink('tuner', 'Tuner')}`
    : html`${viewLink('index', 'Index')} ${viewLink('search', 'Search')}`;
}

function reportFoot(info: RunInfo): TemplateResult {
  const { version, recipe } = info.overview;
  return html`<span>sosie ${version}${recipe === undefined ? '' : `, recipe ${recipe}`}. This file asks for nothing: all that it shows is in it.</span>`;
}

function draw(): void {
  const shown = current;
  render(
    html`<header>
        <a class="skip" href="#main">To the content</a>
        <strong class="brand">Sosie</strong>
        <nav aria-label="Views">${navigation()}</nav>
        ${hasOneView()
          ? nothing
          : html`<button type="button" @click=${toggleHelp} aria-expanded=${helpOpen ? 'true' : 'false'}>Keys <kbd>${helpKey()}</kbd></button>`}
      </header>
      ${helpOpen ? helpView(toggleHelp, isOfLinks(app.info)) : nothing}
      <main id="main" tabindex="-1">${shown ? shown.template() : html`<p>Loading …</p>`}</main>
      <p class="message" role="status" aria-live="polite">${message}</p>
      <footer>
        ${inlined !== undefined ? reportFoot(app.info as RunInfo) : shown ? html`<a href=${shown.twin}>This view as JSON</a>` : nothing}
        ${isRun(app.info) && inlined === undefined
          ? html`<span>Nothing is deleted: decisions are exported, and one command applies them (see Overview).</span>`
          : nothing}
      </footer>`,
    root,
  );
}

function toggleHelp(): void {
  helpOpen = !helpOpen;
  draw();
  if (helpOpen) document.getElementById('help')?.focus();
}

function failed(error: unknown): Shown {
  const needsToken = error instanceof ServerError && error.status === 401;
  const reason = error instanceof Error ? error.message : String(error);
  const enter = (event: Event) => {
    event.preventDefault();
    setToken(String(new FormData(event.target as HTMLFormElement).get('token')));
    void start();
  };
  return {
    title: 'Not available',
    twin: 'v1/info',
    template: () =>
      needsToken
        ? html`<h1>A token is needed</h1>
            <form @submit=${enter} class="row">
              <label>Token <input name="token" type="password" autocomplete="off" required /></label>
              <button type="submit">Open</button>
            </form>`
        : html`<h1>This cannot be shown</h1>
            <p role="alert">${reason}</p>
            <p><a href=${addressOf({ view: isRun(app.info) ? 'overview' : 'index' })}>To the first page</a></p>`,
  };
}

/** Shows the view at the current address. */
async function follow(fresh: boolean): Promise<void> {
  const request = ++asked;
  app.place = placeOf(address());
  if (!isRun(app.info) && app.place.view === 'overview') app.place.view = 'index';
  if (hasOneView()) app.place.view = 'overview';
  if (fresh) message = '';
  const waits = setTimeout(() => root.setAttribute('aria-busy', 'true'), 150);
  let shown: Shown;
  try {
    shown = await kViews[app.place.view](app);
  } catch (error) {
    shown = failed(error);
  }
  clearTimeout(waits);
  if (request !== asked) return;
  root.removeAttribute('aria-busy');
  shownOf = request;
  current = shown;
  document.title = `${shown.title} · ${inlined === undefined ? 'Sosie' : `Sosie: ${dataNames(inlined.info)}`}`;
  draw();
  if (fresh && document.activeElement === document.body) {
    document.getElementById('main')?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }
  shown.ready?.();
}

async function start(): Promise<void> {
  try {
    app.info = await get<RunInfo | IndexInfo>('v1/info');
  } catch (error) {
    current = failed(error);
    draw();
    return;
  }
  await follow(true);
}

// Links to other views change the address without reloading the page.
document.addEventListener('click', (event) => {
  const link = (event.target as Element).closest('a');
  const plain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey;
  if (!plain || link === null) return;
  if (link.className === 'skip') {
    event.preventDefault();
    return document.getElementById('main')?.focus();
  }
  const next = link.getAttribute('href');
  if (!next?.startsWith(kMark)) return;
  event.preventDefault();
  keepAddress(next);
  window.scrollTo(0, 0);
  void follow(true);
});
window.addEventListener('popstate', () => void follow(true));
// Charts are drawn for a given width and colour scheme.
const drawAgain = () => requestAnimationFrame(() => current?.ready?.());
window.addEventListener('resize', drawAgain);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawAgain);
matchMedia('print').addEventListener('change', () => current?.ready?.());
// Ignores keys pressed while the next view loads, which are not meant for the previous view.
listenToKeys(() => {
  const help = hasOneView() ? {} : { [helpKey()]: toggleHelp };
  if (helpOpen) return { Escape: toggleHelp, ...help };
  return { ...(shownOf === asked ? current?.keys : {}), ...help };
});
void start();
