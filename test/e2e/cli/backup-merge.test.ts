// A merge survives `daybook backup` and `daybook restore`: it answers as before, and can be taken apart.
import path from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runHere } from '../../support/here.ts';
import { type Serving, serving } from '../../support/process.ts';
import { addUser, call, type ProcessUser } from '../../support/process-users.ts';
import { someEvent, temporaryFolder } from '../../support/service.ts';

type Body = Record<string, unknown>;

const test = suite('backup and restore after a merge');

async function run(args: readonly string[], settings: { readonly [name: string]: string }): Promise<void> {
  const { code, errors } = await runHere(args, settings);
  assert.is(code, 0, errors);
}

/** Where a read leads, and not what is there. */
async function redirectOf({ api }: Serving, target: string): Promise<string> {
  const { status, headers } = await fetch(`${api}${target}`, { redirect: 'manual' });
  return `${status} ${headers.get('location')?.replace(/^.*\/v1/, '') ?? ''}`;
}

const typesOf = async (running: Serving, user: ProcessUser, target: string): Promise<string[]> =>
  ((await call(running, user, `${target}/history`)).body.history as Body[]).map(({ type }) => String(type));

test('a merge, a proposed one, and the way back are the same after a restore', async () => {
  const { folder, remove } = temporaryFolder();
  const [here, there] = ['here', 'there'].map((name) => ({ DAYBOOK_DATA_DIR: path.join(folder, name) }));
  assert.ok(here && there);
  let running: Serving | undefined;
  try {
    const editor = await addUser(here, 'edith', 'editor');
    const contributor = await addUser(here, 'carla', 'contributor');
    running = await serving(here);
    const create = async (target: string, body: object, as = editor): Promise<unknown> => {
      const { status, body: made } = await call(running as Serving, as, target, body); // Assigned above.
      assert.is(status, 201, JSON.stringify(made));
      return made.id;
    };
    const [stays, goes] = [await create('/venues', { venue: 'Hall' }), await create('/venues', { venue: 'The Hall' })];
    const later = await create('/venues', { venue: 'Hall, the' });
    const event = await create('/events', someEvent({ venue: goes, status: 'publish' }));
    const merged = await call(running, editor, `/venues/${goes}/merge`, { into: stays });
    assert.is(merged.status, 200, JSON.stringify(merged.body));
    const proposal = await create(`/venues/${later}/proposals`, { into: stays }, contributor);
    const told = async (): Promise<unknown> => {
      const one = running as Serving; // There is one while this is asked.
      return {
        redirects: [await redirectOf(one, `/venues/${goes}`), await redirectOf(one, '/venues/by-slug/the-hall')],
        histories: [await typesOf(one, editor, `/venues/${goes}`), await typesOf(one, editor, `/venues/${stays}`)],
        event: (await call(one, editor, `/events/${event}/compare?from=0`)).body.changes,
        total: (await call(one, editor, `/events?venue=${stays}`)).body.total,
      };
    };
    const before = await told();
    await running.stop();
    await run(['backup', path.join(folder, 'copy')], here);
    await run(['restore', path.join(folder, 'copy')], there);
    running = await serving(there);
    assert.equal(await told(), before);
    assert.is((await call(running, editor, `/proposals/${proposal}/approve`, {})).status, 200);
    assert.is(await redirectOf(running, `/venues/${later}`), `308 /venues/${stays}`);
    const reverted = await call(running, editor, `/venues/${goes}/revert`, { revision: 1 });
    assert.is(reverted.status, 200, JSON.stringify(reverted.body));
    const shown = (await call(running, editor, `/events/${event}`)).body.venue as Body;
    assert.is(shown.id, goes, 'its event has followed it back');
  } finally {
    await running?.stop();
    remove();
  }
});

test.run();
