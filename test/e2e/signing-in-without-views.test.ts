// Who may do what is told by the log while the views are down.
import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hashPassword, newSecret } from '../../src/people/auth/passwords.ts';
import { addUser, passwordOf, revokeCredential } from '../../src/people/users/commands/users.ts';
import { someContext } from '../support/events.ts';
import { begin, end, type OutageContext } from '../support/outage-calendar.ts';
import type { As } from '../support/service.ts';

const test = suite<OutageContext>('signing in without views');
test.before.each(begin);
test.after.each(end);

test('a credential that is revoked with the views down is refused at once', async ({ daybook, away, ids }) => {
  const write = (as: As = 'editor') => daybook.request(as, 'PATCH', `/venues/${ids.hall}`, { city: 'Ghent' });
  assert.is((await write()).status, 200);
  away.down.views = true;
  assert.is((await write()).status, 200);
  assert.is((await write('subscriber')).status, 403, 'rights are those of the log');
  const { store } = daybook.stores;
  const revoked = await revokeCredential({ store, newEventId: randomUUID }, someContext, 'editor', 'all');
  assert.is(revoked.kind, 'written');
  const refused = await write();
  assert.equal([refused.status, refused.body.code], [401, 'incorrect_password']);
  away.down.views = false;
  assert.is((await write()).status, 401);
});

test('a user who was added while the read model is down signs in at once', async ({ daybook, away }) => {
  away.down.views = true;
  const secret = newSecret();
  const dependencies = {
    store: daybook.stores.store,
    newEventId: randomUUID,
    newSecret: () => secret,
    hashSecret: hashPassword,
  };
  const profile = { login: 'Ann', email: 'ann@example.org', name: 'Ann', label: 'phone', role: 'editor' } as const;
  const added = await addUser(dependencies, someContext, profile);
  if (added.kind === 'rejected') throw new Error(added.rejection.code);
  const token = passwordOf(added.written);
  const statusOf = async (login: string): Promise<[number, string]> => {
    const authorization = `Basic ${Buffer.from(`${login}:${token}`).toString('base64')}`;
    const { status, body } = await daybook.request('anonymous', 'POST', '/tags', { name: login }, { authorization });
    return [status, body.code];
  };
  const logins = ['ann', 'ANN@example.org', 'bob', 'bob@example.org', 'author', ''];
  assert.equal(await Promise.all(logins.map(statusOf)), [
    [201, undefined],
    [201, undefined],
    [401, 'invalid_username'],
    [401, 'invalid_email'],
    [401, 'incorrect_password'],
    [401, 'invalid_username'],
  ]);
});
test.run();
