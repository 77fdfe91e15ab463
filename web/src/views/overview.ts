// What the run kept and removed, by input, size and similarity.
import { html, nothing, type TemplateResult } from 'lit-html';
import { get, isOfLinks, type Histogram, type PairReview, type Review, type RunInfo } from '../api';
import type { App, Shown } from '../app';
import { chartOf } from '../chart';
import { copyBlock } from '../copy';
import { addressOf } from '../state';
import { bytes, counted, number, percent, shown } from '../words';
import { applyDecisions, learnLabels } from './groups';

function card(title: string, value: string, below: string): TemplateResult {
  return html`<div class="card"><dt>${title}</dt><dd>${value}<small>${below}</small></dd></div>`;
}

function cards(info: RunInfo): TemplateResult {
  const s = info.overview.summary;
  const review = info.review as Review;
  return html`<dl class="cards">
    ${card('Rows', number(s.rows), `${number(s.kept)} kept`)}
    ${card('Removed', number(s.removed), `${percent(s.removed, s.rows)}: ${number(s.identical)} identical, ${number(s.near)} near`)}
    ${card('Groups', number(info.groups), counted(info.grouped_rows, 'row'))}
    ${card('Saved', bytes(info.saved_bytes), 'by removed rows')}
    ${card('Reviewed', number(review.reviewed_groups), `${percent(review.reviewed_groups, review.groups)}, ${counted(review.changed_groups, 'group')} changed`)}
  </dl>`;
}

function inputs(info: RunInfo): TemplateResult {
  return html`<h2>Inputs</h2>
    <div class="scroll" tabindex="0" role="region" aria-label="Inputs">
      <table>
        <thead>
          <tr><th scope="col">Input</th><th scope="col">Rows</th><th scope="col">Kept</th>
            <th scope="col">Identical</th><th scope="col">Near</th><th scope="col">Bytes</th></tr>
        </thead>
        <tbody>
          ${info.overview.flow.inputs.map(
            (input) => html`<tr><th scope="row">${shown(input.name)}</th><td>${number(input.rows)}</td>
              <td>${number(input.kept)}</td><td>${number(input.identical)}</td>
              <td>${number(input.near)}</td><td>${bytes(input.bytes)}</td></tr>`,
          )}
        </tbody>
      </table>
    </div>`;
}

function flow(info: RunInfo): TemplateResult | typeof nothing {
  const { inputs: names, removed } = info.overview.flow;
  if (names.length < 2) return nothing;
  return html`<h2>Which input was removed for which</h2>
    <div class="scroll" tabindex="0" role="region" aria-label="Removed rows by input and input">
      <table>
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
      </table>
    </div>`;
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

interface LinkSummary {
  records: number;
  records_against?: number;
  links: number;
  estimated_f1: number | null;
  confidence: string;
  confidence_reasons: string[];
}

function linkOverview(app: App, info: RunInfo): Shown {
  const s = info.overview.summary as unknown as LinkSummary;
  const review = info.review as PairReview;
  const records = s.records_against === undefined ? number(s.records) : `${number(s.records)} and ${number(s.records_against)}`;
  const decided = review.decided_pairs > 0;
  return {
    title: 'Overview',
    twin: 'v1/info',
    template: () => html`<h1>What this run linked</h1>
      <dl class="cards">
        ${card('Records', records, `${number(info.grouped_rows)} of them linked`)}
        ${card('Groups', number(info.groups), counted(s.links, 'linked pair'))}
        ${card('Confidence', s.confidence, s.estimated_f1 === null ? 'F1 is not known' : `estimated F1 ${s.estimated_f1.toFixed(3)}`)}
        ${card('Decided', number(review.decided_pairs), `of ${counted(review.pairs, 'pair')}; ${number(review.changed_pairs)} overrule the run`)}
      </dl>
      ${s.confidence_reasons.length === 0 ? nothing : html`<ul class="note">${s.confidence_reasons.map((each) => html`<li>${shown(each)}</li>`)}</ul>`}
      <p><a class="button" href=${addressOf({ view: 'pair', state: 'open' })}>${decided ? 'Go on' : 'Begin'} with the pairs whose answers tell most</a></p>
      <h2>Apply the decisions</h2>
      ${applyDecisions(app)}
      <h2>Learn from the labels</h2>
      ${learnLabels(app)}
      <details>
        <summary>The summary of the run</summary>
        <pre class="lines" tabindex="0" aria-label="The summary">${shown(info.overview.text ?? '')}</pre>
      </details>
      <h2>Repeat the run</h2>
      ${copyBlock(app, 'The command', info.overview.command)}`,
  };
}

export async function overviewView(app: App): Promise<Shown> {
  app.info = await get<RunInfo>('v1/info');
  const info = app.info as RunInfo;
  if (isOfLinks(info)) return linkOverview(app, info);
  const chart = chartOf(await get<Histogram>('v1/histogram'));
  return {
    title: 'Overview',
    twin: 'v1/info',
    ready: chart.draw,
    template: () => html`<h1>What this run kept and removed</h1>
      <p>${info.overview.method}</p>
      ${cards(info)}
      <p><a class="button" href=${addressOf({ view: 'groups' })}>Review ${counted(info.groups, 'group')}</a></p>
      <h2>Removed rows by ${info.value}</h2>
      ${chart.template}
      ${inputs(info)} ${flow(info)} ${sizes(info)}
      <h2>Apply the decisions</h2>
      ${applyDecisions(app)}
      <h2>Repeat the run</h2>
      ${copyBlock(app, 'The command', info.overview.command)}`,
  };
}
