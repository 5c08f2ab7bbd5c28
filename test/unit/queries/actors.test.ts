import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openActors } from '../../../src/people/users/facts/actors.ts';
import { openChangesLog } from './changes-log.ts';

const test = suite('actors');

const ANN = { id: 3, name: 'recorded' };
const by = (actor: { id: number | null; name: string }) => ({
  ...{ actor, instant: '2026-03-01T10:00:00Z' },
  ...{ correlationId: 'c', causationId: 'c' },
});

async function setUp() {
  const log = openChangesLog();
  const added = { id: 3, login: 'ann', email: '', name: 'Ann', role: 'author' };
  const before = await log.add('venue-1', 'VenueRenamed');
  const since = await log.add('user-3', 'UserAdded', added);
  const promoted = await log.add('user-3', 'UserRoleChanged', { role: 'editor' });
  await log.add('user-3', 'UserGotWings');
  const between = await log.add('venue-1', 'VenueRenamed');
  const removed = await log.add('user-3', 'UserRemoved');
  return { log, before, since, promoted, between, removed };
}

test('the role is that of the change, which may be what gave it', async () => {
  const { log, before, since, promoted, between, removed } = await setUp();
  const { roleOf, presentRoleOf } = openActors(log.store);
  const roleAt = (position: string) => roleOf({ metadata: by(ANN), position });
  assert.equal(await Promise.all([before, since, promoted, between, removed].map(roleAt)), [
    null,
    'author',
    'editor',
    'editor',
    null,
  ]);
  assert.is(await roleOf({ metadata: by({ id: null, name: 'daybook' }), position: between }), 'system');
  assert.is(await roleOf({ metadata: by({ id: -1, name: 'daybook' }), position: between }), 'system');
  assert.is(await presentRoleOf(3), null);
});

test('the name is the last login, also of one who was removed, and else what is recorded', async () => {
  const { log } = await setUp();
  const { nameOf, person } = openActors(log.store);
  assert.is(await nameOf(ANN), 'ann');
  assert.is(await nameOf({ id: 4, name: 'of another log' }), 'of another log');
  assert.is(await nameOf({ id: null, name: 'import' }), 'import');
  assert.equal(await person(3), { id: 3, name: 'ann' });
});

test.run();
