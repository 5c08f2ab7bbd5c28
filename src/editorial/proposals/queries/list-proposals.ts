// Lists of proposals: narrowed by names that the read model looks up, and by what the reader may see of their targets.

import { POST_KINDS } from '../../../calendar/resource/domain/post.ts';
import { TERM_KINDS } from '../../../calendar/term/domain/term.ts';
import { askedOnce } from '../../../kernel/event-loop/shared-work.ts';
import { openTurns } from '../../../kernel/event-loop/turns.ts';
import type { EpochSeconds } from '../../../kernel/time/zone.ts';
import type { Caller } from '../../../people/auth/caller.ts';
import { mayManageTerms, mayReadHistory, rightsSubjectOf } from '../../../people/auth/policy.ts';
import { partsIn } from '../../../people/auth/proposal-rights.ts';
import {
  type Document,
  type DocumentKey,
  type DocumentKind,
  type ProposalDocument,
  writtenBy,
} from '../../../read-model/documents.ts';
import type { PageOf, PageWindow } from '../../../read-model/queries.ts';
import type { ReadModel } from '../../../read-model/read-model.ts';
import { type ProposalState, TARGET_KINDS, type TargetKind } from '../domain/proposal.ts';

/** All that is given must hold. */
export interface ProposalFilter {
  readonly states?: readonly ProposalState[];
  readonly kind?: TargetKind;
  /** The id of a target of any kind, unless `kind` is given. */
  readonly target?: number;
  readonly author?: number;
  readonly reviewer?: number;
  readonly openedFrom?: EpochSeconds;
  readonly openedBefore?: EpochSeconds;
}

type Source = Pick<ReadModel, 'countNamed' | 'namedPage' | 'fetch'>;

/** A proposal has at most one of these names. */
type Names = readonly string[];

const ALL: Names = ['all'];
/** Documents fetched in one turn of the event loop. */
const PORTION = 50;
/** Ids read in one turn. */
const MANY = 2_000;

/** A page of the proposals that the caller may see, newest first, with the number of all of them. */
export async function listProposals(
  source: Source,
  caller: Caller,
  filter: ProposalFilter,
  window: PageWindow,
): Promise<PageOf<ProposalDocument>> {
  const { openedFrom, openedBefore } = filter;
  const isDated = openedFrom !== undefined || openedBefore !== undefined;
  const narrowing = narrowingOf(filter);
  const [only = ALL, ...others] = narrowing;
  if (seesAll(caller) && !isDated && others.length === 0) {
    const { items, total } = await pageOf(source, only, window);
    return { items: await proposals(source, items), total };
  }
  const visible = await visibleAmong(source, caller, narrowing);
  const listed = isDated ? await openedBetween(source, visible, filter) : visible;
  const { offset, limit } = window;
  return { items: await proposals(source, listed.slice(offset, offset + limit)), total: listed.length };
}

const seesAll = (caller: Caller): boolean => POST_KINDS.every((kind) => mayReadHistory(caller, kind, null));

/** Each narrows the list. */
function narrowingOf({ states, kind, target, author, reviewer }: ProposalFilter): Names[] {
  const kinds = kind === undefined ? TARGET_KINDS : [kind];
  return [
    ...(kind === undefined ? [] : [[`kind:${kind}`]]),
    ...(author === undefined ? [] : [[`author:${author}`]]),
    ...(reviewer === undefined ? [] : [[`reviewer:${reviewer}`]]),
    ...(states === undefined ? [] : [states.map((state) => `state:${state}`)]),
    ...(target === undefined ? [] : [kinds.map((one) => `target:${one}-${target}`)]),
  ];
}

