// Bar charts with lines over them, and the same numbers as tables: similarities of removed rows with S-curves, and
// scores of pairs with the share of true matches.
import { html, type TemplateResult } from 'lit-html';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { Curve, Estimate, Histogram, Scores } from './api';
import { scrolled } from './pieces';
import { number, score, shown } from './words';

const kHeight = 280;
const kDashes = [[], [6, 4], [2, 3], [8, 3, 2, 3], [1, 5], [10, 4]];

function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** A curve's probability at the middle of a bin. */
function found(curve: Curve, similarity: number): number {
  const last = curve.probabilities.length - 1;
  return curve.probabilities[Math.round(Math.min(1, Math.max(0, similarity)) * last)] ?? 0;
}

function dashOf(i: number): number[] {
  return kDashes[i % kDashes.length]!;
}

/** The contents of a chart: bars and lines over x, and a line at the bound. */
interface Drawing {
  x: number[];
  xName: string;
  bars: (number | null)[][];
  barsName: string;
  isLog: boolean;  // bars stand for logarithms of counts
  lines: (number | null)[][];
  linesName: string;
  bound: number | null;
}

function histogramDrawing(histogram: Histogram): Drawing {
  const { first, last } = histogram.axis;
  const x = histogram.bins.map((_, i) => first + (i / 100) * (last - first));
  const at = <T>(values: T[]) => (first <= last ? values : [...values].reverse());
  return {
    x: at(x), xName: histogram.value, bars: [at(histogram.bins)], barsName: 'removed rows (bars)', isLog: false,
    lines: histogram.curves.map((curve) => at(x).map((value) => found(curve, value))), linesName: 'found (lines)',
    bound: histogram.bound,
  };
}

/** The share of true pairs by score, in bands: constant within a band, a straight line between bands. */
function truePart(bands: Estimate['bands'], score: number): number | null {
  const i = bands.findIndex((band) => score >= band.low);
  if (i < 0 || (i === 0 && score > bands[0]!.high)) return null;
  const { high, true_part: lower } = bands[i]!;
  if (score <= high) return lower;
  const above = bands[i - 1]!;
  return lower + ((score - high) / (above.low - high)) * (above.true_part - lower);
}

/** Estimates that are drawn as lines. */
function drawnEstimates(estimates: Estimate[]): Estimate[] {
  return estimates.filter((each) => each.refusal === undefined);
}

function scoresDrawing(scores: Scores, estimates: Estimate[], value: string): Drawing {
  const x = scores.pairs.map((_, i) => scores.first + scores.width * (i + 0.5));
  const counts = (values: number[]) => values.map((each) => each || null);
  return {
    x, xName: value === 'probability' ? 'score in bits' : 'score', bars: [counts(scores.pairs), counts(scores.links)],
    barsName: 'pairs (bars)', isLog: true,
    lines: drawnEstimates(estimates).map((each) => x.map((at) => truePart(each.bands, at))), linesName: 'true part (lines)',
    bound: scores.cut,
  };
}

/** A line at the threshold, or at the largest distance. */
function drawBound(u: uPlot, bound: number): void {
  const x = Math.round(u.valToPos(bound, 'x', true));
  const { left, top, width, height } = u.bbox;
  if (x < left || x > left + width) return;
  u.ctx.save();
  u.ctx.strokeStyle = colour('--removed');
  u.ctx.setLineDash([3 * devicePixelRatio, 4 * devicePixelRatio]);
  u.ctx.lineWidth = 1.5 * devicePixelRatio;
  u.ctx.beginPath();
  u.ctx.moveTo(x, top);
  u.ctx.lineTo(x, top + height);
  u.ctx.stroke();
  u.ctx.restore();
}

/** A scale for counts: linear up to the maximum, or logarithmic from below one pair to a power of ten. */
function countScale({ bars, isLog }: Drawing): uPlot.Scale {
  if (!isLog) return { range: (_u, _min, max) => [0, max || 1] };
  const most = Math.max(...bars.flat().map((each) => each ?? 0));
  return { distr: 3, range: () => [0.5, 10 ** Math.max(1, Math.ceil(Math.log10(most)))] };
}

/** If there are two kinds of bars, the first is pale. */
function barSeries(i: number, kinds: number): uPlot.Series {
  const isPale = i + 1 < kinds;
  return {
    scale: 'rows',
    fill: colour(isPale ? '--shade' : '--bar'),
    stroke: colour(isPale ? '--ink-soft' : '--bar'),
    width: 1,
    paths: uPlot.paths.bars!({ size: [0.9, 100] }),
    points: { show: false },
  };
}

