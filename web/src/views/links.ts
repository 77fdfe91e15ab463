// The links of a saved run or a report, and the reasons for them.
import { html, nothing, type TemplateResult } from 'lit-html';
import type { Estimate, LinkSummary, PairReview, RunInfo } from '../api';
import type { App, Shown } from '../app';
import { sample, scoresChart, type Chart } from '../chart';
import { inlined, resources, type NearPair } from '../inlined';
import { card, fallBar, repeatCommand, scrolled, signed, span } from '../pieces';
import { addressOf } from '../state';
import { counted, dataNames, number, shown } from '../words';
import { applyDecisions, learnLabels } from './groups';
import { sideBySideFields } from './pair';

const kOpenPairs = 3;  // pairs shown without a click

function summaryOf(info: RunInfo): LinkSummary {
  return info.overview.summary as unknown as LinkSummary;
}

const rounded = (value: number) => number(Math.round(value));

function cards(info: RunInfo): TemplateResult {
  const s = summaryOf(info);
  const review = info.review as PairReview | undefined;
  const across = s.records_against !== undefined;
  return html`<dl class="cards">
    ${card('Records', across ? `${number(s.records)} and ${number(s.records_against!)}` : number(s.records), s.skipped > 0 ? `${number(s.skipped)} left out` : '')}
    ${card('Candidates', number(s.candidates), 'pairs compared')}
    ${across ? nothing : card('Groups', number(s.groups!), `of ${counted(s.grouped!, 'record')}`)}
    ${card(across ? 'Links' : 'Pairs in groups', number(s.links))}
    ${card('Confidence', s.confidence, s.estimated_f1 === null ? 'F1 is not known' : `estimated F1 ${s.estimated_f1.toFixed(3)}`)}
    ${s.truth === undefined ? nothing : card('F1', s.truth.f1.toFixed(3), 'by the truth')}
    ${review === undefined
      ? nothing
      : card('Decided', number(review.decided_pairs), `of ${counted(review.pairs, 'pair')}; ${number(review.changed_pairs)} overrule the run`)}
  </dl>`;
}

function estimateRow(estimate: Estimate, line: number): TemplateResult {
  const known = (value: number | null, text: (value: number) => string) => html`<td>${value === null ? 'unknown' : text(value)}</td>`;
  const part = (value: number) => value.toFixed(3);
  if (estimate.refusal !== undefined) {
    return html`<tr><th scope="row">${shown(estimate.method)}</th><td colspan="6" class="name">none: ${shown(estimate.refusal)}</td></tr>`;
  }
  return html`<tr><th scope="row">${sample(line)} ${shown(estimate.method)}</th>${known(estimate.matches, rounded)}
    <td>${estimate.matches_interval?.map(rounded).join(' to ') ?? ''}</td><td>${part(estimate.precision)}</td>
    ${known(estimate.recall, part)}${known(estimate.f1, part)}<td>${estimate.cut?.score.toFixed(2) ?? ''}</td></tr>`;
}

function truthTable(truth: NonNullable<LinkSummary['truth']>): TemplateResult {
  const lost = (['candidates', 'score', 'decision'] as const).map((name) => ({ name, ...truth[`lost_by_${name}`] }));
  const found = truth.precision === null
    ? 'nothing is linked'
    : `precision ${truth.precision.toFixed(3)}, recall ${truth.recall.toFixed(3)}, F1 ${truth.f1.toFixed(3)}`;
  return html`<p>By the truth, ${counted(truth.true_pairs, 'true pair')}: ${found}.</p>
    ${scrolled('Lost true pairs', html`<table>
      <caption>True pairs that are not in the output, by the step that lost them</caption>
      <thead><tr><th scope="col">Lost by</th><th scope="col">Pairs</th><th scope="col" class="word">For example</th></tr></thead>
      <tbody>
        ${lost.map((step) => html`<tr><th scope="row">${step.name}</th><td>${number(step.pairs)}</td>
          <td class="name">${step.examples.map(([left, right], i) => html`${i > 0 ? '; ' : ''}${shown(left)} and ${shown(right)}`)}</td></tr>`)}
      </tbody>
    </table>`)}`;
}

