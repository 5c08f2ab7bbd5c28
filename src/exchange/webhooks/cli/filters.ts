// The filters of a webhook at the command line: those of GET /changes.

import { UsageError } from '../../../cli/errors.ts';
import { POSITIVE_INTEGER } from '../../../cli/values.ts';
import { ACTOR_ROLES } from '../../../editorial/audit/queries/actor-roles.ts';
import { CHANGE_KINDS, selectionOf, wordsOf } from '../../../editorial/audit/queries/selection.ts';
import { oneLine } from '../../../kernel/text/plain-text.ts';
import { listOf } from '../../../kernel/text/wire-words.ts';
import type { WebhookFilters } from '../domain/webhook.ts';

const BY_COMMAS = 'by commas';

/** An empty text selects all. */
export const FILTER_OPTIONS = {
  types: { value: 'WORDS', description: `kinds and types of changes, ${BY_COMMAS}`, otherwise: 'all' },
  kind: { value: 'KINDS', description: `kinds of resources alone, ${BY_COMMAS}`, otherwise: 'all' },
  actor: { value: 'IDS', description: `users who made the changes, ${BY_COMMAS}`, otherwise: 'all' },
  role: { value: 'ROLES', description: `roles that those had, ${BY_COMMAS}`, otherwise: 'all' },
  field: { value: 'NAMES', description: `fields that changed, ${BY_COMMAS}`, otherwise: 'all' },
  reason: { value: 'TEXT', description: 'part of the reason of the change', otherwise: 'all' },
} as const;

type Given = { readonly [Name in keyof typeof FILTER_OPTIONS]?: string | undefined };

/** What was typed, over what was there before; throws `UsageError`. Null: none was typed. */
export function filtersIn(command: string, given: Given, before: WebhookFilters): WebhookFilters | null {
  const { types, kind, actor, role, field, reason } = given;
  const wanted: { readonly [Name in keyof WebhookFilters]-?: WebhookFilters[Name] | undefined } = {
    types: types === undefined && kind === undefined ? undefined : typesIn(command, types ?? '', kind ?? ''),
    actors: actor === undefined ? undefined : idsIn(command, actor),
    roles: role === undefined ? undefined : wordsIn(command, '--role', role, ACTOR_ROLES),
    fields: field === undefined ? undefined : listOf(field),
    reason: reason === undefined ? undefined : oneLine(reason),
  };
  const typed = Object.entries(wanted).filter(([, value]) => value !== undefined);
  if (typed.length === 0) return null;
  const all = { ...before, ...Object.fromEntries(typed) };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value.length > 0));
}

/** What both allow. */
function typesIn(command: string, types: string, kind: string): readonly string[] {
  const selection = selectionOf(listOf(types));
  if ('unknown' in selection)
    throw new UsageError(
      `${command}: --types must name kinds (${CHANGE_KINDS.join(', ')}) or types such as EventRescheduled, not "${selection.unknown}".`,
    );
  const kinds = wordsIn(command, '--kind', kind, [...selection.keys()]);
  if (kinds.length > 0) return wordsOf(new Map([...selection].filter(([one]) => kinds.includes(one))));
  return listOf(types).length === 0 ? [] : wordsOf(selection);
}

function wordsIn<Word extends string>(
  command: string,
  option: string,
  text: string,
  allowed: readonly Word[],
): readonly Word[] {
  const words = listOf(text);
  if (words.some((word) => !allowed.some((one) => one === word)))
    throw new UsageError(`${command}: ${option} must name some of ${allowed.join(', ')}.`);
  return allowed.filter((word) => words.includes(word));
}

function idsIn(command: string, text: string): readonly number[] {
  const ids = listOf(text).map((word) => POSITIVE_INTEGER.read(word));
  const known = ids.filter((id) => id !== undefined);
  if (known.length < ids.length || ids.length > MAX_ACTORS)
    throw new UsageError(`${command}: --actor must be at most ${MAX_ACTORS} ids of users, by commas.`);
  return known;
}

/** As over the API. */
const MAX_ACTORS = 100;
