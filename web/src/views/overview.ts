// The kept and removed rows, by input, size and similarity.
import { html, nothing, svg, type TemplateResult } from 'lit-html';
import { get, isOfLinks, type Counts, type Histogram, type Review, type RunInfo } from '../api';
import type { App, Shown } from '../app';
import { chartOf, type Chart } from '../chart';
import { addressOf } from '../state';
import { compared, fieldList, sideBySide } from '../diff';
import { inlined, resources, type ClosePair, type CloseRow, type ListedGroup } from '../inlined';
import { card, repeatCommand, scrolled } from '../pieces';
import { bytes, counted, dataNames, number, percent, share, shown } from '../words';
import { applyDecisions } from './groups';
import { linksOverview } from './links';

const kOpenPairs = 3;  // pairs shown without a click

/** Label for rows without any difference. */
function sameName(info: RunInfo): string {
  return ['text', 'sets', 'bags'].includes(info.kind) ? 'same text' : 'identical';
}

/** Label for removed rows that are not copies. */
function nearName(info: RunInfo): string {
  return info.overview.summary.removes_holders ? 'holding an item' : 'near-duplicates';
}

function cards(info: RunInfo): TemplateResult {
  const s = info.overview.summary;
  const review = info.review as Review | undefined;
  return html`<dl class="cards">
    ${card('Rows', number(s.rows), bytes(s.bytes))}
    ${card(info.overview.dry_run ? 'Would be kept' : 'Kept', number(s.kept), share(s.kept, s.rows))}
    ${card('Removed', number(s.removed), share(s.removed, s.rows))}
    ${card(`Removed: ${nearName(info)}`, number(s.near), share(s.near, s.rows))}
    ${card(`Removed: ${sameName(info)}`, number(s.identical), share(s.identical, s.rows))}
    ${card('Groups', number(info.groups), counted(info.grouped_rows, 'row'))}
    ${review === undefined
      ? nothing
      : html`${card('Saved', bytes(info.saved_bytes), 'by removed rows')}
        ${card('Reviewed', number(review.reviewed_groups), `${percent(review.reviewed_groups, review.groups)}, ${counted(review.changed_groups, 'group')} changed`)}`}
  </dl>`;
}

/** Shares of kept, near and identical rows in a bar. */
function bar(input: { rows: number; kept: number; near: number; identical: number }): TemplateResult | typeof nothing {
  if (input.rows === 0) return nothing;
  const percentOf = (rows: number) => `${((100 * rows) / input.rows).toFixed(2)}%`;
  const part = (name: string, before: number, rows: number) =>
    svg`<rect class=${name} x=${percentOf(before)} width=${percentOf(rows)} height="100%" />`;
  return html`<svg class="bar" aria-hidden="true">
    ${part('kept', 0, input.kept)} ${part('near', input.kept, input.near)} ${part('same', input.kept + input.near, input.identical)}
  </svg>`;
}

function inputs(info: RunInfo): TemplateResult {
  const { flow: { inputs: all }, summary } = info.overview;
  const row = (name: string, input: Omit<Counts, 'name'>, isTotal = false) => html`<tr class=${isTotal ? 'total' : ''}>
    <th scope="row">${shown(name)}</th><td>${bytes(input.bytes)}</td><td>${number(input.rows)}</td><td>${number(input.kept)}</td>
    <td>${number(input.near)}</td><td>${number(input.identical)}</td><td>${share(input.near + input.identical, input.rows)}</td>
    <td>${bar(input)}</td></tr>`;
  return html`<h2>Inputs</h2>
    ${scrolled('Inputs', html`<table>
        <thead>
          <tr><th scope="col">Input</th><th scope="col">Bytes</th><th scope="col">Rows</th><th scope="col">Kept</th>
            <th scope="col">${nearName(info)}</th><th scope="col">${sameName(info)}</th><th scope="col">Removed</th>
            <th scope="col">Kept, near, same</th></tr>
        </thead>
        <tbody>
          ${all.map((input) => row(input.name, input))}
          ${all.length > 1 ? row('all', summary, true) : nothing}
        </tbody>
      </table>`)}`;
}

function flow(info: RunInfo): TemplateResult | typeof nothing {
  const { inputs: names, removed } = info.overview.flow;
  if (names.length < 2) return nothing;
  return html`<h2>Removed rows, by input and by the input of the kept row</h2>
    ${scrolled('Removed rows by input and input', html`<table>
        <thead>
          <tr><th scope="col">Removed from</th>
            ${names.map((each) => html`<th scope="col">kept in ${shown(each.name)}</th>`)}</tr>
        </thead>
        <tbody>
          ${names.map(
            (from, i) => html`<tr><th scope="row">${shown(from.name)}</th>
              ${names.map((_, j) => html`<td>${number(removed[i * names.length + j] ?? 0)}</td>`)}</tr>`,
          )}
        </tbody>
      </table>`)}`;
}

