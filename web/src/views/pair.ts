// A pair in a link run: both records side by side, and whether they are the same entity.
import { html, nothing, type TemplateResult } from 'lit-html';
import {
  get, post, type PairDetail, type PairField, type PairRecord, type PairReview, type Pairs, type PairStep,
  type PairVerdict, type Part, type RunInfo,
} from '../api';
import type { App, Shown } from '../app';
import { copyBlock } from '../copy';
import { compared } from '../diff';
import { fallBar, signed, span } from '../pieces';
import { addressOf, keepAddress, listOf } from '../state';
import { number, score, shown } from '../words';
import { exportDecisions, tools } from './groups';
import { kPairsOfPage, kVerdictNames, pairsAsked, probability, tags } from './pairs';

function side(parts: Part[]): TemplateResult {
  return parts.length === 0 ? html`<span class="soft">empty</span>` : compared(parts, 'mark');
}

function fieldRow(field: PairField, more: TemplateResult | typeof nothing): TemplateResult {
  const { name, other_name: other = '', same } = field;
  return html`<tr class=${same ? 'same' : 'differs'}>
    <th scope="row">${shown(name)}${other !== '' && other !== name ? html` / ${shown(other)}` : nothing}
      <span class="sign">${same ? '=' : '≠'}</span></th>
    <td>${side(field.left)}</td><td>${side(field.right)}</td>${more}
  </tr>`;
}

/** Fields of two records side by side; if levels of agreement are known, also the sum of their bits. */
export function sideBySideFields(heads: TemplateResult[], fields: PairField[]): TemplateResult {
  const hasBits = fields.some((field) => field.bits !== undefined);
  const sums = [0];
  for (const { bits = 0 } of fields) sums.push(sums.at(-1)! + bits);
  const axis = span(sums);
  const more = ({ level, bits }: PairField, i: number) => level === undefined
    ? nothing
    : html`<td>${shown(level)}</td>${hasBits
        ? html`<td>${bits === undefined ? nothing : html`${signed(bits)} ${fallBar(sums[i]!, sums[i + 1]!, axis)}`}</td>`
        : nothing}`;
  return html`<table class="compare">
    <thead><tr><th scope="col">Field</th>${heads}
      ${fields[0]?.level === undefined ? nothing : html`<th scope="col">Level</th>`}
      ${hasBits ? html`<th scope="col">Bits, and their sum</th>` : nothing}</tr></thead>
    <tbody>${fields.map((field, i) => fieldRow(field, more(field, i)))}</tbody>
  </table>`;
}

function recordHead(record: PairRecord, group: number | null): TemplateResult {
  return html`<th scope="col"><b>${shown(record.id)}</b>
    <small>${shown(record.file)}, row ${number(record.row)}${group === null
      ? nothing
      : html` · <a href=${addressOf({ view: 'group', group })}>group of ${number(record.group_rows)}</a>`}</small>
    ${record.trouble === undefined ? nothing : html`<p class="trouble">${shown(record.trouble)}</p>`}</th>`;
}

/** The pair at a position in the list, if there is one. */
async function pairAt(app: App, at: number): Promise<number | undefined> {
  if (at < 0) return undefined;
  return (await get<Pairs>(pairsAsked(app.place, at, 1))).pairs[0]?.pair;
}

/** True if a decision removes its pair from the list. */
const leaves = (place: App['place']) => place.state === 'open' || place.state === 'changed';

/** Undoes a step, and shows the pair to which it belonged. */
async function undoPair(app: App): Promise<void> {
  const step = await post<PairStep>('v1/decisions', { undo: true });
  if (step.undone !== true || step.pair === undefined) return app.say('There is nothing to undo.');
  const at = leaves(app.place) || app.place.pair === step.pair ? app.place.at : app.place.at - 1;
  app.go({ ...listOf(app.place), view: 'pair', pair: step.pair, at: Math.max(0, at) });
  app.say('The last step is undone.');
}

function nothingLeft(app: App, review: PairReview): Shown {
  const undo = () => void undoPair(app).catch((error: Error) => app.say(error.message));
  return {
    title: 'No pair',
    twin: 'v1/decisions',
    keys: { u: undo, e: () => void exportDecisions(app), l: () => void exportDecisions(app, 'labels') },
    template: () => html`<h1>No pair is left in this list</h1>
      ${tools(app, review, undo)}
      <p><a href=${addressOf({ view: 'pairs' })}>All pairs</a></p>`,
  };
}

