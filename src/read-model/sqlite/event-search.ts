// Which events a text search finds. The index is exact for words within one token; otherwise it gives candidates whose
// texts have to be read.
import type { TextSearch } from '../queries.ts';
import { searchWord, type TokenPattern, tokenPatterns } from '../search-text.ts';
import type { Connection, Value } from './connection.ts';
import { joined, type Sql } from './event-filters.ts';
import { type EventSet, emptyBitmap, intersection, isMember, sizeOf, union, unpackInto } from './event-set.ts';

const sql = (text: string, ...values: Value[]): Sql => ({ text, values });

/** What the index knows about the results of a search. */
export interface Found {
  /** The candidates; null: all. */
  readonly within: EventSet | null;
  /** Excluded even so. */
  readonly outside: EventSet;
  /** The remaining condition on the text `t.text` of each; null: nothing. */
  readonly tests: Sql | null;
}

/** Uses no index: every text is tested. */
export const testedOnly = ({ words, without }: TextSearch): Found => ({
  within: null,
  outside: new Map(),
  tests: allOf([...words.map(has), ...without.map(lacks)]),
});

const has = (word: string): Sql => sql('instr(t.text, ?) > 0', searchWord(word));
const lacks = (word: string): Sql => sql('instr(t.text, ?) = 0', searchWord(word));
const allOf = (tests: readonly Sql[]): Sql | null => (tests.length === 0 ? null : joined(tests, ' AND '));

/** U+0001 is in no token. */
const AROUND = 'instr(char(1) || text || char(1), ?) > 0';

function tokensLike({ text, begins, ends }: TokenPattern): Sql {
  if (begins && ends) return sql('text = ?', text);
  if (!begins && !ends) return sql('instr(text, ?) > 0', text);
  return sql(AROUND, `${begins ? '\u0001' : ''}${text}${ends ? '\u0001' : ''}`);
}

/** Events with a token of a pattern; null: more such tokens than allowed. */
function eventsWith({ column, rows }: Connection, pattern: TokenPattern, maxTokens: number): EventSet | null {
  const { text, values } = tokensLike(pattern);
  const tokens = column(`SELECT id FROM token WHERE ${text} LIMIT ?`).all(...values, maxTokens + 1);
  if (tokens.length > maxTokens) return null;
  const events: EventSet = new Map();
  const postings = rows(
    'SELECT p.chunk, p.members FROM json_each(?) t CROSS JOIN posting p ON p.token = t.value',
  ).iterate(JSON.stringify(tokens));
  for (const [chunk, members] of postings) {
    const bitmap = events.get(Number(chunk)) ?? emptyBitmap();
    events.set(Number(chunk), bitmap);
    if (members instanceof Uint8Array) unpackInto(bitmap, members);
  }
  return events;
}

/** Events that may contain a word, and whether they certainly do; null: all may. */
function eventsWithWord(connection: Connection, word: string, maxTokens: number) {
  const patterns = tokenPatterns(searchWord(word));
  const sets = patterns.map((pattern) => eventsWith(connection, pattern, maxTokens)).filter((set) => set !== null);
  const [first, ...others] = sets;
  if (!first) return null;
  // A single pattern without anchors is the word itself.
  const exact = patterns.every(({ begins, ends }) => !begins && !ends);
  return { events: others.reduce(intersection, first), exact };
}

/**
 * Uses the index. A word that occurs in too many tokens (mostly of one or two letters) is searched for in the texts.
 */
export function found(connection: Connection, { words, without }: TextSearch, maxTokens: number): Found {
  const tests: Sql[] = [];
  let within: EventSet | null = null;
  for (const word of words) {
    const found = eventsWithWord(connection, word, maxTokens);
    if (found) within = within ? intersection(within, found.events) : found.events;
    if (!found?.exact) tests.push(has(word));
  }
  const outside: EventSet[] = [];
  for (const word of without) {
    const found = eventsWithWord(connection, word, maxTokens);
    if (found?.exact) outside.push(found.events);
    else tests.push(lacks(word));
  }
  return { within, outside: union(outside), tests: allOf(tests) };
}

/** At most this many events are found. */
export const maxFound = ({ within }: Found): number => (within ? sizeOf(within) : Infinity);

/** The matches among some ids, in the same order. */
export function filterFound({ column }: Connection, { within, outside, tests }: Found, ids: number[]): number[] {
  const candidates = ids.filter((id) => (!within || isMember(within, id)) && !isMember(outside, id));
  if (!tests || candidates.length === 0) return candidates;
  const tested = column(
    `SELECT c.value FROM json_each(?) c CROSS JOIN event_detail t ON t.event_id = c.value WHERE ${tests.text}`,
  ).all(JSON.stringify(candidates), ...tests.values);
  const passed = new Set(tested);
  return candidates.filter((id) => passed.has(id));
}
