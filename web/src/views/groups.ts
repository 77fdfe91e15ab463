// The list of groups: sorted, filtered, one page at a time; all groups can be decided at once.
import { html, nothing, type TemplateResult } from 'lit-html';
import {
  download, get, isOfLinks, post, query, type Group, type Groups, type PairReview, type Review, type RunInfo, type Step,
} from '../api';
import type { App, Shown } from '../app';
import { copyBlock } from '../copy';
import { inlined } from '../inlined';
import { addressOf, keepAddress, listOf } from '../state';
import { bytes, counted, number, score, shown } from '../words';

const kPage = 50;

const kSorts: [string, string][] = [
  ['size', 'most rows'],
  ['saved', 'most saved bytes'],
  ['weakest', 'least similar'],
  ['order', 'input order'],
];
const kLinkSorts: [string, string][] = [
  ['size', 'most records'],
  ['weakest', 'weakest pair'],
  ['order', 'input order'],
];
const kReportSorts = kSorts.filter(([name]) => name !== 'order');
const kStates: [string, string][] = [
  ['', 'all'],
  ['open', 'not reviewed'],
  ['reviewed', 'reviewed'],
  ['changed', 'changed'],
];
const kBulk: [string, string][] = [
  ['agree', 'agree with the run'],
  ['not_duplicate', 'these rows are not duplicates'],
  ['keep', 'keep these rows'],
  ['none', 'forget what was decided'],
];

const figure = (name: string, value: number) => `${name} ${value.toFixed(3)}`;

/** Quality of the links according to the labels so far, and whether it can be relied on. */
function estimated({ estimate }: PairReview): TemplateResult {
  if (estimate === null) {
    return html`<p class="facts">Precision and recall are not shown: the run holds no model, or an older version saved it.</p>`;
  }
  const { labels, precision = 0, recall = 0, f1 = 0, error = 0, confidence, confidence_reasons: reasons } = estimate;
  return html`<p class="facts estimate">${labels === 0
    ? 'No labels yet. '
    : `By ${counted(labels, 'label')}: ${figure('precision', precision)}, ${figure('recall', recall)}, ${figure('F1', f1)} ± ${(2 * error).toFixed(3)}. `}
    Confidence <b>${confidence}</b>${reasons.length === 0
      ? nothing
      : html`: ${shown(reasons.join('; '))}`}</p>`;
}

function pairProgress(review: PairReview): TemplateResult {
  return html`<p class="progress">
    <progress aria-label="Pairs decided" max=${review.pairs || 1} .value=${review.decided_pairs}></progress>
    ${number(review.decided_pairs)} of ${counted(review.pairs, 'pair')} decided: ${number(review.matches)} same,
    ${number(review.different)} different, ${number(review.unsure)} unsure; ${number(review.changed_pairs)} overrule the run
  </p>`;
}

export function progress(review: Review | PairReview): TemplateResult {
  if ('pairs' in review) return pairProgress(review);
  return html`<p class="progress">
    <progress aria-label="Groups reviewed" max=${review.groups || 1} .value=${review.reviewed_groups}></progress>
    ${number(review.reviewed_groups)} of ${counted(review.groups, 'group')} reviewed,
    ${number(review.changed_groups)} changed${review.kept_more === 0
      ? nothing
      : html`: ${counted(Math.abs(review.kept_more), `row ${review.kept_more > 0 ? 'more' : 'less'}`, `rows ${review.kept_more > 0 ? 'more' : 'less'}`)} kept`}
  </p>`;
}

type Export = 'decisions' | 'labels';
let exported: Export | undefined;  // if set, the next step is shown below the tools

/** Saves the decisions (for a link run, also as labels) and shows the command that applies them. */
export async function exportDecisions(app: App, as: Export = 'decisions'): Promise<void> {
  try {
    await download(`v1/decisions/export${query({ format: 'tsv', as })}`, `${as}.tsv`);
  } catch (error) {
    return app.say((error as Error).message);
  }
  exported = as;
  app.say(`${as}.tsv is saved where the browser saves files.`);
  document.getElementById('apply')?.focus();
}

/** The command that writes the decisions. */
export function applyDecisions(app: App): TemplateResult {
  const command = (app.info as RunInfo).overview.apply;
  if (command !== undefined && isOfLinks(app.info)) {
    return html`<p>Move <code>decisions.tsv</code> to the folder in which the run was made; there this command links again, and
        decided pairs are linked or not as you said.</p>
      ${copyBlock(app, 'The command', command)}`;
  }
  if (command === undefined) {
    return html`<p>The command of the run, with <code>--reuse decisions.tsv</code> and another output, writes the rows that are
      kept by then.</p>`;
  }
  return html`<p>Move <code>decisions.tsv</code> to the folder in which the run was made; there this command writes the rows
      that are kept by then. It reads the inputs again, and leaves the run alone.</p>
    ${copyBlock(app, 'The command', command)}`;
}

