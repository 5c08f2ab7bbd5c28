// The searches that a user keeps: what is recorded of a change, and what remains.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Decision } from '../../../src/domain/decider.ts';
import {
  MAX_SEARCHES,
  removeSearch,
  type SavedSearch,
  type SearchFact,
  saveSearch,
} from '../../../src/people/users/domain/saved-searches.ts';
import { evolveUser, type UserAccount, type UserFact } from '../../../src/people/users/domain/user.ts';

const test = suite('saved searches');

const ADDED: UserFact = { type: 'UserAdded', data: { id: 1, login: 'ann', name: 'Ann', email: '', role: 'editor' } };
const DRAFTS = { name: 'Drafts', query: 'state=draft' };
const WINTER = { name: 'Winter', query: 'search=winter' };

function given(...facts: UserFact[]): UserAccount {
  const user = facts.reduce<UserAccount | null>((state, fact) => evolveUser(state, fact, 0), null);
  assert.ok(user);
  return user;
}

const saved = (search: SavedSearch): UserFact => ({ type: 'UserSearchSaved', data: search });

const factsOf = (decision: Decision<SearchFact>): readonly UserFact[] =>
  decision.kind === 'accepted' ? decision.facts : [];

test('only what differs is recorded', () => {
  const user = given(ADDED, saved(DRAFTS), saved(WINTER));
  assert.equal(factsOf(saveSearch(user, DRAFTS)), []);
  assert.equal(factsOf(removeSearch(user, 'Unknown')), []);
  const renamed = { ...DRAFTS, name: 'Mine' };
  const facts = factsOf(saveSearch(user, renamed, 'Drafts'));
  assert.equal(facts, [{ type: 'UserSearchRemoved', data: { name: 'Drafts' } }, saved(renamed)]);
  assert.equal(given(ADDED, saved(DRAFTS), saved(WINTER), ...facts).searches, [WINTER, renamed]);
});

test('one of the same name is replaced, and beyond the limit the oldest is left out', () => {
  assert.equal(given(ADDED, saved(DRAFTS), saved({ ...DRAFTS, query: '' })).searches, [{ ...DRAFTS, query: '' }]);
  const many = Array.from({ length: MAX_SEARCHES + 1 }, (_, at) => saved({ name: String(at), query: '' }));
  const { searches = [] } = given(ADDED, ...many);
  assert.equal([searches.length, searches[0]?.name], [MAX_SEARCHES, '1']);
});

test('with their person, searches are erased', () => {
  const user = given(ADDED, saved(DRAFTS), { type: 'UserErased', data: {} });
  assert.is(user.searches, undefined);
  assert.is(saveSearch(user, DRAFTS).kind, 'rejected');
});

test.run();
