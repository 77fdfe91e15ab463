// The histogram of similarities with S-curves over it, and the same numbers as a table.
import { html, type TemplateResult } from 'lit-html';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { Curve, Histogram } from './api';
import { number, score } from './words';

const kHeight = 280;
const kDashes = [[], [6, 4], [2, 3], [8, 3, 2, 3], [1, 5], [10, 4]];

function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** Probability that a curve gives at the middle of a bin. */
function found(curve: Curve, similarity: number): number {
  const last = curve.probabilities.length - 1;
  return curve.probabilities[Math.round(Math.min(1, Math.max(0, similarity)) * last)] ?? 0;
}

function dashOf(i: number): number[] {
  return kDashes[i % kDashes.length]!;
}

function series(histogram: Histogram): uPlot.AlignedData {
  const { first, last } = histogram.axis;
  const x = histogram.bins.map((_, i) => first + (i / 100) * (last - first));
  const order = first <= last ? x.map((_, i) => i) : x.map((_, i) => x.length - 1 - i);
  const at = <T>(values: T[]) => order.map((i) => values[i]!);
  return [
    at(x),
    at(histogram.bins),
    ...histogram.curves.map((curve) => at(x).map((value) => found(curve, value))),
  ] as uPlot.AlignedData;
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

function options(histogram: Histogram, width: number): uPlot.Options {
  const ink = colour('--ink-soft');
  const labels = { labelSize: 20, labelFont: '13px system-ui, sans-serif' };
  const grid = { stroke: colour('--line'), width: 1 };
  return {
    width,
    height: kHeight,
    legend: { show: false },
    hooks: { draw: [(u) => drawBound(u, histogram.bound)] },
    cursor: { show: false },
    scales: { x: { time: false }, rows: { range: (_u, _min, max) => [0, max || 1] }, part: { range: [0, 1] } },
    axes: [
      { stroke: ink, grid, label: histogram.value, ...labels },
      { scale: 'rows', stroke: ink, grid, size: 60, label: 'removed rows (bars)', ...labels },
      {
        scale: 'part',
        side: 1,
        stroke: ink,
        grid: { show: false },
        show: histogram.curves.length > 0,
        label: 'found (lines)',
        values: (_u: uPlot, ticks: number[]) => ticks.map((each) => `${Math.round(100 * each)} %`),
        ...labels,
      },
    ],
    series: [
      {},
      {
        scale: 'rows',
        fill: colour('--bar'),
        stroke: colour('--bar'),
        paths: uPlot.paths.bars!({ size: [0.9, 100] }),
        points: { show: false },
      },
      ...histogram.curves.map((_, i) => ({
        scale: 'part',
        stroke: colour(i === 0 ? '--accent' : '--ink-soft'),
        width: i === 0 ? 2.5 : 1,
        dash: dashOf(i),
        points: { show: false },
      })),
    ],
  };
}

/** A piece of the line as the chart draws it. */
function sample(i: number): TemplateResult {
  return html`<svg class="sample ${i === 0 ? 'first' : ''}" viewBox="0 0 40 8" aria-hidden="true">
    <path d="M0 4H40" stroke-width=${i === 0 ? 2.5 : 1.5} stroke-dasharray=${dashOf(i).join(' ') || 'none'} />
  </svg>`;
}

function curveTable(histogram: Histogram): TemplateResult {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Curves">
    <table>
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
    </table>
  </div>`;
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
  /** Draws it, once the template stands in the document. */
  draw: () => void;
}

export function chartOf(histogram: Histogram): Chart {
  const rows = histogram.bins.reduce((sum, each) => sum + each, 0);
  const label = `${number(rows)} near-duplicates by ${histogram.value}, with ${histogram.curves.length} curves; tables follow`;
  return {
    template: html`<div id="chart" class="chart" role="img" aria-label=${label}></div>
      ${histogram.curves.length > 0 ? curveTable(histogram) : ''} ${binTable(histogram)}`,
    draw: () => {
      const place = document.getElementById('chart');
      if (place === null) return;
      place.replaceChildren();
      new uPlot(options(histogram, place.clientWidth), series(histogram), place);
    },
  };
}