/** The command that learns from the decisions, for all pairs. */
export function learnLabels(app: App): TemplateResult {
  return html`<p>With <code>labels.tsv</code> there, this command also learns from them: labels choose the model and the cut, and
      tell how good the links are.</p>
    ${copyBlock(app, 'The command', (app.info as RunInfo).overview.learn ?? '')}`;
}

function nextStep(app: App): TemplateResult | typeof nothing {
  if (exported === undefined) return nothing;
  const close = () => {
    exported = undefined;
    app.redraw();
  };
  const title = exported === 'labels' ? 'Learn from the labels' : 'Apply the decisions';
  return html`<section id="apply" class="note" tabindex="-1" aria-label=${title}>
    <h2>${title}</h2>
    ${exported === 'labels' ? learnLabels(app) : applyDecisions(app)} <button type="button" @click=${close}>Close</button>
  </section>`;
}

export function tools(app: App, review: Review | PairReview, undo: () => void): TemplateResult {
  const info = app.info as RunInfo;
  return html`<div class="row">
    ${progress(review)}
    <button type="button" @click=${undo} ?disabled=${review.steps === 0 || info.read_only}>Undo <kbd>u</kbd></button>
    <button type="button" class="primary" @click=${() => void exportDecisions(app)}>Export decisions <kbd>e</kbd></button>
    ${isOfLinks(info) ? html`<button type="button" @click=${() => void exportDecisions(app, 'labels')}>Export labels <kbd>l</kbd></button>` : nothing}
  </div>
  ${'pairs' in review ? estimated(review) : nothing}
  ${nextStep(app)}`;
}

export async function undoStep(app: App): Promise<void> {
  try {
    const step = await post<Step>('v1/decisions', { undo: true });
    await app.reload();
    app.say(step.undone ? 'The last step is undone.' : 'There is nothing to undo.');
  } catch (error) {
    app.say((error as Error).message);
  }
}

export function choices(list: [string, string][], chosen: string): TemplateResult[] {
  return list.map(([value, name]) => html`<option value=${value} ?selected=${value === chosen}>${name}</option>`);
}

function filters(app: App): TemplateResult {
  const info = app.info as RunInfo;
  const { sort, source, text, state } = app.place;
  const apply = (event: Event) => {
    event.preventDefault();
    const form = (event.target as HTMLElement).closest('form')!;
    const fields = new FormData(form);
    const field = (name: string) => String(fields.get(name) ?? '');
    app.go({ view: 'groups', sort: field('sort'), source: field('source'), text: field('text'), state: field('state') });
  };
  return html`<form class="row filters" role="search" @submit=${apply}>
    <label>Sort <select name="sort" @change=${apply}>${choices(isOfLinks(info) ? kLinkSorts : inlined !== undefined ? kReportSorts : kSorts, sort || 'size')}</select></label>
    ${inlined !== undefined
      ? nothing
      : html`<label>Input <select name="source" @change=${apply}>
          <option value="">all</option>
          ${info.sources.map((each) => html`<option value=${each.name} ?selected=${each.name === source}>${each.name} (${number(each.groups)})</option>`)}
        </select></label>`}
    ${isOfLinks(info) || inlined !== undefined
      ? nothing
      : html`<label>Review <select name="state" @change=${apply}>${choices(kStates, state)}</select></label>`}
    <label>Text or id <input id="text" name="text" type="search" .value=${text} maxlength="200" /></label>
    <button type="submit">Filter</button>
  </form>`;
}

/** Keeps the position of the open group in the address, so that Escape and Back return to it. */
export function remember(app: App, at: number): void {
  keepAddress(addressOf({ ...app.place, row: at - app.place.at }), 'replaceState');
}

function line(app: App, group: Group, at: number, selected: boolean): TemplateResult {
  const address = addressOf({ ...listOf(app.place), view: 'group', group: group.group, at });
  return html`<li class=${selected ? 'selected' : ''}>
    <a href=${address} data-at=${at} @click=${() => remember(app, at)} aria-current=${selected ? 'true' : nothing}>
      <span class="line" dir="auto">${shown(group.line || group.kept_id)}</span>
      <span class="facts">
        ${isOfLinks(app.info)
          ? html`${counted(group.rows, 'record')} · weakest pair ${score(group.weakest)} · ${shown(group.kept_id)}`
          : html`${counted(group.rows, 'row')} · ${bytes(group.saved_bytes)} saved · weakest ${score(group.weakest)}
            · kept ${shown(group.kept_id)}`}
        ${group.changed ? html`<b class="tag changed">changed</b>` : group.reviewed ? html`<b class="tag">reviewed</b>` : nothing}
      </span>
    </a>
  </li>`;
}

