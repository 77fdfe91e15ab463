// The list of pairs in a link run: sorted, filtered, one page at a time.
import { html, nothing, type TemplateResult } from 'lit-html';
import { get, query, type Pair, type PairReview, type Pairs, type PairVerdict } from '../api';
import type { App, Shown } from '../app';
import { addressOf, listOf, type Place } from '../state';
import { counted, number, score, shown } from '../words';
import { choices, exportDecisions, listPages, remember, tools, undoStep } from './groups';

export const kPairsOfPage = 50;

const kSorts: [string, string][] = [
  ['', 'suggested first'],
  ['weakest', 'lowest score'],
  ['strongest', 'highest score'],
  ['order', 'input order'],
];
const kStates: [string, string][] = [
  ['', 'all'],
  ['open', 'not decided'],
  ['decided', 'decided'],
  ['changed', 'overruled'],
];
const kAnswers: [string, string][] = [
  ['', 'all'],
  ['linked', 'linked'],
  ['apart', 'not linked'],
];

export const kVerdictNames: Record<PairVerdict, string> = {
  none: '',
  match: 'same',
  different: 'different',
  unsure: 'unsure',
};

/** Address of the list page that contains a position. */
export function pairsAsked(place: Place, offset: number, limit: number): string {
  const { sort, state, answer, of, text } = place;
  return `v1/pairs${query({ sort, state, answer, group: of, text, offset, limit })}`;
}

export function probability(pair: Pair): TemplateResult {
  return pair.probability === null
    ? html`score ${score(pair.score)}`
    : html`probability ${score(pair.probability)}`;
}

/** The run's verdict on a pair, and a person's. */
export function tags(pair: Pair): TemplateResult {
  const word = pair.verdict === 'none' ? pair.said : pair.verdict;
  return html`<b class="tag ${pair.linked ? 'kept' : 'removed'}">${pair.linked ? 'linked' : 'not linked'}</b>
    ${word === 'none'
      ? nothing
      : html`<b class="tag ${pair.changed ? 'changed' : ''}">${pair.verdict === 'none' ? 'earlier' : 'you'}: ${kVerdictNames[word]}</b>`}`;
}

function filters(app: App): TemplateResult {
  const { sort, text, state, answer, of } = app.place;
  const apply = (event: Event) => {
    event.preventDefault();
    const fields = new FormData((event.target as HTMLElement).closest('form')!);
    const field = (name: string) => String(fields.get(name) ?? '');
    app.go({ view: 'pairs', of, sort: field('sort'), answer: field('answer'), text: field('text'), state: field('state') });
  };
  return html`<form class="row filters" role="search" @submit=${apply}>
    <label>Sort <select name="sort" @change=${apply}>${choices(kSorts, sort)}</select></label>
    <label>Pairs <select name="answer" @change=${apply}>${choices(kAnswers, answer)}</select></label>
    <label>Review <select name="state" @change=${apply}>${choices(kStates, state)}</select></label>
    <label>Text or id <input id="text" name="text" type="search" .value=${text} maxlength="200" /></label>
    <button type="submit">Filter</button>
    ${of === '' ? nothing : html`<a href=${addressOf({ ...listOf(app.place), of: '', view: 'pairs' })}>Pairs of all groups</a>`}
  </form>`;
}

function line(app: App, pair: Pair, at: number, selected: boolean): TemplateResult {
  const address = addressOf({ ...listOf(app.place), view: 'pair', pair: pair.pair, at });
  return html`<li class=${selected ? 'selected' : ''}>
    <a href=${address} data-at=${at} @click=${() => remember(app, at)} aria-current=${selected ? 'true' : nothing}>
      <span class="line" dir="auto">${shown(pair.line)}</span>
      ${pair.other_line === '' ? nothing : html`<span class="line" dir="auto">${shown(pair.other_line)}</span>`}
      <span class="facts">${tags(pair)} ${shown(pair.left_id)} and ${shown(pair.right_id)} · ${probability(pair)}${pair.suggested ? ' · suggested' : ''}</span>
    </a>
  </li>`;
}

export async function pairsView(app: App): Promise<Shown> {
  const { place } = app;
  const twin = pairsAsked(place, place.at, kPairsOfPage);
  const [list, review] = await Promise.all([get<Pairs>(twin), get<PairReview>('v1/decisions')]);
  let selected = Math.max(0, Math.min(place.row, list.pairs.length - 1));
  let isFound = selected === 0;
  const focus = () => document.querySelector<HTMLElement>(`[data-at="${list.offset + selected}"]`)?.focus();
  const select = (next: number) => {
    selected = Math.min(Math.max(0, next), list.pairs.length - 1);
    app.redraw();
    focus();
  };
  const open = () => {
    const pair = list.pairs[selected];
    if (pair === undefined) return;
    remember(app, list.offset + selected);
    app.go({ ...listOf(place), view: 'pair', pair: pair.pair, at: list.offset + selected });
  };
  return {
    title: 'Pairs',
    twin,
    ready: () => {
      if (!isFound) focus();
      isFound = true;
    },
    keys: {
      j: () => select(selected + 1),
      k: () => select(selected - 1),
      Enter: open,
      u: () => void undoStep(app),
      e: () => void exportDecisions(app),
      l: () => void exportDecisions(app, 'labels'),
      '/': () => document.getElementById('text')?.focus(),
    },
    template: () => html`<h1>${counted(list.matching, 'pair')}${list.matching === list.total ? '' : html` of ${number(list.total)}`}</h1>
      ${tools(app, review, () => void undoStep(app))} ${filters(app)}
      ${list.pairs.length === 0 ? html`<p>No pair matches.</p>` : nothing}
      <ol class="groups" start=${list.offset + 1}>
        ${list.pairs.map((pair, i) => line(app, pair, list.offset + i, i === selected))}
      </ol>
      ${listPages(app, list, list.pairs.length, kPairsOfPage)}`,
  };
}
