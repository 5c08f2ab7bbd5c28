// Sets of proposals as clients see them.
import type { FastifyRequest } from 'fastify';
import type { MemberProblem } from '../../../domain/rejections.ts';
import { rejectionError } from '../../../http/errors.ts';
import { phrase } from '../../../locales/phrases.ts';
import type { EventStore } from '../../../log/event-store.ts';
import { openActors } from '../../../people/users/facts/actors.ts';
import { presentReview } from '../commands/review.ts';
import type { ChangeSet } from '../domain/change-set.ts';

const instant = (at: number): string => new Date(at * 1000).toISOString();

export const problemsFor = (request: FastifyRequest, problems: readonly MemberProblem[]) =>
  problems.map(({ proposal, code, fields }) => ({ proposal, problem: problemIn(request, code), fields }));

/** What is refused for lack of approvals is in a proposal already. */
const problemIn = ({ caller, language }: FastifyRequest, code: MemberProblem['code']): string =>
  code === 'review_required'
    ? phrase('set_lacks_approvals')(language)
    : rejectionError({ code }, caller).text(language);

/** A set, with how far its review is by the rules of now. */
export async function changeSetObject(store: EventStore, request: FastifyRequest, set: ChangeSet) {
  const actors = openActors(store);
  const person = async (id: number) => ({ id, name: await actors.nameOf({ id, name: '' }) });
  const orNull = async (id: number | null) => (id === null ? null : person(id));
  const { revisions, approvals, changesRequested, needed, given, unapproved } = await presentReview(store, set);
  return {
    id: set.id,
    url: `${request.links.root}/sets/${set.id}`,
    name: set.name,
    key: set.key,
    description: set.description,
    state: set.state,
    author: await person(set.author),
    opened: instant(set.opened),
    modified: instant(set.modified),
    at: set.schedule && instant(set.schedule.at),
    proposals: set.proposals,
    revisions,
    problems: problemsFor(request, set.problems),
    decided_by: await orNull(set.decidedBy),
    request: set.request,
    approvals: await Promise.all(approvals.map(person)),
    approvals_needed: needed,
    approvals_given: given,
    unapproved,
    changes_requested: await orNull(changesRequested),
    comments: await Promise.all(
      (set.comments ?? []).map(async ({ by, at, text }) => ({ actor: await person(by), instant: instant(at), text })),
    ),
  };
}
