// Sources and their polls as clients see them.

import type { Links } from '../../../http/route.ts';
import { oneLine } from '../../../kernel/text/plain-text.ts';
import { instantText } from '../../../kernel/time/instant.ts';
import type { Actors } from '../../../people/users/facts/actors.ts';
import { lineOf } from '../../import/http/import-answers.ts';
import { nextPoll, type Poll, type PollEnd, type PollFailure, type Source, unconfirmed } from '../domain/source.ts';

const isoOrNull = (at: number | null): string | null => (at === null ? null : instantText(at));

export async function pollObject({ begun, ended, by, ...poll }: Poll, actors: Actors) {
  const { request, outcome, problem, detail, counts, notes } = poll;
  return {
    request,
    begun: instantText(begun),
    ended: isoOrNull(ended),
    by: by === null ? null : await actors.person(by),
    outcome,
    problem,
    detail,
    counts,
    notes: notes.map(({ kind, name, place, reason }) => ({
      kind,
      name: oneLine(name),
      file: place.file,
      reason: oneLine(reason),
      line: lineOf(place),
    })),
  };
}

/** As a poll that has ended: one that was not recorded, because it was a dry run. */
export const unrecorded = (
  end: PollEnd | PollFailure,
  { begun, ended, by }: Pick<Poll, 'begun' | 'ended' | 'by'>,
): Poll => {
  const { request, counts, notes = [] } = end;
  const of = 'problem' in end ? { outcome: 'failed' as const, problem: end.problem, detail: end.detail } : null;
  return {
    request,
    begun,
    ended,
    by,
    counts,
    notes,
    ...(of ?? { outcome: 'looked' as const, problem: null, detail: '' }),
  };
};

export async function sourceObject(source: Source, { links, actors }: { links: Links; actors: Actors }) {
  const { id, name, address, every, mode, onMissing, status, user, paused, created, failures, polls } = source;
  const last = polls.at(-1);
  return {
    id,
    name,
    address,
    every,
    mode,
    on_missing: onMissing,
    status: status ?? '',
    user: await actors.person(user),
    paused,
    created: instantText(created),
    next_poll: isoOrNull(nextPoll(source)),
    failures,
    to_confirm: unconfirmed(source),
    last_poll: last ? await pollObject(last, actors) : null,
    rest_url: `${links.root}/sources/${id}`,
  };
}
