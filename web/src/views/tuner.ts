// Moves threshold and recall over the run's histogram, and shows the resulting run.
import { html, nothing, type TemplateResult } from 'lit-html';
import { type Forecast, get, type Histogram, query, type RunInfo } from '../api';
import type { App, Shown } from '../app';
import { chartOf } from '../chart';
import { copyBlock } from '../copy';
import { number, recall, shown } from '../words';

/** Near-duplicates removed by the run that still reach this threshold. */
function reached(histogram: Histogram, threshold: number): number {
  return histogram.bins.reduce((sum, rows, i) => {
    const value = histogram.axis.first + (i / 100) * (histogram.axis.last - histogram.axis.first);
    return sum + (value + 1e-9 >= threshold ? rows : 0);
  }, 0);
}

/** Shingles that the command line accepts; it reports invalid numbers itself. */
const kShingle = /^(words|chars|stopwords):[1-9][0-9]?$/;
const kShingleWords = 'words:N, chars:N or stopwords:N, such as words:5';

/** Options that the page sets in place of the run's. */
type Tuned = { threshold: string; recall: string; shingle?: string };

/** The run's command with these options. Never has --overwrite, even if an older run had it. */
function tuned(command: string, options: Tuned): string {
  const names = Object.keys(options).join('|');
  const words = command
    .replace(new RegExp(` --(${names})(=| )\\S+`, 'g'), '')
    .replace(/ --overwrite(=\S+)?(?= |$)/, '');
  const given = Object.entries(options).map(([name, value]) => ` --${name} ${value}`);
  return words.replace(/^(sosie dedup)/, `$1${given.join('')}`);
}

/** Options that do not exist in Python, or that would destroy the results of a run. */
const NOT_IN_PYTHON = ['within', 'overwrite', 'dry-run', 'fail-if-duplicates', 'pairs', 'files-from'];

