// The searches that a user keeps.

import type { EventMetadata } from '../../../log/envelope.ts';
import {
  removeSearch as decideToRemove,
  saveSearch as decideToSave,
  type SavedSearch,
} from '../domain/saved-searches.ts';
import type { UserRefused } from './refusals.ts';
import {
  type ChangeDependencies,
  type ChangeTerms,
  changeUser,
  type Decide,
  factsOr,
  type UserWritten,
} from './user-changes.ts';

type Outcome = Promise<UserWritten | UserRefused>;

interface SaveTerms extends ChangeTerms {
  /** The name of one that it takes the place of. */
  readonly former?: string | undefined;
}

/** Saves a search. Refusals: `unknown_user`, `changed`, `busy`. */
export function saveSearch(
  dependencies: ChangeDependencies,
  metadata: EventMetadata,
  user: number,
  search: SavedSearch,
  { former, ...terms }: SaveTerms,
): Outcome {
  const decide: Decide = (account) => factsOr(decideToSave(account, search, former), 'unknown_user', String(user));
  return changeUser(dependencies, metadata, user, decide, terms);
}

/** Removes a search. Refusals: `unknown_user`, `changed`, `busy`. */
export function removeSearch(
  dependencies: ChangeDependencies,
  metadata: EventMetadata,
  user: number,
  name: string,
  terms: ChangeTerms,
): Outcome {
  const decide: Decide = (account) => factsOr(decideToRemove(account, name), 'unknown_user', String(user));
  return changeUser(dependencies, metadata, user, decide, terms);
}
