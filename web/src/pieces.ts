// Elements shared by several views.
import { html, svg, type TemplateResult } from 'lit-html';
import type { RunInfo } from './api';
import type { App } from './app';
import { copyBlock } from './copy';

export function card(title: string, value: string, below: string | TemplateResult = ''): TemplateResult {
  return html`<div class="card"><dt>${title}</dt><dd>${value}<small>${below}</small></dd></div>`;
}

/** A table that scrolls on its own. */
export function scrolled(label: string, table: TemplateResult): TemplateResult {
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${label}>${table}</div>`;
}

export function repeatCommand(app: App): TemplateResult {
  return copyBlock(app, 'The command', (app.info as RunInfo).overview.command);
}

/** A bar from one sum to the next, on an axis from the lowest sum to the highest. */
export function fallBar(from: number, to: number, [least, most]: [number, number]): TemplateResult {
  const percentOf = (part: number) => `${((100 * part) / Math.max(most - least, 1e-9)).toFixed(2)}%`;
  return html`<svg class="bar" aria-hidden="true">
    ${svg`<rect class=${to < from ? 'less' : 'more'} x=${percentOf(Math.min(from, to) - least)}
      width=${percentOf(Math.abs(to - from))} height="100%" />`}
  </svg>`;
}

/** The minimum and maximum of the numbers and 0. */
export function span(numbers: number[]): [number, number] {
  return [Math.min(0, ...numbers), Math.max(0, ...numbers)];
}

export function signed(value: number): string {
  return `${value < 0 ? '' : '+'}${value.toFixed(2)}`;
}