function options(drawing: Drawing, width: number): uPlot.Options {
  const { bars, bound, isLog, lines } = drawing;
  const ink = colour('--ink-soft');
  const labels = { labelSize: 20, labelFont: '13px system-ui, sans-serif' };
  const grid = { stroke: colour('--line'), width: 1 };
  const powers = (_u: uPlot, _axis: number, _min: number, max: number) =>
    Array.from({ length: Math.round(Math.log10(max)) + 1 }, (_, power) => 10 ** power);
  return {
    width,
    height: kHeight,
    legend: { show: false },
    hooks: { draw: bound === null ? [] : [(u) => drawBound(u, bound)] },
    cursor: { show: false },
    scales: { x: { time: false }, rows: countScale(drawing), part: { range: [0, 1] } },
    axes: [
      { stroke: ink, grid, label: drawing.xName, ...labels },
      {
        scale: 'rows', stroke: ink, grid, size: 60, label: drawing.barsName, ...labels,
        ...(isLog ? { splits: powers, filter: (_u: uPlot, splits: number[]) => splits, values: (_u: uPlot, ticks: number[]) => ticks.map(number) } : {}),
      },
      {
        scale: 'part',
        side: 1,
        stroke: ink,
        grid: { show: false },
        show: lines.length > 0,
        label: drawing.linesName,
        values: (_u: uPlot, ticks: number[]) => ticks.map((each) => `${Math.round(100 * each)} %`),
        ...labels,
      },
    ],
    series: [
      {},
      ...bars.map((_, i) => barSeries(i, bars.length)),
      ...lines.map((_, i) => ({
        scale: 'part',
        stroke: colour(i === 0 ? '--accent' : '--ink-soft'),
        width: i === 0 ? 2.5 : 1,
        dash: dashOf(i),
        points: { show: false },
      })),
    ],
  };
}

/** A segment of the line as the chart draws it. */
export function sample(i: number): TemplateResult {
  return html`<svg class="sample ${i === 0 ? 'first' : ''}" viewBox="0 0 40 8" aria-hidden="true">
    <path d="M0 4H40" stroke-width=${i === 0 ? 2.5 : 1.5} stroke-dasharray=${dashOf(i).join(' ') || 'none'} />
  </svg>`;
}

function curveTable(histogram: Histogram): TemplateResult {
  return scrolled('Curves', html`<table>
      <thead>
        <tr><th scope="col">Curve</th><th scope="col">Bands × rows</th>
          <th scope="col">Found at ${score(histogram.bound)}</th>
          <th scope="col">Expected of the rows removed here</th></tr>
      </thead>
      <tbody>
        ${histogram.curves.map(
          (curve, i) => html`<tr><th scope="row">${sample(i)} ${curve.name}</th><td>${curve.banding || 'every pair'}</td>
            <td>${curve.at_threshold}</td><td>${i === 0 ? '' : 'about '}${number(Math.round(curve.expected))}</td></tr>`,
        )}
      </tbody>
    </table>`);
}

function binTable(histogram: Histogram): TemplateResult {
  const { first, last } = histogram.axis;
  return html`<details>
    <summary>The histogram as a table</summary>
    <table>
      <thead><tr><th scope="col">From ${histogram.value}</th><th scope="col">Removed rows</th></tr></thead>
      <tbody>
        ${histogram.bins
          .map((rows, i) => ({ rows, value: first + (i / 100) * (last - first) }))
          .filter((bin) => bin.rows > 0)
          .map((bin) => html`<tr><th scope="row">${score(bin.value)}</th><td>${number(bin.rows)}</td></tr>`)}
      </tbody>
    </table>
  </details>`;
}

export interface Chart {
  template: TemplateResult;
  /** Draws the chart once the template is in the document. */
  draw: () => void;
}

function drawn(label: string, drawing: Drawing, tables: TemplateResult): Chart {
  return {
    template: html`<div id="chart" class="chart" role="img" aria-label="${label}; tables follow"></div> ${tables}`,
    draw: () => {
      const place = document.getElementById('chart');
      if (place === null) return;
      place.replaceChildren();
      const data = [drawing.x, ...drawing.bars, ...drawing.lines] as uPlot.AlignedData;
      new uPlot(options(drawing, place.clientWidth), data, place);
    },
  };
}

export function chartOf(histogram: Histogram): Chart {
  const rows = histogram.bins.reduce((sum, each) => sum + each, 0);
  return drawn(
    `${number(rows)} near-duplicates by ${histogram.value}, with ${histogram.curves.length} curves`,
    histogramDrawing(histogram),
    html`${histogram.curves.length > 0 ? curveTable(histogram) : ''} ${binTable(histogram)}`,
  );
}

function scoreTables(scores: Scores, estimates: Estimate[]): TemplateResult {
  const bins = scores.pairs
    .map((pairs, i) => ({ pairs, links: scores.links[i]!, from: scores.first + scores.width * i }))
    .filter((bin) => bin.pairs > 0);
  return html`<details>
    <summary>The numbers of the chart</summary>
    <table>
      <caption>Pairs by score</caption>
      <thead><tr><th scope="col">From</th><th scope="col">To</th><th scope="col">Pairs</th><th scope="col">Links</th></tr></thead>
      <tbody>
        ${bins.map((bin) => html`<tr><th scope="row">${score(bin.from)}</th><td>${score(bin.from + scores.width)}</td>
          <td>${number(bin.pairs)}</td><td>${number(bin.links)}</td></tr>`)}
      </tbody>
    </table>
    <table>
      <caption>Estimated true part by score</caption>
      <thead><tr><th scope="col">Method</th><th scope="col">From</th><th scope="col">To</th><th scope="col">True part</th></tr></thead>
      <tbody>
        ${drawnEstimates(estimates).flatMap((each) => each.bands.map((band) => html`<tr><th scope="row">${shown(each.method)}</th>
          <td>${score(band.low)}</td><td>${score(band.high)}</td><td>${band.true_part.toFixed(3)}</td></tr>`))}
      </tbody>
    </table>
  </details>`;
}

export function scoresChart(scores: Scores, estimates: Estimate[], value: string): Chart {
  const pairs = scores.pairs.reduce((sum, each) => sum + each, 0);
  return drawn(
    `${number(pairs)} pairs by score, and the estimated part that is true`,
    scoresDrawing(scores, estimates, value),
    scoreTables(scores, estimates),
  );
}
