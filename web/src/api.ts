// The server's responses (docs/serve-run.md), and the requests for them.
import { answerOf, inlined } from './inlined';

export interface Review {
  groups: number;
  reviewed_groups: number;
  changed_groups: number;
  kept_more: number;
  steps: number;
}

/** Quality of the links if the answers so far are followed; has numbers only once there is a label. */
export interface ReviewEstimate {
  labels: number;
  precision?: number;
  recall?: number;
  f1?: number;
  error?: number;
  confidence: 'ok' | 'low';
  confidence_reasons: string[];
}

/** State of the review of a link run. */
export interface PairReview {
  pairs: number;
  decided_pairs: number;
  matches: number;
  different: number;
  unsure: number;
  changed_pairs: number;
  /** null: the run contains nothing to estimate from. */
  estimate: ReviewEstimate | null;
  steps: number;
}

export interface PairStep extends PairReview {
  undone?: boolean;
  pair?: number;
}

export interface Step extends Review {
  undone?: boolean;
  preview?: boolean;
  step_groups?: number;
  step_rows?: number;
}

export interface Counts {
  name: string;
  rows: number;
  kept: number;
  identical: number;
  near: number;
  bytes: number;
}

export interface Overview {
  summary: Record<string, unknown> & {
    rows: number; kept: number; removed: number; identical: number; near: number; bytes: number;
    removes_holders?: boolean; unverified_extra?: number; inputs: Counts[];
  };
  method: string;
  /** Facts about all removed rows; runs of earlier versions lack these three. */
  claim?: string;
  dry_run?: boolean;
  odd_rows?: string[];
  templates?: { passage: string; rows: number; may_be_more: boolean; common: number; candidates: number }[];
  flow: { inputs: Counts[]; removed: number[] };
  sizes: { first: number; last: number; groups: number; rows: number }[];
  parameters: { name: string; value: string; is_default: boolean; is_output?: boolean; help: string }[];
  command: string;
  /** Applies decisions.tsv to the run's inputs. */
  apply?: string; // runs saved before 0.2 lack it
  /** Learns from labels.tsv; only for link runs, like `text`, the summary that the command line showed. */
  learn?: string;
  text?: string;
  version: string;
  recipe?: number;
  /** Only for link runs; runs of earlier versions lack these. */
  all_inputs?: number;
  inputs?: string[];  // the first inputs
  notes?: string[];
  cut?: string;
  scores?: Scores;
  rules?: string;
}

/** Pairs, and the links among them, by score: i stands for scores of first + i · width or more. */
export interface Scores {
  first: number;
  width: number;
  cut: number | null;
  pairs: number[];
  links: number[];
}

/** Link quality as estimated by one method; if `refusal` is set, the method gives no estimate. */
export interface Estimate {
  method: string;
  refusal?: string;
  matches: number | null;
  matches_interval?: [number, number];
  precision: number;
  recall: number | null;
  f1: number | null;
  cut?: { score: number };
  /** By descending score. */
  bands: { high: number; low: number; true_part: number }[];
}

interface Lost {
  pairs: number;
  examples: [string, string][];
}

/** Summary of a link run. */
export interface LinkSummary {
  records: number;
  records_against?: number;
  skipped: number;
  candidates: number;
  method: string;
  method_reason: string;
  links: number;
  groups?: number;
  grouped?: number;
  fields?: { name: string; levels: { level: string; m: number; u: number; bits: number }[] }[];
  rules: { rule: string; pairs: number; only?: number; only_links?: number; largest_block: number }[];
  large_blocks: {
    rule: string; blocks: number; largest: number; pairs: number; lost?: number; listed?: { value: string; records: number }[];
  }[];
  estimates: Estimate[];
  estimated_f1: number | null;
  confidence: string;
  confidence_reasons: string[];
  confidence_next_step: string | null;
  truth?: {
    true_pairs: number; precision: number | null; recall: number; f1: number;
    lost_by_candidates: Lost; lost_by_score: Lost; lost_by_decision: Lost;
  };
}

export interface RunInfo {
  type: 'run';
  name: string;
  read_only: boolean;
  kind: string;
  value: string;
  is_similarity: boolean;
  bound: number;
  is_chained: boolean;
  groups: number;
  grouped_rows: number;
  saved_bytes: number;
  sources: { name: string; groups: number }[];
  /** Only for link runs. */
  pairs?: number;
  review: Review | PairReview;
  overview: Overview;
}

export function isOfLinks(info: RunInfo | IndexInfo): boolean {
  return info.type === 'run' && info.pairs !== undefined;
}