function quality(info: RunInfo): TemplateResult {
  const s = summaryOf(info);
  let line = 0;
  return html`<h2>How sure</h2>
    ${s.estimates.length === 0
      ? html`<p>There is no estimate.</p>`
      : scrolled('Estimates', html`<table>
          <caption>Estimated quality of the output, without labels, by each method</caption>
          <thead><tr><th scope="col">Method</th><th scope="col">Matches</th><th scope="col">95 %</th><th scope="col">Precision</th>
            <th scope="col">Recall</th><th scope="col">F1</th><th scope="col">Its cut</th></tr></thead>
          <tbody>${s.estimates.map((each) => estimateRow(each, each.refusal === undefined ? line++ : 0))}</tbody>
        </table>`)}
    ${s.confidence_reasons.length === 0
      ? nothing
      : html`<ul class="note">${s.confidence_reasons.map((each) => html`<li>Low confidence: ${shown(each)}.</li>`)}</ul>
          <p>Next: ${shown(s.confidence_next_step ?? '')}.</p>`}
    ${s.truth === undefined ? nothing : truthTable(s.truth)}`;
}

function scores(info: RunInfo, chart: Chart | undefined): TemplateResult {
  if (chart === undefined) return html`<h2>Scores</h2><p>No pair was likely enough to be judged.</p>`;
  return html`<h2>Scores</h2>
    <p>Pale bars: plausible candidates, by score; full bars: the
      ${summaryOf(info).groups === undefined ? 'links' : 'pairs within a group'} among them; dotted: the cut. Lines: the estimated share of
      true pairs at each score, by each method above.</p>
    ${chart.template}`;
}

function weights(info: RunInfo): TemplateResult {
  const { method, method_reason, fields = [] } = summaryOf(info);
  const axis = span(fields.flatMap((field) => field.levels.map((each) => each.bits)));
  return html`<h2>Weights</h2>
    <p>Score: ${method}: ${shown(method_reason)}.</p>
    ${fields.length === 0
      ? nothing
      : scrolled('Weights', html`<table>
          <caption>Weight of each level of agreement: bits are log2(m / u); missing values do not count</caption>
          <thead><tr><th scope="col">Field</th><th scope="col" class="word">Level</th><th scope="col">m: of matches</th>
            <th scope="col">u: of others</th><th scope="col">Bits</th><th scope="col">Against, for</th></tr></thead>
          ${fields.map((field) => html`<tbody>
            ${[...field.levels].reverse().map((each, i) => html`<tr>
              ${i > 0 ? nothing : html`<th scope="rowgroup" rowspan=${field.levels.length}>${shown(field.name)}</th>`}
              <td class="word">${shown(each.level)}</td><td>${each.m.toFixed(4)}</td><td>${each.u.toFixed(6)}</td>
              <td>${signed(each.bits)}</td><td>${fallBar(0, each.bits, axis)}</td></tr>`)}
          </tbody>`)}
        </table>`)}`;
}

function nearPair(info: RunInfo, pair: NearPair, open: boolean): TemplateResult {
  const head = (id: string) => html`<th scope="col"><b>${shown(id)}</b></th>`;
  return html`<details class="pair" ?open=${open}>
    <summary>${pair.why}: ${shown(pair.left_id)} and ${shown(pair.right_id)}, ${pair.score.toFixed(2)}${info.value === 'probability' ? ' bits' : ''}${pair.probability === null ? '' : `, probability ${pair.probability.toFixed(6)}`}</summary>
    <p class="soft">${pair.rules.length === 0
      ? 'No rule found it; it was compared on demand.'
      : html`Found by ${pair.rules.map((each, i) => html`${i > 0 ? ', ' : ''}${shown(each)}`)}.`}</p>
    ${sideBySideFields([head(pair.left_id), head(pair.right_id)], pair.fields)}
  </details>`;
}