/** The value of an option in Python. An output folder gets another name, so that this run's folder remains. */
function pythonValue(name: string, value: string): string {
  const isFolder = name === 'save' || (['output', 'removed-rows'].includes(name) && value.endsWith('/'));
  if (isFolder) return JSON.stringify(value.replace(/\/*$/, '-2') + (value.endsWith('/') ? '/' : ''));
  return value === 'true' ? 'True' : JSON.stringify(value);
}

function python(info: RunInfo, options: Tuned): string {
  const own = info.sources.map((each) => each.name).filter((name) => !name.endsWith(' (against)'));
  const inputs = own.map((name) => `Path(${JSON.stringify(name)})`).join(', ');
  const shingle = options.shingle === undefined ? '' : `, shingle=${JSON.stringify(options.shingle)}`;
  const others = info.overview.parameters
    .filter((each) => !each.is_default && !(each.name in options) && !NOT_IN_PYTHON.includes(each.name))
    .map((each) => `, ${each.name.replaceAll('-', '_')}=${pythonValue(each.name, each.value)}`);
  return `import sosie\nfrom pathlib import Path\n\nresult = sosie.dedup([${inputs}], threshold=${options.threshold}, recall=${options.recall}${shingle}${others.join('')})`;
}

function facts(histogram: Histogram, threshold: string): TemplateResult | typeof nothing {
  const plan = histogram.plan;
  if (plan === undefined) return nothing;
  const all = histogram.bins.reduce((sum, rows) => sum + rows, 0);
  const there = reached(histogram, Number(threshold));
  const found = histogram.curves[0]?.expected ?? 0;
  const below = histogram.bound > Number(threshold);
  return html`<dl class="cards">
      <div class="card"><dt>Bands × rows</dt><dd>${plan.bands} × ${plan.band_rows}<small>${plan.components} minhashes</small></dd></div>
      <div class="card"><dt>Found at the threshold</dt><dd>${recall(plan.expected_recall)}<small>asked for: ${recall(plan.recall)}</small></dd></div>
      <div class="card"><dt>Near-duplicates that reach it</dt><dd>${number(there)}<small>of ${number(all)} that the run removed</small></dd></div>
      <div class="card"><dt>Expected to be candidates</dt><dd>${number(Math.round(found))}<small>of all near rows that the run removed</small></dd></div>
    </dl>
    ${below
      ? html`<p class="note">The run looked for pairs from ${histogram.bound} on: how many there are below, <code>sosie plan</code> estimates from a sample.</p>`
      : nothing}`;
}

function forecastTable(forecast: Forecast): TemplateResult {
  return html`<table>
    <caption>What <code>sosie plan</code> says of this run's inputs</caption>
    <tbody>
      ${forecast.lines.map((line) => html`<tr><th scope="row">${line.about}</th><td>${shown(line.said)}</td></tr>`)}
    </tbody>
  </table>`;
}

export async function tunerView(app: App): Promise<Shown> {
  const info = app.info as RunInfo;
  const parameter = (name: string) => info.overview.parameters.find((each) => each.name === name)?.value;
  const threshold = app.place.threshold || String(info.is_similarity ? info.bound : '0.8');
  const wanted = app.place.recall || '0.99';
  const given = parameter('shingle') || 'words:5';
  const asked = kShingle.test(app.place.shingle) ? app.place.shingle : given;
  const shingle = info.kind === 'text' ? asked : undefined;
  const options: Tuned = { threshold, recall: wanted, ...(shingle === undefined ? {} : { shingle }) };
  const hasPlan = info.is_similarity && ['text', 'sets', 'bags'].includes(info.kind);
  const twin = `v1/histogram${hasPlan ? query({ threshold, recall: wanted }) : ''}`;
  const histogram = await get<Histogram>(twin);
  const chart = chartOf(histogram);
  let forecast: Forecast | undefined;
  let waits = false;
  let trouble = app.place.shingle === '' || asked === app.place.shingle ? '' : `'${app.place.shingle}' is no shingle: ${kShingleWords}`;
  const apply = (event: Event) => {
    event.preventDefault();
    const element = (event.target as HTMLElement).closest('form')!;
    const form = new FormData(element);
    const typed = form.get('shingle');
    if (typed !== null && !kShingle.test(String(typed))) {
      trouble = `'${String(typed)}' is no shingle: ${kShingleWords}`;
      return app.redraw();
    }
    app.go({
      view: 'tuner',
      threshold: String(form.get('threshold')),
      recall: String(form.get('recall')),
      shingle: String(form.get('shingle') ?? ''),
    });
  };
  const predict = async () => {
    waits = true;
    trouble = '';
    app.redraw();
    try {
      forecast = await get<Forecast>(`v1/forecast${query(options)}`);
    } catch (error) {
      trouble = (error as Error).message;
    }
    waits = false;
    app.redraw();
  };
  return {
    title: 'Tuner',
    twin,
    ready: chart.draw,
    template: () => html`<h1>Threshold and recall</h1>
      ${hasPlan
        ? html`<form class="row" novalidate @submit=${apply} @change=${apply}>
            <label>Threshold <input name="threshold" type="range" min="0.3" max="1" step="0.01" .value=${threshold} />
              <output>${threshold}</output></label>
            <label>Recall <select name="recall">
              ${['0.9', '0.95', '0.99', '0.999'].map((each) => html`<option ?selected=${each === wanted}>${each}</option>`)}
            </select></label>
            ${shingle === undefined
              ? nothing
              : html`<label>Shingle <input name="shingle" size="10" aria-describedby="trouble" aria-invalid=${trouble === '' ? 'false' : 'true'} .value=${shingle} /></label>`}
            <button type="button" ?disabled=${waits} @click=${() => void predict()}>Predict time and memory</button>
            ${waits ? html`<progress aria-label="Reading a sample"></progress> <span>reading a sample …</span>` : nothing}
          </form>
          <p id="trouble" class="trouble" role="alert">${trouble}</p>`
        : html`<p>This page plans bandings for texts, sets and bags; use <code>sosie plan</code> for ${info.kind}.</p>`}
      ${forecast === undefined ? nothing : forecastTable(forecast)}
      ${facts(histogram, threshold)} ${chart.template}
      ${hasPlan
        ? html`<h2>As a command</h2>
            ${copyBlock(app, 'The command', tuned(info.overview.command, options))}
            <h2>In Python</h2>
            ${copyBlock(app, 'The Python code', python(info, options))}`
        : nothing}`,
  };
}