/** Links to the other pages of a list with this many entries per page. */
export function listPages(app: App, list: { matching: number; offset: number }, shown: number, page: number): TemplateResult | typeof nothing {
  if (list.matching <= page) return nothing;
  const to = (at: number) => addressOf({ ...listOf(app.place), view: app.place.view, at });
  const last = Math.floor((list.matching - 1) / page) * page;
  return html`<nav class="row" aria-label="Pages">
    ${list.offset > 0 ? html`<a href=${to(0)}>First</a> <a href=${to(Math.max(0, list.offset - page))}>Previous</a>` : nothing}
    <span>${number(list.offset + 1)} to ${number(list.offset + shown)} of ${number(list.matching)}</span>
    ${list.offset < last ? html`<a href=${to(list.offset + page)}>Next</a> <a href=${to(last)}>Last</a>` : nothing}
  </nav>`;
}

/** A single verdict for all groups in the list, with a preview. */
function bulk(app: App, list: Groups): TemplateResult | typeof nothing {
  const info = app.info as RunInfo;
  if (info.read_only || isOfLinks(info)) return nothing;
  const { source, text, state } = app.place;
  const ask = async (event: Event, preview: boolean) => {
    event.preventDefault();
    const form = new FormData((event.target as HTMLElement).closest('form')!);
    const below = String(form.get('below') ?? '');
    const request = {
      all: { source, text, state },
      verdict: String(form.get('verdict')),
      ...(below === '' ? {} : { below: Number(below) }),
      ...(preview ? { preview: true } : {}),
    };
    try {
      const step = await post<Step>('v1/decisions', request);
      const effect = `${counted(step.step_rows ?? 0, 'row')} in ${counted(step.step_groups ?? 0, 'group')}`;
      if (!preview) await app.reload();
      app.say(preview ? `This would change ${effect}.` : `Changed ${effect}. Undo takes it back.`);
    } catch (error) {
      app.say((error as Error).message);
    }
  };
  return html`<details class="bulk">
    <summary>Decide about all ${counted(list.matching, 'group')} of this list</summary>
    <form class="row" @submit=${(event: Event) => void ask(event, true)}>
      <label>Decision <select name="verdict">${choices(kBulk, 'agree')}</select></label>
      <label>only rows ${info.is_similarity ? 'below' : 'beyond'} ${info.value}
        <input name="below" type="number" step="any" inputmode="decimal" /></label>
      <button type="submit">Preview</button>
      <button type="button" class="primary" @click=${(event: Event) => void ask(event, false)}>Apply</button>
    </form>
  </details>`;
}

/** The groups for which a report has no space. */
function leftOut(list: Groups): TemplateResult | typeof nothing {
  const listed = inlined?.groups.length ?? 0;
  if (listed >= list.total) return nothing;
  return html`<p class="note">This page has the ${counted(listed, 'largest group')} and leaves ${number(list.total - listed)} out.
    Save the run (<code>--save RUN</code>), and <code>sosie serve RUN</code> shows all.</p>`;
}

export async function groupsView(app: App): Promise<Shown> {
  const { sort, source, text, state, at } = app.place;
  const twin = `v1/groups${query({ sort, source, text, state, offset: at, limit: kPage })}`;
  const [list, review] = await Promise.all([get<Groups>(twin), get<Review | PairReview>('v1/decisions')]);
  let selected = Math.max(0, Math.min(app.place.row, list.groups.length - 1));
  let isFound = selected === 0;
  const focus = () => document.querySelector<HTMLElement>(`[data-at="${list.offset + selected}"]`)?.focus();
  const select = (next: number) => {
    selected = Math.min(Math.max(0, next), list.groups.length - 1);
    app.redraw();
    focus();
  };
  const open = () => {
    const group = list.groups[selected];
    if (group === undefined) return;
    remember(app, list.offset + selected);
    app.go({ ...listOf(app.place), view: 'group', group: group.group, at: list.offset + selected });
  };
  return {
    title: 'Groups',
    twin,
    ready: () => {
      if (!isFound) focus();
      isFound = true;
    },
    keys: {
      j: () => select(selected + 1),
      k: () => select(selected - 1),
      Enter: open,
      u: inlined === undefined ? () => void undoStep(app) : undefined,
      e: inlined === undefined ? () => void exportDecisions(app) : undefined,
      l: isOfLinks(app.info) ? () => void exportDecisions(app, 'labels') : undefined,
      '/': () => document.getElementById('text')?.focus(),
    },
    template: () => html`<h1>${counted(list.matching, 'group')}${list.matching === list.total ? '' : html` of ${number(list.total)}`}</h1>
      ${inlined === undefined ? tools(app, review, () => void undoStep(app)) : leftOut(list)} ${filters(app)} ${bulk(app, list)}
      ${list.groups.length === 0 ? html`<p>No group matches.</p>` : nothing}
      <ol class="groups" start=${list.offset + 1}>
        ${list.groups.map((group, i) => line(app, group, list.offset + i, i === selected))}
      </ol>
      ${listPages(app, list, list.groups.length, kPage)}`,
  };
}