function nearest(info: RunInfo, pairs: NearPair[]): TemplateResult {
  const s = summaryOf(info);
  return html`<h2>Pairs nearest the decision</h2>
    ${pairs.length === 0
      ? html`<p>There are no pairs to show.</p>`
      : html`<p>The closest calls: if these are right, all are. Of ${counted(s.candidates, 'candidate')} and
          ${counted(s.links, 'link')} this page has ${counted(pairs.length, 'pair')} and leaves the others out. Save the run
          (<code>--save RUN</code>), and <code>sosie serve RUN</code> shows more.</p>`}
    ${pairs.map((pair, i) => nearPair(info, pair, i < kOpenPairs))}`;
}

function candidates(info: RunInfo): TemplateResult {
  const { rules, large_blocks } = summaryOf(info);
  const count = (value: number | undefined) => html`<td>${value === undefined ? '' : number(value)}</td>`;
  return html`<h2>Candidates</h2>
    ${scrolled('Rules', html`<table>
      <caption>Rules that find candidates, and how much each contributes</caption>
      <thead><tr><th scope="col">Rule</th><th scope="col">Pairs</th><th scope="col">Found by no other</th>
        <th scope="col">Links among these</th><th scope="col">Largest block</th></tr></thead>
      <tbody>
        ${rules.map((each) => html`<tr><th scope="row" class="name">${shown(each.rule)}</th>${count(each.pairs)}${count(each.only)}
          ${count(each.only_links)}${count(each.largest_block || undefined)}</tr>`)}
      </tbody>
    </table>`)}
    ${large_blocks.map((each) => html`<p>${shown(each.rule)}: ${counted(each.blocks, 'block')} with too many records (the largest has
      ${number(each.largest)}); only the nearest of ${counted(each.pairs, 'pair')}.
      ${each.listed?.map((block, i) => html`${i > 0 ? ', ' : ''}${shown(block.value)} ${number(block.records)}`)}
      ${each.lost === undefined ? nothing : html`About ${rounded(each.lost)} matches are lost.`}</p>`)}`;
}

function review(app: App, info: RunInfo): TemplateResult {
  return html`<h2>Apply the decisions</h2>
    ${applyDecisions(app)}
    <h2>Learn from the labels</h2>
    ${learnLabels(app)}
    <details>
      <summary>The summary of the run</summary>
      <pre class="lines" tabindex="0" aria-label="The summary">${shown(info.overview.text ?? '')}</pre>
    </details>`;
}

export function linksOverview(app: App, info: RunInfo): Shown {
  const { cut, notes = [], rules, scores: bins } = info.overview;
  const names = dataNames(info);
  const decided = (info.review as PairReview | undefined)?.decided_pairs ?? 0;
  const chart = bins === undefined || bins.pairs.length === 0 ? undefined : scoresChart(bins, summaryOf(info).estimates, info.value);
  return {
    title: 'Overview',
    twin: 'v1/info',
    ready: chart?.draw,
    template: () => html`<h1>What this run linked, and why</h1>
      ${names === '' ? nothing : html`<p class="subject">${shown(names)}</p>`}
      ${resources === '' ? nothing : html`<p id="resources" class="soft">${resources}</p>`}
      ${cards(info)}
      ${cut === undefined ? nothing : html`<p>${cut}</p>`}
      ${notes.length === 0 ? nothing : html`<ul class="note">${notes.map((each) => html`<li>${shown(each)}</li>`)}</ul>`}
      ${inlined === undefined
        ? html`<p><a class="button" href=${addressOf({ view: 'pair', state: 'open' })}>${decided > 0 ? 'Go on' : 'Begin'} with the pairs whose answers tell most</a></p>
            ${review(app, info)}`
        : nothing}
      ${quality(info)} ${bins === undefined ? nothing : scores(info, chart)} ${weights(info)}
      ${inlined === undefined ? nothing : nearest(info, inlined.pairs)}
      ${candidates(info)}
      <h2>Rules, and how to repeat the run</h2>
      <p>The same input, rules and options give the same links regardless of the number of threads and the memory.</p>
      ${repeatCommand(app)}
      ${rules === undefined
        ? nothing
        : html`<details><summary>The rules, as a file for <code>--rules</code></summary>
            <pre tabindex="0" aria-label="The rules">${shown(rules)}</pre></details>`}`,
  };
}
