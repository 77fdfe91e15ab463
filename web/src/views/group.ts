// A group: its rows, their differences from the kept row, and a person's decision about each row.
import { html, nothing, type TemplateResult } from 'lit-html';
import {
  get, isOfLinks, post, query, type GroupDetail, type Groups, type Member, type PairReview, type Review,
  type RunInfo, type Step, type Verdict,
} from '../api';
import type { App, Shown } from '../app';
import { compared, fieldList, sideBySide } from '../diff';
import { inlined } from '../inlined';
import { addressOf, keepAddress, listOf } from '../state';
import { bytes, counted, number, score, shown } from '../words';
import { exportDecisions, tools, undoStep } from './groups';

const kRows = 20;
const kFirst = 3;  // rows shown before the others arrive: long rows may be far apart in compressed files
const kPage = 50;  // groups per page of the list

function texts(member: Member): TemplateResult {
  if (member.trouble !== undefined) return html`<p class="trouble">${shown(member.trouble)}</p>`;
  if (member.kept_by_run || member.kept_parts === undefined) {
    return member.parts === undefined ? html`` : html`<p>${compared(member.parts, 'del')}</p>`;
  }
  if (member.identical) return html`<p class="soft">The same as the kept row.</p>`;
  return sideBySide(
    { title: 'This row', body: compared(member.parts ?? [], 'del') },
    { title: 'The kept row', body: compared(member.kept_parts, 'ins') },
  );
}

function why(info: RunInfo, member: Member): TemplateResult {
  if (isOfLinks(info)) return html`best pair here: ${info.value} ${score(member.value)}`;
  if (member.of_against) return html`kept: a row of --against, which always wins`;
  if (member.kept_by_run) {
    const rule = info.overview.parameters.find((each) => each.name === 'keep')?.value ?? 'first';
    return html`kept by the run (<code>--keep ${rule}</code>)`;
  }
  const value = `${info.value} ${score(member.value)}`;
  if (member.identical) return html`removed by the run: identical`;
  if (member.is_chained) return html`removed by the run: chained, ${value} to the kept row is not enough by itself`;
  return html`removed by the run: verified, ${value}`;
}

function verdictName(member: Member): string {
  const names: Record<Verdict, string> = {
    none: '',
    keep: 'you: keep',
    remove: 'you: remove',
    not_duplicate: 'you: not a duplicate',
  };
  return names[member.verdict];
}

interface Actions {
  set(member: Member, verdict: Verdict): void;
  only(member: Member): void;
  decides: boolean;
}

function buttons(member: Member, actions: Actions): TemplateResult | typeof nothing {
  if (member.of_against || !actions.decides) return nothing;
  const button = (verdict: Verdict, name: string) =>
    html`<button type="button" aria-pressed=${member.verdict === verdict ? 'true' : 'false'}
      @click=${() => actions.set(member, member.verdict === verdict ? 'none' : verdict)}>${name}</button>`;
  return html`<div class="row">
    ${button('keep', 'Keep')} ${button('remove', 'Remove')} ${button('not_duplicate', 'Not a duplicate')}
    <button type="button" @click=${() => actions.only(member)}>Keep only this</button>
  </div>`;
}

function row(info: RunInfo, member: Member, selected: boolean, actions: Actions): TemplateResult {
  const verdict = verdictName(member);
  const state = isOfLinks(info) ? 'is-record' : member.kept ? 'is-kept' : 'is-removed';
  return html`<li class="member ${state} ${selected ? 'selected' : ''}"
    tabindex="-1" data-member=${member.member} aria-current=${selected ? 'true' : nothing}>
    <h2>
      ${isOfLinks(info) ? nothing : html`<b class="tag ${member.kept ? 'kept' : 'removed'}">${member.kept ? 'kept' : 'removed'}</b>`}
      ${shown(member.id)}
      ${member.is_weakest && !isOfLinks(info) ? html`<b class="tag">weakest edge</b>` : nothing}
      ${verdict ? html`<b class="tag changed">${verdict}</b>` : nothing}
    </h2>
    <p class="facts">${why(info, member)} · ${shown(member.file)}, row ${number(member.row)} · ${bytes(member.bytes)}${member.words === undefined ? nothing : html` · ${counted(member.words, 'word')}`}</p>
    ${texts(member)} ${fieldList(member.fields)} ${buttons(member, actions)}
  </li>`;
}