export async function pairView(app: App): Promise<Shown> {
  const info = app.info as RunInfo;
  const { place } = app;
  if (place.pair === undefined) {
    place.pair = await pairAt(app, place.at);
    if (place.pair === undefined) return nothingLeft(app, await get<PairReview>('v1/decisions'));
    keepAddress(addressOf(place), 'replaceState');
  }
  const twin = `v1/pairs/${place.pair}`;
  const [pair, review] = await Promise.all([get<PairDetail>(twin), get<PairReview>('v1/decisions')]);
  const back = addressOf({ ...listOf(place), view: 'pairs', at: place.at - (place.at % kPairsOfPage), row: place.at % kPairsOfPage });
  let isBusy = false;  // a key pressed before the next pair appears is not meant for this one
  const guarded = (act: () => Promise<void>) => () => {
    if (isBusy) return;
    isBusy = true;
    void act().catch((error: Error) => app.say(error.message)).finally(() => { isBusy = false; });
  };
  const moveTo = async (at: number) => {
    const next = await pairAt(app, at);
    if (next === undefined && place.state === 'open' && at > 0) return app.go({ ...listOf(place), view: 'pair', at: 0 });
    if (next === undefined) return app.say('There is no further pair in this list.');
    app.go({ ...listOf(place), view: 'pair', pair: next, at });
  };
  const isListed = place.state === 'open' ? pair.verdict === 'none' && pair.said === 'none' : place.state !== 'changed' || pair.changed;
  const decide = (verdict: PairVerdict) => async () => {
    if (info.read_only) return app.say('This run is served read-only.');
    const isNew = pair.verdict !== verdict;
    if (isNew) await post<PairStep>('v1/decisions', { pairs: [pair.pair], verdict });
    await moveTo(place.at + (isListed && !(isNew && leaves(place)) ? 1 : 0));
    app.say(`${pair.left_id} and ${pair.right_id}: ${kVerdictNames[verdict]}${isNew ? '. Undo (u) takes it back.' : ', as before.'}`);
    if (app.place.pair === pair.pair) await app.reload();
  };
  const button = (verdict: PairVerdict, name: string, key: string) =>
    html`<button type="button" class=${pair.verdict === verdict ? 'primary' : ''} ?disabled=${info.read_only}
      aria-pressed=${pair.verdict === verdict ? 'true' : 'false'} @click=${guarded(decide(verdict))}>${name} <kbd>${key}</kbd></button>`;
  return {
    title: `${pair.left_id} and ${pair.right_id}`,
    twin,
    keys: {
      y: guarded(decide('match')),
      n: guarded(decide('different')),
      '?': guarded(decide('unsure')),
      Enter: guarded(decide(pair.linked ? 'match' : 'different')),
      j: guarded(() => moveTo(place.at + (isListed ? 1 : 0))),
      k: guarded(() => moveTo(place.at - 1)),
      u: guarded(() => undoPair(app)),
      e: () => void exportDecisions(app),
      l: () => void exportDecisions(app, 'labels'),
      Escape: () => {
        keepAddress(back);
        void app.reload();
      },
    },
    template: () => html`<p><a href=${back}>Back to the list</a></p>
      <h1>Are these the same?</h1>
      <p class="facts">${tags(pair)} ${probability(pair)} ${pair.probability === null || info.value !== 'probability' ? nothing : html` · ${score(pair.score)} bits`}${pair.suggested ? ' · suggested: its answer tells much' : ''}</p>
      ${sideBySideFields([recordHead(pair.left, pair.left_group), recordHead(pair.right, pair.right_group)], pair.fields)}
      <div class="row verdicts">
        ${button('match', 'Same', 'y')} ${button('different', 'Different', 'n')} ${button('unsure', 'Unsure', '?')}
        <button type="button" ?disabled=${info.read_only} @click=${guarded(decide(pair.linked ? 'match' : 'different'))}>
          As the run says <kbd>Enter</kbd></button>
        <button type="button" @click=${guarded(() => moveTo(place.at - 1))} ?disabled=${place.at === 0}>Previous <kbd>k</kbd></button>
        <button type="button" @click=${guarded(() => moveTo(place.at + (isListed ? 1 : 0)))}>Next <kbd>j</kbd></button>
      </div>
      ${tools(app, review, guarded(() => undoPair(app)))}
      ${pair.explain === undefined
        ? nothing
        : html`<details><summary>Why the run decided so</summary>
            <p>In the folder where the run was made, this command explains each field:</p>
            ${copyBlock(app, 'The command', pair.explain)}</details>`}`,
  };
}
