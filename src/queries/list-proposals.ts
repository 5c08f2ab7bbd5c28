// Lists of proposals: narrowed by names that the read model looks up, and by what the reader may see of their targets.
import type { Caller } from '../auth/caller.ts';
import { mayReadHistory, rightsSubjectOf } from '../auth/policy.ts';
import { partsIn } from '../auth/proposal-rights.ts';
import { POST_KINDS } from '../domain/post.ts';
import { type ProposalState, TARGET_KINDS, type TargetKind } from '../domain/proposal.ts';
import type { Document, DocumentKey, ProposalDocument } from '../read-model/documents.ts';
import type { PageOf, PageWindow } from '../read-model/queries.ts';
import type { ReadModel } from '../read-model/read-model.ts';
import type { EpochSeconds } from '../time/zone.ts';

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

/** Documents fetched at once. */
const PORTION = 200;

/** A page of the proposals that the caller may see, newest first, with the number of all of them. */
export async function listProposals(
  source: Source,
  caller: Caller,
  filter: ProposalFilter,
  { offset, limit }: PageWindow,
): Promise<PageOf<ProposalDocument>> {
  const ids = await candidates(source, filter);
  const { openedFrom, openedBefore } = filter;
  // Editors see every proposal: only their page is looked at.
  if (seesAll(caller) && openedFrom === undefined && openedBefore === undefined) {
    const page = ids.slice(offset, offset + limit);
    return { items: await proposals(source, page), total: ids.length };
  }
  const visible: ProposalDocument[] = [];
  for (let at = 0; at < ids.length; at += PORTION) {
    const found = (await proposals(source, ids.slice(at, at + PORTION))).filter(
      ({ opened }) => opened >= (openedFrom ?? opened) && opened < (openedBefore ?? opened + 1),
    );
    visible.push(...(seesAll(caller) ? found : await seenBy(source, caller, found)));
  }
  return { items: visible.slice(offset, offset + limit), total: visible.length };
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

const namedAnyOf = async (source: Source, names: readonly string[]): Promise<number[]> =>
  (await Promise.all(names.map((name) => source.named('proposal', name)))).flat();

async function proposals(source: Source, ids: readonly number[]): Promise<ProposalDocument[]> {
  const documents = await source.fetch(ids.map((id): DocumentKey => ({ kind: 'proposal', id })));
  return documents.filter((document) => document?.kind === 'proposal');
}

async function seenBy(
  source: Pick<Source, 'fetch'>,
  caller: Caller,
  found: readonly ProposalDocument[],
): Promise<ProposalDocument[]> {
  const targets = await source.fetch(found.map(({ target }) => target));
  return found.filter((proposal, at) => partsIn(caller, proposal, subjectIn(targets[at] ?? null)).length > 0);
}

/** What rights on a target depend on; null for a term, and for what is not there yet. */
export const subjectIn = (document: Document | null) =>
  document && 'status' in document ? { ...rightsSubjectOf(document), protected: document.protected } : null;