function sizes(info: RunInfo): TemplateResult {
  return html`<h2>Sizes of groups</h2>
    <table>
      <thead><tr><th scope="col">Rows in the group</th><th scope="col">Groups</th><th scope="col">Rows</th></tr></thead>
      <tbody>
        ${info.overview.sizes
          .filter((each) => each.groups > 0)
          .map(
            (each) => html`<tr><th scope="row">${each.first === each.last ? each.first : `${each.first} to ${each.last}`}</th>
              <td>${number(each.groups)}</td><td>${number(each.rows)}</td></tr>`,
          )}
      </tbody>
    </table>`;
}

function templates(info: RunInfo): TemplateResult | typeof nothing {
  const { templates } = info.overview;
  if (templates === undefined) return nothing;
  return html`<h2>Templates: rows with much text in common, similar or not, which caused most comparisons</h2>
    ${scrolled('Templates', html`<table>
        <thead><tr><th scope="col">Passage</th><th scope="col">Rows</th><th scope="col">Shingles in common</th>
          <th scope="col">Candidates</th></tr></thead>
        <tbody>
          ${templates.map((each) => html`<tr><th scope="row" class="name">${shown(each.passage)}</th>
            <td>${each.may_be_more ? '≥ ' : ''}${number(each.rows)}</td><td>${(100 * each.common).toFixed(0)} %</td>
            <td>${number(each.candidates)}</td></tr>`)}
        </tbody>
      </table>`)}`;
}

/** The methods and what they found, with the chart. */
function similarities(info: RunInfo, histogram: Histogram, chart: Chart): TemplateResult {
  const { summary: s, method } = info.overview;
  const extra = s.unverified_extra;
  return html`<h2>Removed rows by ${info.value}</h2>
    <p>Method ${method}.</p>
    ${extra === undefined
      ? nothing
      : html`<p>Connected components of the same bands <em>without verification</em> would have removed
          ${counted(extra, 'row')} more.</p>`}
    <p>Bars: the rows removed (${nearName(info)}); ${counted(s.identical, `row (${sameName(info)})`, `rows (${sameName(info)})`)}
      ${s.identical === 1 ? 'is' : 'are'} not among them. ${histogram.curves.length === 0
        ? nothing
        : 'Lines: how likely a pair of that similarity is found, by this run (bold) and by settings that other tools run with.'}</p>
    ${chart.template}`;
}

function place(row: { id: string; file: string; row: number }): TemplateResult {
  return html`${shown(row.id)} <small>${shown(row.file)}, row ${number(row.row)}</small>`;
}

function merged({ component }: ListedGroup): string {
  if (component === undefined) return 'no bands were used';
  if (component.kept === 1) return 'the same group';
  return `${counted(component.rows, 'row')}, ${number(component.kept)} of them kept`;
}

function largest(info: RunInfo, groups: ListedGroup[], files: string[]): TemplateResult {
  if (groups.length === 0) return html`<h2>Largest groups</h2><p>There are no groups: no row was removed.</p>`;
  const ofSets = sameName(info) === 'same text';
  return html`<h2>Largest groups</h2>
    <p>The kept row stands for the others; the weakest edge is the removed row least similar to it.
      ${ofSets ? 'The last column is what connected components of shared bands would have taken for one group had nothing been verified: all of its rows but one would be gone.' : nothing}
      ${info.groups > groups.length ? `${counted(info.groups - groups.length, 'smaller group')} ${info.groups - groups.length === 1 ? 'is' : 'are'} left out.` : nothing}</p>
    ${scrolled('Largest groups', html`<table class="largest">
        <thead><tr><th scope="col">Kept row</th><th scope="col">Rows</th><th scope="col">${sameName(info)}</th>
          <th scope="col">Weakest edge</th>${ofSets ? html`<th scope="col">Unverified component</th>` : nothing}</tr></thead>
        <tbody>
          ${groups.map((group, i) => {
            const [id, file, row] = group.members[0]!;
            return html`<tr><th scope="row" class="name"><a href=${addressOf({ view: 'group', group: i, at: i })}>${shown(id)}</a>
                <small>${shown(files[file]!)}, row ${number(row)}</small> ${shown(group.line)}</th>
              <td>${number(group.rows)}</td><td>${number(group.identical)}</td>
              <td>${group.weakest_row === undefined ? `all ${sameName(info)}` : html`${group.weakest.toFixed(6)}: ${place(group.weakest_row)}`}</td>
              ${ofSets ? html`<td>${merged(group)}</td>` : nothing}</tr>`;
          })}
        </tbody>
      </table>`)}`;
}