export interface IndexInfo {
  type?: undefined;
  items: number;
  bytes: number;
  runs: number;
  log_items: number;
  keep_items: boolean;
  read_only: boolean;
  bands: string;
  value: string;
  id: string;
  kind: string;
  column: string;
  options: Record<string, string>;
}

export interface Group {
  group: number;
  kept_id: string;
  line: string;
  rows: number;
  saved_bytes: number;
  weakest: number;
  sources: string[];
  reviewed: boolean;
  changed: boolean;
}

export interface Groups {
  total: number;
  matching: number;
  offset: number;
  limit: number;
  groups: Group[];
}

export interface Part {
  kind: 'same' | 'changed' | 'left_out';
  text: string;
  words: number;
}

export type Verdict = 'none' | 'keep' | 'remove' | 'not_duplicate';

export interface Member {
  member: number;
  id: string;
  file: string;
  row: number;
  bytes: number;
  value: number;
  kept_by_run: boolean;
  identical: boolean;
  of_against: boolean;
  is_chained: boolean;
  is_weakest: boolean;
  verdict: Verdict;
  kept: boolean;
  trouble?: string;
  words?: number;
  text_bytes?: number;
  parts?: Part[];
  kept_parts?: Part[];
  fields: { name: string; value: string }[];
}

export type PairVerdict = 'none' | 'match' | 'different' | 'unsure';

export interface Pair {
  pair: number;
  left_id: string;
  right_id: string;
  line: string;
  other_line: string;
  score: number;
  probability: number | null;
  linked: boolean;
  suggested: boolean;
  said: PairVerdict;
  verdict: PairVerdict;
  changed: boolean;
  left_group: number | null;
  right_group: number | null;
}

export interface Pairs {
  total: number;
  matching: number;
  offset: number;
  limit: number;
  pairs: Pair[];
}

export interface PairRecord {
  member: number;
  id: string;
  file: string;
  row: number;
  of_against: boolean;
  group_rows: number;
  trouble?: string;
}

export interface PairField {
  name: string;
  other_name?: string;
  same: boolean;
  left: Part[];
  right: Part[];
  /** A report's verdict on the two values. */
  level?: string;
  bits?: number;
}

export interface PairDetail extends Pair {
  left: PairRecord;
  right: PairRecord;
  fields: PairField[];
  /** The command that explains the pair. */
  explain?: string;
}

export interface GroupDetail extends Group {
  offset: number;
  /** Rows that a report contains. */
  listed?: number;
  value: string;
  component?: { rows: number; kept: number };
  members: Member[];
}

export interface Curve {
  name: string;
  banding: string;
  at_threshold: string;
  expected: number;
  probabilities: number[];
}

export interface Histogram {
  value: string;
  is_similarity: boolean;
  bound: number;
  axis: { first: number; last: number };
  bins: number[];
  curves: Curve[];
  plan?: {
    threshold: string;
    recall: number;
    bands: number;
    band_rows: number;
    components: number;
    expected_recall: number;
  };
}

export interface Forecast {
  lines: { about: string; said: string }[];
}

export class ServerError extends Error {
  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}

const kTokenKey = 'sosie-token';

export function setToken(token: string): void {
  sessionStorage.setItem(kTokenKey, token);
}

function reasonOf(body: string, status: number): string {
  try {
    const { error } = JSON.parse(body) as { error: { reason: string; option?: string; hint?: string } };
    return (error.option ? `${error.option}: ` : '') + error.reason + (error.hint ? `; ${error.hint}` : '');
  } catch {
    return `the server answered ${status}`;
  }
}

async function ask(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  const token = sessionStorage.getItem(kTokenKey);
  if (token) headers.set('Authorization', `Bearer ${token}`);
  const answer = await fetch(path, { ...init, headers });
  if (!answer.ok) throw new ServerError(reasonOf(await answer.text(), answer.status), answer.status);
  return answer;
}

export async function get<T>(path: string): Promise<T> {
  if (inlined !== undefined) return answerOf(inlined, path) as T;
  return (await ask(path)).json() as Promise<T>;
}

export async function post<T>(path: string, body: unknown): Promise<T> {
  const answer = await ask(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  return answer.json() as Promise<T>;
}

/** Saves the server's response as a file with this name. */
export async function download(path: string, name: string): Promise<void> {
  const url = URL.createObjectURL(await (await ask(path)).blob());
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

export function query(parts: Record<string, string | number | undefined>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parts)) {
    if (value !== undefined && value !== '') query.set(name, String(value));
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}