function component(info: RunInfo, group: GroupDetail): TemplateResult | typeof nothing {
  if (group.component === undefined || info.is_chained) return nothing;
  const { rows, kept } = group.component;
  if (rows <= group.rows) return nothing;
  return html`<p class="note">Without verification, connected components of shared buckets would have merged
    ${counted(rows, 'row')} here and kept one; ${number(kept)} of them are kept.</p>`;
}

/** The rows of a group that can be shown; a report leaves some out. */
function listedRows(group: GroupDetail): number {
  return group.listed ?? group.rows;
}

function pages(app: App, group: GroupDetail): TemplateResult | typeof nothing {
  const rows = listedRows(group);
  if (group.rows <= kRows) return nothing;
  const to = (at: number) => addressOf({ ...app.place, row: at });
  return html`<nav class="row" aria-label="Rows">
    ${group.offset > 0 ? html`<a href=${to(Math.max(0, group.offset - kRows))}>Previous rows</a>` : nothing}
    <span>rows ${number(group.offset + 1)} to ${number(group.offset + group.members.length)} of ${number(group.rows)}${rows < group.rows ? html`, of which this page has ${number(rows)}` : nothing}</span>
    ${group.offset + group.members.length < rows ? html`<a href=${to(group.offset + kRows)}>More rows</a>` : nothing}
  </nav>`;
}

/** The groups before and after this one in the list from which it was opened. */
async function neighbours(app: App): Promise<{ before?: number; behind?: number }> {
  const { sort, source, text, state, at, group } = app.place;
  const first = Math.max(0, at - 1);
  const list = await get<Groups>(`v1/groups${query({ sort, source, text, state, offset: first, limit: 3 })}`);
  const here = list.groups.findIndex((each) => each.group === group);
  // Once the group has been decided, a list filtered by state changes: the next group takes its place.
  if (here < 0) return { before: list.groups[at - first - 1]?.group, behind: list.groups[at - first]?.group };
  return { before: list.groups[here - 1]?.group, behind: list.groups[here + 1]?.group };
}