/** The elements that both sides of a pair of sets share. */
function sharedText(pair: ClosePair): string {
  if (pair.shared === undefined || pair.united === undefined) return '';
  return pair.of_root
    ? `(${number(pair.shared)} / √${number(pair.united)})`
    : `(${number(pair.shared)} of ${counted(pair.united, 'shingle')} shared)`;
}

function closest(info: RunInfo, pairs: ClosePair[]): TemplateResult {
  if (pairs.length === 0) {
    const none = info.overview.summary.removes_holders ? 'Only identical rows were removed.' : 'No near-duplicate was removed.';
    return html`<h2>Pairs nearest the threshold</h2><p>${none}</p>`;
  }
  const side = (role: string, row: CloseRow, mark: 'ins' | 'del') => ({
    title: html`${role} ${place(row)}`,
    body: row.parts !== undefined
      ? html`<p class="soft">${counted(row.words ?? 0, 'word')}</p>${compared(row.parts, mark)}`
      : pairs[0]?.shared === undefined ? fieldList(row.fields) : html`<p class="soft">its text is not at hand</p>`,
  });
  return html`<h2>Pairs nearest the threshold</h2>
    <p>The closest calls among the removals, least similar first: if these are right, all are.
      ${pairs[0]?.shared === undefined ? nothing : 'Case and punctuation are ignored, so words that differ only in them are not marked.'}</p>
    ${pairs.map((pair, i) => html`<details class="pair" ?open=${i < kOpenPairs}>
      <summary>${pair.value.toFixed(6)} <span class="soft">${sharedText(pair)}</span> ${shown(pair.removed.id)}
        <span class="soft">against</span> ${shown(pair.kept.id)}</summary>
      ${sideBySide(side('removed', pair.removed, 'del'), side('kept', pair.kept, 'ins'))}
    </details>`)}`;
}

function parameters(info: RunInfo): TemplateResult {
  return html`<h2>Parameters</h2>
    ${scrolled('Parameters', html`<table class="parameters">
        <caption>Everything that determines the result; non-default values are bold</caption>
        <thead><tr><th scope="col">Option</th><th scope="col">Value</th><th scope="col">Meaning</th></tr></thead>
        <tbody>
          ${info.overview.parameters.filter((each) => !each.is_output).map(
            (each) => html`<tr class=${each.is_default ? '' : 'total'}><th scope="row"><code>--${each.name}</code></th>
              <td class="name"><code>${shown(each.value)}</code></td><td>${each.help}</td></tr>`,
          )}
        </tbody>
      </table>`)}`;
}

function repeat(app: App): TemplateResult {
  return html`<h2>Repeat the run</h2>
    <p>The same input, options and seed give the same result regardless of the number of threads and the memory.</p>
    ${repeatCommand(app)}`;
}

export async function overviewView(app: App): Promise<Shown> {
  app.info = await get<RunInfo>('v1/info');
  const info = app.info as RunInfo;
  if (isOfLinks(info)) return linksOverview(app, info);
  const histogram = await get<Histogram>('v1/histogram');
  const chart = chartOf(histogram);
  const odd = info.overview.odd_rows ?? [];
  return {
    title: 'Overview',
    twin: 'v1/info',
    ready: chart.draw,
    template: () => html`<h1>What this run kept and removed</h1>
      <p class="subject">${shown(dataNames(info))}</p>
      ${resources === '' ? nothing : html`<p id="resources" class="soft">${resources}</p>`}
      ${cards(info)}
      <p>${shown(info.overview.claim ?? info.overview.method)}</p>
      ${odd.length === 0 ? nothing : html`<ul class="note">${odd.map((each) => html`<li>${each}</li>`)}</ul>`}
      ${inlined === undefined
        ? html`<p><a class="button" href=${addressOf({ view: 'groups' })}>Review ${counted(info.groups, 'group')}</a></p>`
        : repeat(app)}
      ${similarities(info, histogram, chart)}
      ${inputs(info)} ${flow(info)} ${sizes(info)} ${templates(info)}
      ${inlined === undefined
        ? html`<h2>Apply the decisions</h2> ${applyDecisions(app)} ${repeat(app)}`
        : html`${largest(info, inlined.groups, inlined.files)} ${closest(info, inlined.closest)}`}
      ${parameters(info)}`,
  };
}
