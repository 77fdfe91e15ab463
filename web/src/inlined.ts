// Data in the page itself, for a report, which contacts no server. Its answers equal those from the service.
import type { Group, GroupDetail, Groups, Histogram, Member, PairField, Part, RunInfo } from './api';

/** A row of a pair. Texts have parts; other items have fields. */
export interface CloseRow {
  id: string;
  file: string;
  row: number;
  words?: number;
  parts?: Part[];
  fields: { name: string; value: string }[];
}

/** A removed row that is among the least similar to the kept one. */
export interface ClosePair {
  value: number;
  shared?: number;
  united?: number;
  of_root?: boolean;
  removed: CloseRow;
  kept: CloseRow;
}

/** Id, file number, row, bytes, value; marks: 1 identical, 2 from --against. */
type Row = [string, number, number, number, number, number];

/** A group; lists as many of its rows as fit in the page, the kept row first. */
export interface ListedGroup {
  line: string;
  rows: number;
  identical: number;
  saved_bytes: number;
  weakest: number;
  weakest_row?: { id: string; file: string; row: number };
  component?: { rows: number; kept: number };
  members: Row[];
}

/** A pair of records close to the limit of link's decision. */
export interface NearPair {
  why: string;
  left_id: string;
  right_id: string;
  score: number;
  probability: number | null;
  rules: string[];
  fields: PairField[];
}

/** A report of dedup, or of link, which has pairs instead of groups. */
interface Inlined {
  info: RunInfo;
  histogram?: Histogram;
  closest: ClosePair[];
  groups: ListedGroup[];
  files: string[];
  pairs: NearPair[];
}

/** A part of a text as stored in the page: 0 same, 1 changed, 2 left out; then the words, or their number. */
type WrittenPart = [0 | 1 | 2, string | number];
type WrittenRow = Omit<CloseRow, 'parts'> & { parts?: WrittenPart[] };
type WrittenField = Omit<PairField, 'left' | 'right'> & { left: WrittenPart[]; right: WrittenPart[] };
type Written = Partial<Omit<Inlined, 'info' | 'closest' | 'pairs'>> & {
  info: RunInfo;
  closest?: (Omit<ClosePair, 'removed' | 'kept'> & { removed: WrittenRow; kept: WrittenRow })[];
  pairs?: (Omit<NearPair, 'fields'> & { fields: WrittenField[] })[];
};

const kKinds = ['same', 'changed', 'left_out'] as const;

function partsOf(parts: WrittenPart[]): Part[] {
  return parts.map(([kind, what]) => ({ kind: kKinds[kind], text: typeof what === 'string' ? what : '', words: Number(what) || 0 }));
}

function rowOf({ parts, ...others }: WrittenRow): CloseRow {
  return parts === undefined ? others : { ...others, parts: partsOf(parts) };
}

function inlinedOf(json: string): Inlined {
  const { info, histogram, closest = [], groups = [], files = [], pairs = [] } = JSON.parse(json) as Written;
  const fieldOf = (field: WrittenField) => ({ ...field, left: partsOf(field.left), right: partsOf(field.right) });
  return {
    info, histogram, groups, files,
    closest: closest.map((pair) => ({ ...pair, removed: rowOf(pair.removed), kept: rowOf(pair.kept) })),
    pairs: pairs.map((pair) => ({ ...pair, fields: pair.fields.map(fieldOf) })),
  };
}

const data = document.getElementById('data')?.textContent;

/** Undefined if the page comes from the service. */
export const inlined = data ? inlinedOf(data) : undefined;

/** Date, time and memory, which the report also shows without scripts. */
export const resources = document.getElementById('resources')?.textContent ?? '';

function groupOf(inlined: Inlined, number: number): Group {
  const { line, rows, saved_bytes, weakest, members } = inlined.groups[number]!;
  return {
    group: number, kept_id: members[0]![0], line, rows, saved_bytes, weakest, sources: [], reviewed: false, changed: false,
  };
}

function memberOf(inlined: Inlined, group: ListedGroup, row: Row, number: number): Member {
  const { info, closest, files } = inlined;
  const [id, file, place, bytes, value, marks] = row;
  const kept = number === 0;
  const identical = !kept && marks % 2 === 1;
  const isHere = (side: CloseRow) => side.file === files[file] && side.row === place;
  const pair = kept ? undefined : closest.find((each) => isHere(each.removed));
  const shown = pair?.removed ?? closest.find((each) => kept && isHere(each.kept))?.kept;
  return {
    member: number, id, file: files[file]!, row: place, bytes, value, kept_by_run: kept, identical, kept,
    of_against: marks > 1, verdict: 'none',
    is_chained: info.is_chained && !kept && (info.is_similarity ? value < info.bound : value > info.bound),
    is_weakest: !kept && !identical && value === group.weakest,
    words: shown?.words, parts: pair?.removed.parts, kept_parts: pair?.kept.parts, fields: shown?.fields ?? [],
  };
}

function listOf(inlined: Inlined, asked: URLSearchParams): Groups {
  const text = (asked.get('text') ?? '').toLowerCase();
  const sort = asked.get('sort');
  const offset = Number(asked.get('offset'));
  const limit = Number(asked.get('limit'));
  const by = (a: Group, b: Group) => {
    if (sort === 'saved') return b.saved_bytes - a.saved_bytes;
    if (sort === 'weakest') return inlined.info.is_similarity ? a.weakest - b.weakest : b.weakest - a.weakest;
    return b.rows - a.rows;
  };
  const found = inlined.groups
    .map((group, i) => ({ group, entry: groupOf(inlined, i) }))
    .filter(({ group }) => [group.line, ...group.members.map((row) => row[0])].some((each) => each.toLowerCase().includes(text)))
    .map(({ entry }) => entry)
    .sort(by);
  return {
    total: inlined.info.groups, matching: found.length, offset, limit, groups: found.slice(offset, offset + limit),
  };
}

function detailOf(inlined: Inlined, number: number, asked: URLSearchParams): GroupDetail {
  const group = inlined.groups[number];
  if (group === undefined) throw new Error('This group is not on the page: it shows the largest ones.');
  const offset = Number(asked.get('offset'));
  const rows = group.members.slice(offset, offset + Number(asked.get('limit')));
  return {
    ...groupOf(inlined, number), offset, value: inlined.info.value, listed: group.members.length,
    ...(group.component === undefined ? {} : { component: group.component }),
    members: rows.map((row, i) => memberOf(inlined, group, row, offset + i)),
  };
}

/** The service's response to a request for these data. */
export function answerOf(inlined: Inlined, path: string): unknown {
  const [place = '', query] = path.split('?');
  const asked = new URLSearchParams(query);
  if (place === 'v1/info') return inlined.info;
  if (place === 'v1/histogram') return inlined.histogram;
  if (place === 'v1/groups') return listOf(inlined, asked);
  if (place.startsWith('v1/groups/')) return detailOf(inlined, Number(place.slice('v1/groups/'.length)), asked);
  if (place === 'v1/decisions') return {};
  throw new Error('A report has no such view.');
}