export async function groupView(app: App): Promise<Shown> {
  const info = app.info as RunInfo;
  const { place } = app;
  const twin = `v1/groups/${place.group}${query({ offset: place.row, limit: kRows })}`;
  const first = `v1/groups/${place.group}${query({ offset: place.row, limit: kFirst })}`;
  const [group, review, near] = await Promise.all([
    get<GroupDetail>(first), get<Review | PairReview>('v1/decisions'), neighbours(app),
  ]);
  const ofLinks = isOfLinks(info);
  const decides = !ofLinks && !info.read_only;  // in link runs, pairs are judged
  const onPage = Math.min(kRows, listedRows(group) - group.offset);
  let asksForRest = group.members.length < onPage;
  let selected = Math.min(1, group.members.length - 1);
  const back = addressOf({ ...listOf(place), view: 'groups', at: place.at - (place.at % kPage), row: place.at % kPage });
  const moveTo = (number: number | undefined, step: number) => {
    if (number === undefined) return app.say('There is no further group in this list.');
    const gone = place.state !== '' && step > 0 && stale;
    app.go({ ...listOf(place), view: 'group', group: number, at: Math.max(0, place.at + (gone ? 0 : step)) });
  };
  let stale = false;
  const select = (next: number) => {
    selected = Math.min(Math.max(0, next), group.members.length - 1);
    app.redraw();
    const target = document.querySelector<HTMLElement>(`[data-member="${group.members[selected]?.member}"]`);
    target?.focus();
  };
  const send = async (request: unknown): Promise<boolean> => {
    try {
      Object.assign(review, await post<Step>('v1/decisions', request));
      Object.assign(group, await get<GroupDetail>(twin));
      stale = true;
      app.redraw();
      return true;
    } catch (error) {
      app.say((error as Error).message);
      return false;
    }
  };
  let restFailed = false;
  const addRest = async () => {
    if (!asksForRest) return;
    asksForRest = false;
    restFailed = false;
    try {
      const all = await get<GroupDetail>(twin);
      if (!stale) Object.assign(group, all);
    } catch (error) {
      restFailed = true;
      app.say((error as Error).message);
    }
    app.redraw();
  };
  const askAgain = () => {
    asksForRest = true;
    void addRest();
  };
  const rest = () => {
    const missing = counted(onPage - group.members.length, 'more row', 'more rows');
    return restFailed
      ? html`<p><button type="button" @click=${askAgain}>Load ${missing}</button></p>`
      : html`<p class="soft">Loading ${missing} …</p>`;
  };
  const actions: Actions = {
    decides,
    set: (member, verdict) => void send({ members: [member.member], verdict }),
    only: (member) => void send({ only: member.member }),
  };
  const chosen = (act: (member: Member) => void) => () => {
    const member = group.members[selected];
    if (member === undefined) return;
    if (ofLinks) return app.say('Judge the pairs of this group: Enter lists them.');
    if (member.of_against || !decides) return app.say('This row cannot be changed.');
    act(member);
  };
  const judge = () => app.go({ view: 'pairs', of: String(group.group) });
  const agree = async () => {
    if (ofLinks) return judge();
    if (info.read_only || (await send({ groups: [group.group], verdict: 'agree' }))) moveTo(near.behind, 1);
  };
  return {
    title: `Group of ${group.kept_id}`,
    twin,
    ready: () => void addRest(),
    keys: {
      j: () => select(selected + 1),
      k: () => select(selected - 1),
      ' ': chosen((member) => actions.set(member, member.kept ? 'remove' : 'keep')),
      d: chosen((member) => actions.set(member, member.verdict === 'not_duplicate' ? 'none' : 'not_duplicate')),
      o: chosen((member) => actions.only(member)),
      n: () => moveTo(near.behind, 1),
      p: () => moveTo(near.before, -1),
      u: inlined === undefined ? () => void undoStep(app) : undefined,
      e: inlined === undefined ? () => void exportDecisions(app) : undefined,
      l: ofLinks ? () => void exportDecisions(app, 'labels') : undefined,
      Enter: () => void agree(),
      Escape: () => {
        keepAddress(back);
        void app.reload();
      },
    },
    template: () => html`<p><a href=${back}>Back to the list</a></p>
      <h1>${counted(group.rows, ofLinks ? 'record' : 'row')}: ${shown(group.line || group.kept_id)}</h1>
      <p class="facts">${ofLinks ? 'weakest pair' : `${bytes(group.saved_bytes)} saved · weakest`} ${group.value} ${score(group.weakest)}
        ${group.sources.map((name, i) => html`${i > 0 ? ', ' : '· '}${shown(name)}`)}
        ${group.reviewed ? html`<b class="tag">reviewed</b>` : nothing}</p>
      ${component(info, group)} ${inlined === undefined
        ? tools(app, review, () => void undoStep(app))
        : html`<p class="soft">A report compares the words only of the removals nearest the threshold.</p>`}
      ${group.members.some((member) => member.kept) || group.offset > 0 || group.members.length < onPage
        ? nothing
        : html`<p class="trouble">No row of this group is kept.</p>`}
      <ol class="members">
        ${group.members.map((member, i) => row(info, member, i === selected, actions))}
      </ol>
      ${group.members.length < onPage ? rest() : pages(app, group)}
      <div class="row">
        <button type="button" @click=${() => moveTo(near.before, -1)} ?disabled=${near.before === undefined}>Previous <kbd>p</kbd></button>
        <button type="button" class="primary" @click=${() => void agree()}>${inlined !== undefined ? 'Next group' : ofLinks ? 'Judge its pairs' : 'Agree, next'} <kbd>Enter</kbd></button>
        <button type="button" @click=${() => moveTo(near.behind, 1)} ?disabled=${near.behind === undefined}>Next <kbd>n</kbd></button>
      </div>`,
  };
}
