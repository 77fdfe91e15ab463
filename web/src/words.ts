// Numbers and hostile texts in readable form.
import { html, type TemplateResult } from 'lit-html';
import type { RunInfo } from './api';

export function number(value: number): string {
  return value.toLocaleString('en');
}

export function percent(part: number, whole: number): string {
  return whole === 0 ? '0 %' : `${((100 * part) / whole).toFixed(1)} %`;
}

/** A percentage of rows; shows 100.0 % only for all rows, and 0.0 % only for no rows. */
export function share(part: number, whole: number): string {
  if (part === 0 || whole === 0) return '0 %';
  return part === whole ? '100 %' : `${Math.min(99.9, Math.max(0.1, (100 * part) / whole)).toFixed(1)} %`;
}

/** A probability of finding a pair, with as many digits as in the table of curves. */
export function recall(part: number): string {
  return `${(100 * part).toFixed(2)} %`;
}

/** Powers of 1000, as used by the command line and the report. */
export function bytes(value: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let unit = 0;
  let rest = value;
  while (rest >= 1000 && unit + 1 < units.length) {
    rest /= 1000;
    ++unit;
  }
  return `${unit === 0 ? rest : rest.toFixed(1)} ${units[unit]}`;
}

export function counted(value: number, one: string, many = `${one}s`): string {
  return `${number(value)} ${value === 1 ? one : many}`;
}

/** "a.csv, b.csv and 7 more". */
export function dataNames(info: RunInfo): string {
  const names = info.overview.inputs ?? (info.overview.summary.inputs ?? []).map((each) => each.name);
  const all = info.overview.all_inputs ?? names.length;
  if (all <= 2) return names.join(' and ');
  return `${names.slice(0, 2).join(', ')} and ${number(all - 2)} more`;
}

export function score(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(3);
}

// Control characters, and marks that change the direction of the text after them.
const kUnseen = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** A text from the data, made unable to control the page; shows invisible characters. */
export function shown(text: string): TemplateResult {
  const pieces: (string | TemplateResult)[] = [];
  let at = 0;
  for (const match of text.matchAll(kUnseen)) {
    pieces.push(text.slice(at, match.index));
    const code = match[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    pieces.push(html`<span class="unseen">U+${code}</span>`);
    at = match.index + match[0].length;
  }
  pieces.push(text.slice(at));
  return html`<bdi>${pieces}</bdi>`;
}
