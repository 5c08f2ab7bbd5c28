// Lists of proposals: narrowed by names that the read model looks up, and by what the reader may see of their targets.
import type { Caller } from '../auth/caller.ts';
import { mayManageTerms, mayReadHistory, rightsSubjectOf } from '../auth/policy.ts';
import { partsIn } from '../auth/proposal-rights.ts';
import { POST_KINDS } from '../domain/post.ts';
import { type ProposalState, TARGET_KINDS, type TargetKind } from '../domain/proposal.ts';
import { TERM_KINDS } from '../domain/term.ts';
import type { Document, DocumentKey, ProposalDocument } from '../read-model/documents.ts';
import type { PageOf, PageWindow } from '../read-model/queries.ts';
import type { ReadModel } from '../read-model/read-model.ts';
import type { EpochSeconds } from '../time/zone.ts';
import { openTurns } from './time-slices.ts';

/** All that is given must hold. */
export interface ProposalFilter {
  readonly states?: readonly ProposalState[];
  readonly kind?: TargetKind;
  /** Of any kind, unless `kind` is given. */
  readonly target?: number;
  readonly author?: number;
  readonly reviewer?: number;
  readonly openedFrom?: EpochSeconds;
  readonly openedBefore?: EpochSeconds;
}

type Source = Pick<ReadModel, 'named' | 'fetch'>;

/** Documents fetched in one turn of the event loop. */
const PORTION = 50;

/** A page of the proposals that the caller may see, newest first, with the number of all of them. */
export async function listProposals(
  source: Source,
  caller: Caller,
  filter: ProposalFilter,
  { offset, limit }: PageWindow,
): Promise<PageOf<ProposalDocument>> {
  const ids = await candidates(source, filter);
  const { openedFrom, openedBefore } = filter;
  const isDated = openedFrom !== undefined || openedBefore !== undefined;
  const visible = seesAll(caller) ? ids : await seenBy(source, caller, ids);
  const listed = isDated ? await openedBetween(source, visible, filter) : visible;
  return { items: await proposals(source, listed.slice(offset, offset + limit)), total: listed.length };
}

const seesAll = (caller: Caller): boolean => POST_KINDS.every((kind) => mayReadHistory(caller, kind, null));

/** By id, newest first. */
async function candidates(source: Source, filter: ProposalFilter): Promise<number[]> {
  const { states, kind, target, author, reviewer } = filter;
  const names = [
    ...(kind === undefined ? [] : [`kind:${kind}`]),
    ...(author === undefined ? [] : [`author:${author}`]),
    ...(reviewer === undefined ? [] : [`reviewer:${reviewer}`]),
  ];
  const lists = await Promise.all(names.map((name) => source.named('proposal', name)));
  const inStates =
    states &&
    (await namedAnyOf(
      source,
      states.map((state) => `state:${state}`),
    ));
  const onTarget =
    target === undefined
      ? undefined
      : await namedAnyOf(
          source,
          (kind ? [kind] : TARGET_KINDS).map((one) => `target:${one}-${target}`),
        );
  const narrowing = [...lists, ...[inStates, onTarget].filter((list) => list !== undefined)];
  const [first = await source.named('proposal', 'all'), ...others] = narrowing;
  const sets = others.map((list) => new Set(list));
  return first.filter((id) => sets.every((set) => set.has(id))).sort((one, other) => other - one);
}

const namedAnyOf = async (source: Pick<Source, 'named'>, names: readonly string[]): Promise<number[]> =>
  (await Promise.all(names.map((name) => source.named('proposal', name)))).flat();

async function proposals(source: Source, ids: readonly number[]): Promise<ProposalDocument[]> {
  const documents = await source.fetch(ids.map((id): DocumentKey => ({ kind: 'proposal', id })));
  return documents.filter((document) => document?.kind === 'proposal');
}

/** Passes what a test of its document admits, a portion a turn. */
async function passing(
  source: Source,
  ids: readonly number[],
  admit: (found: readonly ProposalDocument[]) => Promise<readonly ProposalDocument[]>,
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
  passing(source, ids, async (found) => found.filter(({ opened }) => opened >= openedFrom && opened < openedBefore));

/**
 * Names say which proposals are the caller's own, and which are about a kind that the caller manages or cannot judge at
 * all. Of the rest the targets are looked up.
 */
async function seenBy(source: Source, caller: Caller, ids: readonly number[]): Promise<readonly number[]> {
  if (caller === null) return [];
  const own = new Set(await source.named('proposal', `author:${caller.id}`));
  const managed = await aboutAnyOf(source, TERM_KINDS, (kind) => mayManageTerms(caller, kind));
  const closed = await aboutAnyOf(source, TERM_KINDS, (kind) => !mayManageTerms(caller, kind));
  const asked = ids.filter((id) => !managed.has(id) && (own.has(id) || !closed.has(id)));
  const seen = new Set(
    await passing(source, asked, async (found) => {
      const targets = await source.fetch(found.map(({ target }) => target));
      return found.filter((proposal, at) => partsIn(caller, proposal, subjectIn(targets[at] ?? null)).length > 0);
    }),
  );
  return ids.filter((id) => managed.has(id) || seen.has(id));
}

async function aboutAnyOf<Kind extends TargetKind>(
  source: Pick<Source, 'named'>,
  kinds: readonly Kind[],
  test: (kind: Kind) => boolean,
): Promise<ReadonlySet<number>> {
  const names = kinds.filter(test).map((kind) => `kind:${kind}`);
  return new Set(await namedAnyOf(source, names));
}

/** What rights on a target depend on; null for a term, and for what is not there yet. */
export const subjectIn = (document: Document | null) =>
  document && 'status' in document ? { ...rightsSubjectOf(document), protected: document.protected } : null;