async function countOf(source: Source, names: Names): Promise<number> {
  const counts = await Promise.all(names.map((name) => source.countNamed('proposal', name)));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** A page of those that have one of these names: of a single one it is read alone. */
async function pageOf(source: Source, names: Names, { offset, limit }: PageWindow): Promise<PageOf<number>> {
  const [name, ...others] = names;
  const total = await countOf(source, names);
  if (name === undefined || total === 0) return { items: [], total };
  if (others.length === 0) return { items: [...(await source.namedPage('proposal', name, { offset, limit }))], total };
  return { items: (await idsNamed(source, names, offset + limit)).slice(offset), total };
}

/** The newest of those that have one of these names, descending. */
const idsNamed = (source: Source, names: Names, most?: number): Promise<number[]> =>
  idsOf(source, 'proposal', names, most);

/** The same of documents of any kind. */
async function idsOf(
  source: Source,
  kind: DocumentKind,
  names: Names,
  most = Number.POSITIVE_INFINITY,
): Promise<number[]> {
  const ids: number[] = [];
  for (const name of names) {
    let below: { below?: number } = {};
    for (let left = most; left > 0; left -= MANY) {
      const limit = Math.min(MANY, left);
      const page = await source.namedPage(kind, name, { ...below, offset: 0, limit });
      for (const id of page) ids.push(id);
      const last = page.at(-1);
      if (last === undefined || page.length < limit) break;
      below = { below: last };
    }
  }
  if (names.length > 1) ids.sort((one, other) => other - one);
  return ids.slice(0, most);
}

/** Those of `ids` that have a name of each of the others. The smallest set is read first. */
async function intersected(source: Source, narrowing: readonly Names[]): Promise<number[]> {
  const counted = await Promise.all(narrowing.map(async (names) => ({ names, count: await countOf(source, names) })));
  counted.sort((one, other) => one.count - other.count);
  const [smallest, ...others] = counted.map(({ names }) => names);
  let ids = await idsNamed(source, smallest ?? ALL);
  for (const names of others) ids = await withAnyOf(source, ids, names);
  return ids;
}

async function withAnyOf(source: Source, ids: readonly number[], names: Names): Promise<number[]> {
  if (ids.length === 0) return [];
  const having = new Set(await idsNamed(source, names));
  return ids.filter((id) => having.has(id));
}

async function proposals(source: Source, ids: readonly number[]): Promise<ProposalDocument[]> {
  const documents = await source.fetch(ids.map((id): DocumentKey => ({ kind: 'proposal', id })));
  return documents.filter((document) => document?.kind === 'proposal');
}

/** Passes what a test of its document admits, a portion a turn. */
async function passing(
  source: Source,
  ids: readonly number[],
  admit: (proposals: readonly ProposalDocument[]) => Promise<readonly ProposalDocument[]>,
): Promise<number[]> {
  const turn = openTurns();
  const passed: number[] = [];
  for (let at = 0; at < ids.length; at += PORTION) {
    for (const { id } of await admit(await proposals(source, ids.slice(at, at + PORTION)))) passed.push(id);
    await turn();
  }
  return passed;
}

const openedBetween = (
  source: Source,
  ids: readonly number[],
  { openedFrom = -Infinity, openedBefore = Infinity }: ProposalFilter,
): Promise<number[]> =>
  passing(source, ids, async (batch) => batch.filter(({ opened }) => opened >= openedFrom && opened < openedBefore));

/**
 * Names say which proposals are the caller's own, about a kind that the caller manages, and about the caller's posts: to
 * those who are not editors there are no others.
 */
async function visibleAmong(source: Source, caller: Caller, narrowing: readonly Names[]): Promise<readonly number[]> {
  if (caller === null) return [];
  if (seesAll(caller)) return intersected(source, narrowing);
  const managed = TERM_KINDS.filter((kind) => mayManageTerms(caller, kind)).map((kind) => `kind:${kind}`);
  const certain = new Set(await idsNamed(source, managed));
  const concerned = await concerningPostsOf(source, caller.id);
  const own = await idsNamed(source, [`author:${caller.id}`]);
  let ids = [...new Set([...own, ...concerned, ...certain])].sort((one, other) => other - one);
  for (const names of narrowing) ids = await withAnyOf(source, ids, names);
  return seenAmong(source, caller, ids, certain);
}

async function concerningPostsOf(source: Source, author: number): Promise<readonly number[]> {
  const turn = openTurns();
  const ids: number[] = [];
  for (const kind of POST_KINDS)
    for (const post of await idsOf(source, kind, [writtenBy(author)])) {
      ids.push(...(await idsNamed(source, [`target:${kind}-${post}`])));
      await turn();
    }
  return ids;
}

async function seenAmong(
  source: Source,
  caller: Caller,
  ids: readonly number[],
  certain: ReadonlySet<number>,
): Promise<readonly number[]> {
  const subjectOf = askedOnce(
    async ({ kind, id }: DocumentKey) => subjectIn((await source.fetch([{ kind, id }]))[0] ?? null),
    new Map(),
    ({ kind, id }) => `${kind} ${id}`,
  );
  const visible = new Set(
    await passing(
      source,
      ids.filter((id) => !certain.has(id)),
      async (proposals) => {
        const targets = await Promise.all(proposals.map(({ target }) => subjectOf(target)));
        return proposals.filter((proposal, at) => partsIn(caller, proposal, targets[at] ?? null).length > 0);
      },
    ),
  );
  return ids.filter((id) => certain.has(id) || visible.has(id));
}

/** What rights on a target depend on; null for a term, and for what is not there yet. */
export const subjectIn = (document: Document | null) =>
  document && 'status' in document ? { ...rightsSubjectOf(document), protected: document.protected } : null;
