// Users: found by their names, and counted up by their ids.
import * as assert from 'uvu/assert';
import { ALL_USERS } from '../../src/read-model/documents.ts';
import { event, put, removed, saved, tag, user } from '../support/documents.ts';
import type { Check } from './read-model-check.ts';

export function userRules(check: Check): void {
  check('the ids of all users come once each and ascending', async (model) => {
    assert.equal(await model.named('user', ALL_USERS), []);
    await put(model, saved(user(10, 'Ann', 'ann@example.org')));
    await put(model, saved(user(9, '"\t\u{10ffff}', '')), saved(user(123456, 'zoë', '')));
    // Documents of other kinds have names, too.
    await put(model, saved(event(7)), saved(tag(8)));
    assert.equal(await model.named('user', ALL_USERS), [9, 10, 123456]);
    assert.is(await model.findBySlug('user', ALL_USERS), null, 'no login or address is that name');
  });

  check('a removed user is not listed', async (model) => {
    await put(model, saved(user(1, 'ann', '')), saved(user(2, 'bob', '')));
    await put(model, removed('user', 1));
    assert.equal(await model.named('user', ALL_USERS), [2]);
  });
}
